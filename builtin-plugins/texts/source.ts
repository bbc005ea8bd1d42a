/** The bytes of the text that is asked for. */
import { createReaders, type Host, type TextSource } from '../../plugin-api/index.ts';
import { checkBytes, maxBytes } from './limits.ts';
import { malformed } from './text-error.ts';

const budget = { bytes: maxBytes, milliseconds: 8000 };

/** Returns the bytes in the input, or reads the file that the input names. */
export async function readSource(source: TextSource, host: Host): Promise<Uint8Array> {
  const { uri, size, base64 } = source;
  checkBytes(size);
  if (base64 !== null) return fromBase64(base64);
  if (uri === null) throw malformed('The text is empty.');
  if (size === 0) return new Uint8Array(0);
  const reader = createReaders({ fs: host.fs }).open({ uri, size }, budget);
  return reader.read(0, size);
}

function fromBase64(text: string): Uint8Array {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
