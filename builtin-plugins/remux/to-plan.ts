/**
 * The answer of a plan: made bytes in front, then places of the file, with made bytes between them
 * where the file lacks some. What the server would refuse is refused here, with words.
 */
import type { SegmentPiece, SegmentPlan } from '../../plugin-api/index.ts';
import { toBase64 } from '../media-headers/bytes/base64-text.ts';
import { malformed } from '../media-headers/bytes/probe-error.ts';
import { joined } from '../media-headers/bytes/joined.ts';
import { mostInsertBytes, mostPieces, mostSegmentBytes, overBudget } from './limits.ts';
import type { Part } from './media/packets.ts';

/** Turns the parts of a segment into an answer. */
export function toPlan(parts: readonly Part[], fileSize: number): SegmentPlan {
  const made = parts.findIndex((part) => !(part instanceof Uint8Array));
  const front = parts.slice(0, made < 0 ? parts.length : made);
  const inserts = new Inserts();
  const pieces = parts.slice(front.length).map((part): SegmentPiece => {
    if (part instanceof Uint8Array) return [...inserts.place(part), 'inserts'];
    const [offset, length] = part;
    const isInside = offset >= 0 && length >= 0 && offset + length <= fileSize;
    if (isInside && Number.isSafeInteger(offset)) return [offset, length];
    throw malformed('The file announces pictures or sound behind its end.');
  });
  checkAmount(pieces, inserts.length);
  return {
    kind: 'planned',
    head: toBase64(joined(front.filter((part) => part instanceof Uint8Array))),
    ...(inserts.length > 0 && { inserts: toBase64(inserts.bytes) }),
    pieces,
  };
}

function checkAmount(pieces: readonly SegmentPiece[], insertBytes: number): void {
  const bytes = pieces.reduce((sum, [, length]) => sum + length, 0);
  if (pieces.length > mostPieces) throw overBudget(`A segment has ${pieces.length} pieces.`);
  if (bytes > mostSegmentBytes) throw overBudget(`A segment has ${bytes} bytes.`);
  if (insertBytes > mostInsertBytes) throw overBudget(`A segment has ${insertBytes} made bytes.`);
}

/** Made bytes; the same ones are kept once. */
class Inserts {
  readonly #parts = new Map<Uint8Array, number>();
  length = 0;

  place(part: Uint8Array): readonly [offset: number, length: number] {
    const known = this.#parts.get(part);
    if (known !== undefined) return [known, part.length];
    const offset = this.length;
    this.#parts.set(part, offset);
    this.length += part.length;
    return [offset, part.length];
  }

  get bytes(): Uint8Array {
    return joined([...this.#parts.keys()]);
  }
}
