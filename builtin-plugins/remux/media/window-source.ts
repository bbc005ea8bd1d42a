/**
 * Reads small heads that lie far apart, as of boxes and blocks: a piece of the file from the wanted
 * place on, which also serves the next reads within it. The size of the piece follows the distances:
 * where the heads are close together a large piece saves calls, and else a small one saves bytes.
 */
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { truncated } from '../../media-headers/bytes/probe-error.ts';
import type { MediaReader } from './open-media.ts';

const smallBytes = 8 * 1024;

/** A source over a reader; `mostBytes` is the largest piece. */
export function createWindowSource(reader: MediaReader, mostBytes: number): ByteSource {
  let start = 0;
  let window: Uint8Array = new Uint8Array(0);
  let length = Math.min(smallBytes, mostBytes);
  const load = async (offset: number, wanted: number): Promise<Uint8Array> => {
    const isNear = offset >= start && offset <= start + window.length + length;
    length = isNear ? Math.min(mostBytes, length * 2) : Math.max(smallBytes, length / 2);
    const bytes = Math.min(Math.max(length, wanted), reader.size - offset);
    const [piece] = await reader.readPieces([{ offset, length: bytes }]);
    if (piece === undefined || piece.length < wanted) throw tooShort();
    [start, window] = [offset, piece];
    return piece.subarray(0, wanted);
  };
  return {
    size: reader.size,
    read: (offset, wanted) => {
      if (offset < 0 || wanted < 0 || offset + wanted > reader.size) throw tooShort();
      const from = offset - start;
      return from >= 0 && from + wanted <= window.length
        ? window.subarray(from, from + wanted)
        : load(offset, wanted);
    },
  };
}

const tooShort = (): Error => truncated('The file ends before the data that it announces.');
