// What is seen of a run becomes its picture on the start page.
import {postFile} from '../api';
import {shownFrame, stageNow} from './options';

export async function postThumbnail(): Promise<void> {
  const picture = shownFrame.peek() ? await stageNow.peek()?.thumbnail(320, 180) : null;
  if (picture) await postFile('thumbnail', {}, picture).catch(() => undefined); // without one it is a card without a picture
}
