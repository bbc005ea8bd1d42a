/** Subtitles that are pictures (PGS) in a file of their own (`.sup`), as a part of a checked one. */
import { readUpTo } from '../../media-headers/bytes/byte-source.ts';
import { u16, u32 } from '../../media-headers/bytes/numbers.ts';
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import type { MediaSource } from '../media.ts';
import type { PartOfSup, WantedPgs } from './matroska-pgs.ts';
import { createSupWriter } from './sup-writer.ts';

/** The mark, two times, the kind and the length. */
const headBytes = 13;
const composition = 0x16;
/** Of one answer. */
const supBytes = 3 * 1024 * 1024;
const setBytes = 1024 * 1024;

/** Reads from a time on as much as one answer holds. Only the heads of what is before are read. */
export async function readSupFile(
  source: MediaSource,
  { fromMs, shiftMs }: Pick<WantedPgs, 'fromMs' | 'shiftMs'>,
): Promise<PartOfSup> {
  const writer = createSupWriter();
  let set: { readonly ms: number; readonly parts: Uint8Array[]; bytes: number } | undefined;
  const finish = (): void => {
    if (set === undefined) return;
    const block = new Uint8Array(set.bytes);
    let to = 0;
    for (const part of set.parts) {
      block.set(part, to);
      to += part.length;
    }
    writer.add(block, set.ms + shiftMs);
    set = undefined;
  };
  for (let at = 0; at + headBytes <= source.size;) {
    const head = await readUpTo(source, at, headBytes);
    if (ascii(head, 0, 2) !== 'PG') {
      if (at === 0) throw malformed('PGS is read from Matroska and .sup files only.');
      break;
    }
    const length = u16(head, 11);
    if (head[10] === composition) {
      finish();
      const ms = u32(head, 2) / 90;
      if (writer.length() > supBytes) return { sup: writer.bytes(), nextMs: ms };
      set = ms >= fromMs ? { ms, parts: [], bytes: 0 } : undefined;
    }
    const end = at + headBytes + length;
    if (end > source.size) break;
    if (set !== undefined && set.bytes + length + 3 <= setBytes) {
      const part = await source.read(at + headBytes - 3, length + 3);
      set.parts.push(part);
      set.bytes += part.length;
    }
    at = end;
  }
  finish();
  return { sup: writer.bytes(), nextMs: null };
}
