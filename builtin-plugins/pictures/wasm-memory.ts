/** The section of a WebAssembly module that says how much memory it may have (core specification, 5.5.8). */

const memorySection = 5;
const headerBytes = 8;
const pageBytes = 65_536;

/** A copy of the module whose memory grows to at most so many bytes; a higher limit is lowered. */
export function withMemoryLimit(
  module: Uint8Array<ArrayBuffer>,
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  for (let at = headerBytes; at < module.length;) {
    const [length, body] = readNumber(module, at + 1);
    if (module[at] === memorySection) {
      const section = limited(module.subarray(body, body + length), maxBytes / pageBytes);
      return joined(module.subarray(0, at), section, module.subarray(body + length));
    }
    at = body + length;
  }
  throw new Error('The module has no memory of its own.');
}

/** The section with one memory: its first and its last number of pages. */
function limited(body: Uint8Array, maxPages: number): Uint8Array {
  const [count, flags] = body;
  if (count !== 1 || (flags ?? 0) > 1) throw new Error('The module has a memory of another kind.');
  const [least, end] = readNumber(body, 2);
  const most = flags === 1 ? Math.min(readNumber(body, end)[0], maxPages) : maxPages;
  const content = [1, 1, ...toNumber(least), ...toNumber(Math.max(least, most))];
  return Uint8Array.from([memorySection, ...toNumber(content.length), ...content]);
}

/** An unsigned LEB128 number, and the place behind it. */
function readNumber(bytes: Uint8Array, start: number): [value: number, end: number] {
  let [value, factor, at] = [0, 1, start];
  for (;;) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return [value, at];
    factor *= 128;
  }
}

function toNumber(value: number): readonly number[] {
  const rest = Math.floor(value / 128);
  return rest === 0 ? [value % 128] : [(value % 128) | 0x80, ...toNumber(rest)];
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
