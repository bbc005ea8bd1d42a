/** Units of H.264 and H.265 between start codes, and what they are. */

/** A unit without its start code. */
export interface NalUnit {
  readonly from: number;
  readonly to: number;
  readonly type: number;
}

/** The codecs of pictures that are taken out of transport streams. */
export type PictureCodec = 'h264' | 'hevc';

/** All units of an access unit. */
export function unitsIn(bytes: Uint8Array, codec: PictureCodec): readonly NalUnit[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(1, 2); at >= 0 && at < bytes.length; at = bytes.indexOf(1, at + 1)) {
    if (bytes[at - 1] === 0 && bytes[at - 2] === 0) starts.push(at + 1);
  }
  return starts.flatMap((from, place) => {
    let to = (starts[place + 1] ?? bytes.length + 3) - 3;
    // Zeros before a start code belong to no unit.
    while (to > from && bytes[to - 1] === 0) to--;
    const head = bytes[from] ?? 0;
    const type = codec === 'h264' ? head & 0x1f : (head >> 1) & 0x3f;
    return to > from ? [{ from, to, type }] : [];
  });
}

/** Whether decoding may begin at pictures with these units. */
export function isKeyPicture(units: readonly NalUnit[], codec: PictureCodec): boolean {
  if (codec === 'hevc') return units.some(({ type }) => type >= 16 && type <= 21);
  return units.some(({ type }) => type === 5 || type === 7);
}
