import { percentDecode, percentEncode, percentSets } from './percent.ts';

const forbiddenInHost = /[\u0000\t\n\r #/:<>?@[\\\]^|]/;
const forbiddenInDomain = /[\u0000-\u0020#%/:<>?@[\\\]^|\u007f]/;

/** The host as a URL spells it, or `undefined` when it is invalid. */
export function parseHost(input: string, isSpecial: boolean): string | undefined {
  if (input.startsWith('[')) {
    const pieces = input.endsWith(']') ? parseIpv6(input.slice(1, -1)) : undefined;
    return pieces && `[${writeIpv6(pieces)}]`;
  }
  if (!isSpecial) {
    return forbiddenInHost.test(input) ? undefined : percentEncode(input, percentSets.control);
  }
  const decoded = percentDecode(input);
  // What is not UTF-8 or not a character becomes U+FFFD, which no domain may contain.
  if (decoded.includes('\ufffd')) return undefined;
  const domain = domainToAscii(decoded);
  if (domain === '' || forbiddenInDomain.test(domain)) return undefined;
  return endsInNumber(domain) ? parseIpv4(domain) : domain;
}

/** Lower case, one kind of dot, and Punycode for non-ASCII labels. */
function domainToAscii(domain: string): string {
  if (/^[\u0000-\u007f]*$/.test(domain)) return domain.toLowerCase();
  return domain
    .replace(/\u00ad|[\u200b-\u200d]|\u2060|[\ufe00-\ufe0f]|\ufeff/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[\u3002\uff0e\uff61]/g, '.')
    .split('.')
    .map(labelToAscii)
    .join('.');
}

/** Punycode (RFC 3492). */
function labelToAscii(label: string): string {
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < 128);
  if (basic.length === points.length) return label;
  let output = String.fromCharCode(...basic);
  if (basic.length > 0) output += '-';
  let next = 128;
  let delta = 0;
  let bias = 72;
  let written = basic.length;
  while (written < points.length) {
    const smallest = Math.min(...points.filter((point) => point >= next));
    delta += (smallest - next) * (written + 1);
    next = smallest;
    for (const point of points) {
      if (point < next) delta++;
      if (point !== next) continue;
      output += writeDelta(delta, bias);
      bias = adapt(delta, written + 1, written === basic.length);
      delta = 0;
      written++;
    }
    delta++;
    next++;
  }
  return `xn--${output}`;
}

function writeDelta(delta: number, bias: number): string {
  let output = '';
  let rest = delta;
  for (let weight = 36; ; weight += 36) {
    const threshold = Math.min(26, Math.max(1, weight - bias));
    if (rest < threshold) return output + digit(rest);
    output += digit(threshold + ((rest - threshold) % (36 - threshold)));
    rest = Math.floor((rest - threshold) / (36 - threshold));
  }
}

function digit(value: number): string {
  return String.fromCharCode(value < 26 ? value + 97 : value + 22);
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / 700) : delta >> 1;
  rest += Math.floor(rest / length);
  let weight = 0;
  for (; rest > 455; weight += 36) rest = Math.floor(rest / 35);
  return weight + Math.floor((36 * rest) / (rest + 38));
}

function endsInNumber(domain: string): boolean {
  const parts = domain.split('.');
  if (parts.at(-1) === '' && parts.length > 1) parts.pop();
  const last = parts.at(-1) ?? '';
  return /^[0-9]+$/.test(last) || /^0x[0-9a-f]*$/i.test(last);
}

function parseIpv4(domain: string): string | undefined {
  const parts = domain.split('.');
  if (parts.at(-1) === '' && parts.length > 1) parts.pop();
  if (parts.length > 4) return undefined;
  const numbers = parts.map(parseIpv4Number);
  const last = numbers.pop() ?? Number.NaN;
  if (!numbers.every((number) => number <= 255)) return undefined;
  if (!(last < 256 ** (4 - numbers.length))) return undefined;
  const address = numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last);
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.');
}

/** NaN for an invalid number; no comparison accepts NaN. */
function parseIpv4Number(text: string): number {
  if (/^0x[0-9a-f]*$/i.test(text)) return text.length === 2 ? 0 : parseInt(text, 16);
  if (/^0[0-7]*$/.test(text)) return parseInt(text, 8);
  return /^[1-9][0-9]*$/.test(text) ? parseInt(text, 10) : Number.NaN;
}

function parseIpv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => {
    const isLast = index === halves.length - 1;
    return half === '' ? [] : parsePieces(half, isLast);
  });
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 8 ? head : undefined;
  if (tail === undefined || head.length + tail.length > 7) return undefined;
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function parsePieces(text: string, mayEndInIpv4: boolean): number[] | undefined {
  const pieces: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (mayEndInIpv4 && index === parts.length - 1 && part.includes('.')) {
      const bytes = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(part)?.slice(1);
      if (!bytes?.every((byte) => /^(0|[1-9]\d{0,2})$/.test(byte) && Number(byte) <= 255)) {
        return undefined;
      }
      const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
      pieces.push((a << 8) | b, (c << 8) | d);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      pieces.push(parseInt(part, 16));
    } else {
      return undefined;
    }
  }
  return pieces;
}

/** Leaves out the first of the longest runs of zeros, if longer than one. */
function writeIpv6(pieces: readonly number[]): string {
  let start = -1;
  let length = 1;
  for (let index = 0; index < 8; index++) {
    let end = index;
    while (end < 8 && pieces[end] === 0) end++;
    if (end - index > length) [start, length] = [index, end - index];
  }
  const write = (part: readonly number[]): string =>
    part.map((piece) => piece.toString(16)).join(':');
  if (start < 0) return write(pieces);
  return `${write(pieces.slice(0, start))}::${write(pieces.slice(start + length))}`;
}
