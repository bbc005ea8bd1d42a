/** The tables are those of the platform's TextDecoder; `--update` writes them again. */
import { deflateSync } from 'fflate';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { formatted } from '../../../test/support/formatted.ts';
import { decodeAs, firstLead, firstTrail, trails } from './decoders.ts';

const singles = [
  ...[874, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].map((page) => `windows-${page}`),
  ...[2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16].map((part) => `iso-8859-${part}`),
  ...['koi8-r', 'koi8-u', 'ibm866', 'macintosh', 'x-mac-cyrillic'],
];
const doubles = ['shift_jis', 'gb18030', 'big5', 'euc-kr'] as const;

/** One character, or nothing where the bytes have none. */
function decode(charset: string, bytes: readonly number[]): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return '';
  }
}

function highHalf(charset: string): string {
  return Array.from({ length: 128 }, (_, at) => decode(charset, [0x80 + at]) || '\ufffd').join('');
}

function pairs(charset: string): string {
  const units = new Uint16Array((0xff - firstLead) * trails);
  for (let at = 0; at < units.length; at++) {
    const lead = firstLead + Math.floor(at / trails);
    const text = decode(charset, [lead, firstTrail + (at % trails)]);
    if (text.length === 1 && decode(charset, [lead]) === '') units[at] = text.charCodeAt(0);
  }
  if (charset === 'euc-kr') extendKorean(units);
  return Buffer.from(deflateSync(Buffer.from(units.buffer), { level: 9 })).toString('base64');
}

/**
 * The platform lacks the extension of Windows: all other syllables in the order of Unicode.
 * https://encoding.spec.whatwg.org/#index-euc-kr
 */
function extendKorean(units: Uint16Array): void {
  const known = new Set(units);
  const others = Array.from({ length: 11_172 }, (_, at) => 0xac00 + at).filter(
    (syllable) => !known.has(syllable),
  );
  for (let at = 0; at < units.length && others.length > 0; at++) {
    const lead = firstLead + Math.floor(at / trails);
    const trail = firstTrail + (at % trails);
    const isLetter = (trail >= 0x41 && trail <= 0x5a) || (trail >= 0x61 && trail <= 0x7a);
    const isHigh = trail >= 0x81 && trail <= (lead <= 0xa0 ? 0xfe : 0xa0);
    if (isLetter || isHigh) units[at] = others.shift() ?? 0;
  }
}

function fourByteRanges(): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (let pointer = 0; pointer <= 39_419; pointer++) {
    const [third, rest] = [Math.floor(pointer / 10) % 126, pointer % 10];
    const upper = Math.floor(pointer / 1260);
    const bytes = [0x81 + Math.floor(upper / 10), 0x30 + (upper % 10), 0x81 + third, 0x30 + rest];
    const code = decode('gb18030', bytes).codePointAt(0) ?? 0xfffd;
    const last = ranges.at(-1);
    if (last === undefined || last[1] + pointer - last[0] !== code) ranges.push([pointer, code]);
  }
  return ranges;
}

const escaped = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

testByNight('are written from the TextDecoder of the platform', async () => {
  const lines = [
    '/** Tables of encodings. Written by tables.test.ts; do not edit. */',
    '/** The characters of the bytes from 0x80; U+FFFD where there is none. */',
    'export const singleByteTables = {',
    ...singles.map(
      (name) => `  '${name}':\n    '${escaped(highHalf(name)).replaceAll("'", "\\'")}',`,
    ),
    '} as const;',
    '/** Code units of pairs of bytes, deflated. */',
    'export const doubleByteTables = {',
    ...doubles.map((name) => `  '${name}':\n    '${pairs(name)}',`),
    '} as const;',
    '/** Pointers of four bytes of GB 18030, and the character where each range begins. */',
    `export const gb18030Ranges: readonly (readonly [number, number])[] = JSON.parse(`,
    `  '${JSON.stringify(fourByteRanges())}',`,
    ') as [number, number][];',
    '',
  ];

  const file = path.join(import.meta.dirname, 'tables.ts');

  await expect(await formatted(file, lines.join('\n'))).toMatchFileSnapshot(file);
});

test.each([
  ['gb18030', '简体，é𠀀⺀', 'bcf2cce5a3aca8a6953282368138fd38'],
  ['shift_jis', '日本語ｱﾆ、', '93fa967b8ceab1c68141'],
  ['big5', '繁體中文', 'c163c5e9a4a4a4e5'],
  ['euc-kr', '한국어 뷁', 'c7d1b1b9beee2094ee'],
] as const)('decode %s', (charset, text, hex) => {
  expect(decodeAs(Buffer.from(hex, 'hex'), charset)).toEqual({ text, invalid: 0 });
});
