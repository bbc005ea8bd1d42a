/** `esds`: MPEG-4's description of a stream, in nested descriptors. */
import { slice, u32, u8 } from '../bytes/numbers.ts';

export interface ElementaryStream {
  readonly codec?: string;
  readonly bitrate?: number;
  /** The decoder's configuration. */
  readonly configuration?: Uint8Array;
}

const codecs = new Map([
  [0x20, 'mpeg4'],
  [0x21, 'h264'],
  [0x23, 'hevc'],
  [0x40, 'aac'],
  [0x66, 'aac'],
  [0x67, 'aac'],
  [0x68, 'aac'],
  [0x60, 'mpeg2video'],
  [0x61, 'mpeg2video'],
  [0x62, 'mpeg2video'],
  [0x63, 'mpeg2video'],
  [0x64, 'mpeg2video'],
  [0x65, 'mpeg2video'],
  [0x69, 'mp3'],
  [0x6a, 'mpeg1video'],
  [0x6b, 'mp3'],
  [0x6c, 'mjpeg'],
  [0xa5, 'ac3'],
  [0xa6, 'eac3'],
  [0xa9, 'dts'],
  [0xad, 'opus'],
  [0xdd, 'vorbis'],
  [0xe0, 'dvd_subtitle'],
]);

export function readElementaryStream(box: Uint8Array | undefined): ElementaryStream | undefined {
  if (box === undefined) return undefined;
  const outer = readDescriptor(box, 4);
  if (outer?.tag !== 3) return undefined;
  const flags = u8(outer.body, 2);
  let at = 3 + ((flags & 0x80) !== 0 ? 2 : 0);
  if ((flags & 0x40) !== 0) at += 1 + u8(outer.body, at);
  if ((flags & 0x20) !== 0) at += 2;
  const decoder = readDescriptor(outer.body, at);
  if (decoder?.tag !== 4) return undefined;
  const codec = codecs.get(u8(decoder.body, 0));
  const bitrate = u32(decoder.body, 9);
  const specific = readDescriptor(decoder.body, 13);
  return {
    ...(codec !== undefined && { codec }),
    ...(bitrate > 0 && { bitrate }),
    ...(specific?.tag === 5 && { configuration: specific.body }),
  };
}

function readDescriptor(
  bytes: Uint8Array,
  from: number,
): { readonly tag: number; readonly body: Uint8Array } | undefined {
  if (from + 2 > bytes.length) return undefined;
  let at = from + 1;
  let length = 0;
  for (let digits = 0; digits < 4; digits++) {
    const digit = u8(bytes, at++);
    length = length * 128 + (digit & 0x7f);
    if ((digit & 0x80) === 0) break;
  }
  return { tag: u8(bytes, from), body: slice(bytes, at, Math.min(length, bytes.length - at)) };
}
