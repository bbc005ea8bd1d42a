/** The bytes of the picture that is asked for. */
import type { Host, PictureFile } from '../../plugin-api/index.ts';
import { fromBase64 } from '../media-headers/bytes/base64-text.ts';
import { malformed, overBudget, truncated } from './picture-error.ts';

const maxBytes = 32 * 1024 * 1024;
const pieceBytes = 4 * 1024 * 1024;

/** Returns the bytes in the input, or reads the file that the input names. */
export async function readSource(
  source: PictureFile,
  host: Host,
): Promise<Uint8Array<ArrayBuffer>> {
  const { uri, size, base64 } = source;
  if (base64 !== null) return fromBase64(base64);
  if (uri === null) throw malformed('The picture is empty.');
  if (size > maxBytes)
    throw overBudget(`The picture has ${size} bytes; at most ${maxBytes} are read.`);
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += pieceBytes) {
    const piece = await host.fs.read({ uri, offset: at, length: Math.min(pieceBytes, size - at) });
    if (piece.length === 0) throw truncated('The file became shorter while it was read.');
    bytes.set(piece.subarray(0, size - at), at);
  }
  return bytes;
}
