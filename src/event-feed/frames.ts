/** What goes out for an event: made once, however many hear it. */
import type { PastEvent } from './history.ts';

/** Gives the bytes that go out for an event. Whoever gets them does not write into them. */
export type FrameOf = (event: PastEvent) => Buffer;

/** So many frames are at hand; clients that are further behind make theirs again. */
const kept = 128;

/** One frame for all clients that hear the event at about the same time. */
function shared(encode: FrameOf): FrameOf {
  const frames = new Array<{ readonly event: PastEvent; readonly frame: Buffer } | undefined>(kept);
  return (event) => {
    const known = frames[event.number % kept];
    if (known?.event === event) return known.frame;
    const frame = encode(event);
    frames[event.number % kept] = { event, frame };
    return frame;
  };
}

/** Frames of server-sent events: the id, and the envelope as it is. */
export const createStreamFrames = (feedId: string): FrameOf =>
  shared(({ number, json }) => Buffer.from(`id: ${feedId}.${number}\ndata: ${json}\n\n`));

/** Frames of WebSocket: one text message each, the envelope with its `id` in front. */
export const createSocketFrames = (feedId: string): FrameOf =>
  shared(({ number, json }) => textFrame(`{"id":"${feedId}.${number}",${json.slice(1)}`));

const finalText = 0x81;
const [twoByteLength, eightByteLength] = [126, 127];

/** One unfragmented text message as a server sends it, which does not mask (RFC 6455, 5.2). */
export function textFrame(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const headSize = size < twoByteLength ? 2 : size < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headSize + size);
  frame[0] = finalText;
  if (headSize === 2) {
    frame[1] = size;
  } else if (headSize === 4) {
    frame[1] = twoByteLength;
    frame.writeUInt16BE(size, 2);
  } else {
    frame[1] = eightByteLength;
    frame.writeBigUInt64BE(BigInt(size), 2);
  }
  frame.write(text, headSize);
  return frame;
}
