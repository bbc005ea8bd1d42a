/** The frames of events: each is encoded once for all clients. */
import type { PastEvent } from './history.ts';

/** Gives the bytes of an event. The caller must not change them. */
export type FrameOf = (event: PastEvent) => Buffer;

/** How many frames are cached; clients that are further behind encode theirs again. */
const cachedFrames = 128;

/** One frame for all clients that receive the event at about the same time. */
function shared(encode: FrameOf): FrameOf {
  const frames = new Array<{ readonly event: PastEvent; readonly frame: Buffer } | undefined>(
    cachedFrames,
  );
  return (event) => {
    const known = frames[event.number % cachedFrames];
    if (known?.event === event) return known.frame;
    const frame = encode(event);
    frames[event.number % cachedFrames] = { event, frame };
    return frame;
  };
}

/** Frames of server-sent events: the id, and the unchanged envelope. */
export const createStreamFrames = (feedId: string): FrameOf =>
  shared(({ number, json }) => Buffer.from(`id: ${feedId}.${number}\ndata: ${json}\n\n`));

/** Frames of WebSockets: one text message each, the envelope with its `id` in front. */
export const createSocketFrames = (feedId: string): FrameOf =>
  shared(({ number, json }) => textFrame(`{"id":"${feedId}.${number}",${json.slice(1)}`));

const finalText = 0x81;
const [twoByteLength, eightByteLength] = [126, 127];

/** One unfragmented, unmasked text message of a server (RFC 6455, 5.2). */
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
