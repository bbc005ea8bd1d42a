/** Decoders of encodings from before Unicode, over tables of the Encoding Standard and of DOS. */
import { inflateSync } from 'fflate';
import { dosTables } from './dos-tables.ts';
import { doubleByteTables, gb18030Ranges, singleByteTables } from './tables.ts';

/** An encoding of one byte a character, by its name in the Encoding Standard or the number of its page. */
export type SingleByte = keyof typeof singleByteTables | keyof typeof dosTables;
/** An encoding of one or two bytes a character. */
type DoubleByte = keyof typeof doubleByteTables;
/** Encodings of the characters that Shift_JIS has, too. */
type Japanese = 'euc-jp' | 'iso-2022-jp';

export type Charset = SingleByte | DoubleByte | Japanese;

/** A text, and how many bytes or pairs of bytes were invalid. */
export interface Decoded {
  readonly text: string;
  readonly invalid: number;
}

const replacement = 0xfffd;

/** Decodes the bytes; what is invalid becomes U+FFFD. */
export function decodeAs(bytes: Uint8Array, charset: Charset): Decoded {
  return decodeWithin(bytes, charset, Infinity);
}

/** The same, without a text where more than so many bytes or pairs are invalid. */
export function decodeWithin(bytes: Uint8Array, charset: Charset, mostInvalid: number): Decoded {
  if (isSingle(charset)) return decodeSingle(bytes, charset);
  if (charset === 'iso-2022-jp') return decodeAs(withoutEscapes(bytes), 'euc-jp');
  return decodeDouble(bytes, charset, mostInvalid);
}

const singleTables = { ...singleByteTables, ...dosTables };

export const isSingle = (charset: Charset): charset is SingleByte => charset in singleTables;

/** The characters of the bytes from 0x80; U+FFFD where there is none. */
export const singleTable = (charset: SingleByte): string => singleTables[charset];

const aliases: ReadonlyMap<string, Charset> = new Map([
  ['ks_c_5601-1987', 'euc-kr'],
  ['cp949', 'euc-kr'],
  ['ms949', 'euc-kr'],
  ['uhc', 'euc-kr'],
  ['gb2312', 'gb18030'],
  ['gbk', 'gb18030'],
  ['cp936', 'gb18030'],
  ['big5-hkscs', 'big5'],
  ['cp950', 'big5'],
  ['shift-jis', 'shift_jis'],
  ['sjis', 'shift_jis'],
  ['cp932', 'shift_jis'],
  ['windows-31j', 'shift_jis'],
  ['iso-8859-1', 'windows-1252'],
  ['iso-8859-9', 'windows-1254'],
  ['iso-8859-11', 'windows-874'],
  ['tis-620', 'windows-874'],
  ['cp866', 'ibm866'],
  ['mac', 'macintosh'],
  ['x-mac-roman', 'macintosh'],
  ['mac-cyrillic', 'x-mac-cyrillic'],
  ['x-mac-ukrainian', 'x-mac-cyrillic'],
  ['x-euc-jp', 'euc-jp'],
  ['koi8', 'koi8-r'],
  ['koi8-ru', 'koi8-u'],
]);

/** The encoding of a name; `undefined` for one that is not among ours. */
export function charsetNamed(name: string): Charset | undefined {
  const plain = name
    .toLowerCase()
    .replace(/^(?:cp|win)-?(?=125\d$)/, 'windows-')
    .replace(/^iso_?8859[-_]/, 'iso-8859-')
    .replace(/^(?:ibm|dos-?)(?=\d{3}$)/, 'cp');
  if (plain === 'euc-jp' || plain === 'iso-2022-jp') return plain;
  if (plain in singleTables || plain in doubleByteTables) return plain as Charset;
  return aliases.get(plain);
}

function decodeSingle(bytes: Uint8Array, charset: SingleByte): Decoded {
  const high = singleTable(charset);
  const table = Uint16Array.from({ length: 256 }, (_, byte) =>
    byte < 0x80 ? byte : high.charCodeAt(byte - 0x80),
  );
  const units = new Uint16Array(bytes.length);
  let invalid = 0;
  for (let at = 0; at < bytes.length; at++) {
    const unit = table[bytes[at] ?? 0] ?? 0;
    if (unit === replacement) invalid++;
    units[at] = unit;
  }
  return { text: textOf(units, units.length), invalid };
}

/** Units by lead byte from 0x81 and trail byte from 0x40; 0 where there is none. */
const unpacked = new Map<DoubleByte, Uint16Array>();

export const firstLead = 0x81;
export const firstTrail = 0x40;
export const trails = 0xff - firstTrail;

function tableOf(charset: DoubleByte): Uint16Array {
  const known = unpacked.get(charset);
  if (known !== undefined) return known;
  const packed = Uint8Array.from(atob(doubleByteTables[charset]), (one) => one.charCodeAt(0));
  const bytes = inflateSync(packed);
  const units = new Uint16Array(bytes.length / 2);
  for (let at = 0; at < units.length; at++) {
    units[at] = (bytes[2 * at] ?? 0) + (bytes[2 * at + 1] ?? 0) * 256;
  }
  unpacked.set(charset, units);
  return units;
}

function decodeDouble(
  bytes: Uint8Array,
  charset: DoubleByte | 'euc-jp',
  mostInvalid: number,
): Decoded {
  const isEucJp = charset === 'euc-jp';
  const table = tableOf(isEucJp ? 'shift_jis' : charset);
  const units = new Uint16Array(bytes.length + 1);
  let [length, invalid] = [0, 0];
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const trail = bytes[at + 1] ?? 0;
    if (lead < 0x80) {
      units[length++] = lead;
      at++;
      continue;
    }
    const single = charset === 'shift_jis' ? halfKatakana(lead) : 0;
    const long = charset === 'gb18030' ? fourBytes(bytes, at) : undefined;
    const unit = isEucJp ? eucJpUnit(table, lead, trail) : unitAt(table, lead, trail);
    if (single !== 0) {
      units[length++] = single;
      at++;
    } else if (long !== undefined) {
      if (long > 0xffff) units[length++] = 0xd800 + ((long - 0x10000) >> 10);
      units[length++] = long > 0xffff ? 0xdc00 + ((long - 0x10000) & 0x3ff) : long;
      at += 4;
    } else {
      units[length++] = unit || replacement;
      if (!unit) invalid++;
      if (invalid > mostInvalid) return { text: '', invalid };
      // An ASCII character after a broken lead byte is not lost. Three bytes of EUC-JP are characters
      // that Shift_JIS does not have.
      at += !unit && trail < 0x80 ? 1 : isEucJp && lead === 0x8f ? 3 : 2;
    }
  }
  return { text: textOf(units, length), invalid };
}

const unitAt = (table: Uint16Array, lead: number, trail: number): number =>
  trail < firstTrail ? 0 : (table[(lead - firstLead) * trails + trail - firstTrail] ?? 0);

/** EUC-JP has the characters of Shift_JIS by row and cell: https://encoding.spec.whatwg.org/#euc-jp-decoder. */
function eucJpUnit(table: Uint16Array, lead: number, trail: number): number {
  if (lead === 0x8e) return halfKatakana(trail);
  if (lead < 0xa1 || trail < 0xa1) return 0;
  const pointer = (lead - 0xa1) * 94 + trail - 0xa1;
  const [row, cell] = [Math.floor(pointer / 188), pointer % 188];
  return unitAt(table, row + (row < 0x1f ? 0x81 : 0xc1), cell + (cell < 0x3f ? 0x40 : 0x41));
}

/** ISO-2022-JP as EUC-JP: its escape sequences switch to pairs and back (RFC 1468). */
function withoutEscapes(bytes: Uint8Array): Uint8Array {
  const made = new Uint8Array(bytes.length);
  let [length, isPair] = [0, false];
  for (let at = 0; at < bytes.length; at++) {
    const [byte = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const isEscape = byte === 0x1b && (second === 0x24 || second === 0x28) && third !== 0;
    if (isEscape) {
      isPair = second === 0x24;
      at += 2;
    } else made[length++] = isPair && byte > 0x20 ? byte | 0x80 : byte;
  }
  return made.subarray(0, length);
}

const halfKatakana = (byte: number): number => (byte >= 0xa1 && byte <= 0xdf ? byte + 0xfec0 : 0);

/** A character of four bytes of GB 18030: https://encoding.spec.whatwg.org/#gb18030-decoder. */
function fourBytes(bytes: Uint8Array, at: number): number | undefined {
  const two = bytes[at + 1] ?? 0;
  if (two < 0x30 || two > 0x39) return undefined;
  const [one = 0, , three = 0, four = 0] = bytes.subarray(at, at + 4);
  if (one < 0x81 || three < 0x81 || four < 0x30 || four > 0x39) return undefined;
  const pointer = (((one - 0x81) * 10 + two - 0x30) * 126 + three - 0x81) * 10 + four - 0x30;
  if (pointer >= 189_000) return pointer < 1_237_576 ? pointer - 189_000 + 0x10000 : undefined;
  const range = gb18030Ranges.findLast(([from]) => from <= pointer);
  if (range === undefined || pointer > 39_419) return undefined;
  return range[1] + pointer - range[0];
}

const unitsAtOnce = 1024;

/** A spread would walk the units one by one, which takes ten times as long. */
function charactersOf(units: Uint16Array): string {
  const made: unknown = Reflect.apply(String.fromCharCode, undefined, units);
  return String(made);
}

function textOf(units: Uint16Array, length: number): string {
  let text = '';
  for (let at = 0; at < length; at += unitsAtOnce) {
    const part = units.subarray(at, Math.min(length, at + unitsAtOnce));
    text += charactersOf(part);
  }
  return text;
}
