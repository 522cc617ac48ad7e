// Colors of bodies and of values.
export const palette = ['#4a9dff', '#ff9f43', '#57c785', '#e45c6c', '#b48cf2', '#e8c547', '#4dd0d6', '#d98cb3', '#9aa6b2', '#8fb339'];
export const bodyColor = (index: number): string => palette[index % palette.length]!;

// Evenly perceived, from dark blue over green to yellow (viridis), at nine places.
const stops = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725'];
export const gradient = `linear-gradient(to right, ${stops.join(', ')})`;

export function rgb(hex: string): [number, number, number] {
  const n = parseInt(hex.slice(1), 16);
  return [((n >> 16) & 255) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}
// As a strip of pixels, for the shader.
export function gradientPixels(count = 256): Uint8Array {
  const pixels = new Uint8Array(4 * count);
  for (let k = 0; k < count; k++) {
    const x = (k / (count - 1)) * (stops.length - 1), i = Math.min(Math.floor(x), stops.length - 2), t = x - i;
    const a = rgb(stops[i]!), b = rgb(stops[i + 1]!);
    for (let c = 0; c < 3; c++) pixels[4 * k + c] = Math.round(255 * (a[c]! + t * (b[c]! - a[c]!)));
    pixels[4 * k + 3] = 255;
  }
  return pixels;
}

// A value in few digits.
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e5 || size < 1e-3) return value.toExponential(1).replace('e+', 'e');
  return String(Number(value.toPrecision(3)));
}
