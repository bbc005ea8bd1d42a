/** Makes one fragment of packets of equal length, as segments of sound are (ISO/IEC 14496-12, 8.8). */

export interface Packets {
  /** Counts from 1. */
  readonly sequence: number;
  /** The time of the first one, in samples. */
  readonly time: number;
  /** Samples of each. */
  readonly frame: number;
  readonly packets: readonly Buffer[];
}

/** A `moof` and its `mdat`; without packets it has an empty run. */
export function packedSegment({ sequence, time, frame, packets }: Packets): Buffer {
  const sizes = packets.map(({ length }) => length);
  const runBytes = 20 + 4 * sizes.length;
  const moofBytes = 8 + 16 + 8 + 24 + 20 + runBytes;
  const moof = box('moof', [
    fullBox('mfhd', 0, 0, [sequence]),
    box('traf', [
      // The data begin in this fragment; all packets have this length and depend on no other.
      fullBox('tfhd', 0, 0x020028, [1, frame, 0x02000000]),
      fullBox('tfdt', 1, 0, [Math.floor(time / 2 ** 32), time % 2 ** 32]),
      fullBox('trun', 0, 0x000201, [sizes.length, moofBytes + 8, ...sizes]),
    ]),
  ]);
  return Buffer.concat([moof, box('mdat', packets)]);
}

function box(type: string, parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + parts.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts]);
}

function fullBox(type: string, version: number, flags: number, words: readonly number[]): Buffer {
  const body = Buffer.alloc(4 + 4 * words.length);
  body.writeUInt32BE(version * 2 ** 24 + flags);
  words.forEach((word, at) => body.writeUInt32BE(word, 4 + 4 * at));
  return box(type, [body]);
}
