// A curve over time, with the playhead; a click moves it there.
import {effect} from '@preact/signals';
import {useEffect, useRef} from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {playhead, seek} from '../player';
import * as s from '../state';
import {short} from '../view/colors';

export interface Curve { name: string; color: string; dash?: number[] }

export function Plot({title, data, series, onClose}: {title: string; data: uPlot.AlignedData; series: Curve[]; onClose?: () => void}) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue('--muted').trim(), line = style.getPropertyValue('--line').trim();
    const axis = {stroke: ink, grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1}, font: '11px system-ui'};
    const plot = new uPlot({
      width: 300, height: 150, cursor: {drag: {x: false, y: false}, y: false}, legend: {show: false}, scales: {x: {time: false}},
      axes: [{...axis, size: 26}, {...axis, size: 54, values: (_, ticks) => ticks.map(short)}],
      series: [{}, ...series.map((x) => ({label: x.name, stroke: x.color, width: 1.5, points: {show: false}, spanGaps: true, ...(x.dash ? {dash: x.dash} : {})}))],
      hooks: {
        draw: [(u) => {
          const x = Math.round(u.valToPos(playhead.peek() / s.fps.peek(), 'x', true));
          u.ctx.save();
          u.ctx.strokeStyle = style.getPropertyValue('--accent').trim();
          u.ctx.beginPath();
          u.ctx.moveTo(x, u.bbox.top);
          u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
          u.ctx.stroke();
          u.ctx.restore();
        }],
        ready: [(u) => u.over.addEventListener('click', (e) => seek(u.posToVal((e as MouseEvent).offsetX, 'x') * s.fps.peek()))],
      },
    }, data, holder.current!);
    const fit = () => { const box = holder.current; if (box && box.clientWidth > 40) plot.setSize({width: box.clientWidth, height: Math.max(70, box.clientHeight)}); };
    const watch = new ResizeObserver(fit);
    watch.observe(holder.current!);
    fit();
    const stop = effect(() => { playhead.value; plot.redraw(false); });
    return () => { stop(); watch.disconnect(); plot.destroy(); };
  }, [data, s.theme.value]);
  return (
    <figure class="plot">
      <figcaption>{title}<span class="keys">{series.map((x) => <span><i style={{background: x.color}} />{x.name}</span>)}</span>
        {onClose ? <button class="link" aria-label={`Close ${title}`} onClick={onClose}>×</button> : null}</figcaption>
      <div class="plot-area" ref={holder} />
    </figure>
  );
}
