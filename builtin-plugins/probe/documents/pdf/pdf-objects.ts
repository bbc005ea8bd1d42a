/**
 * Objects of a PDF by number. The cross-reference table is not read as a whole but looked up, so a
 * book of thousands of pages costs as little as a letter. Tables that refer to each other are
 * followed once each.
 */
import { inflate } from '../../../media-headers/bytes/inflate.ts';
import { malformed, ProbeError, truncated } from '../../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../../media-headers/bytes/text.ts';
import { readUpTo, type ByteSource } from '../../../media-headers/bytes/byte-source.ts';
import {
  isDictionary,
  PdfName,
  PdfReader,
  PdfReference,
  type PdfDictionary,
  type PdfValue,
} from './pdf-values.ts';

/** The position of the bytes of a stream. */
export interface PdfStream {
  readonly dictionary: PdfDictionary;
  readonly offset: number;
}

type Lookup = (object: number) => Promise<Place | undefined>;

type Place =
  | { readonly kind: 'plain'; readonly offset: number }
  | { readonly kind: 'packed'; readonly stream: number; readonly index: number };

const mostTables = 20;
const mostSections = 2000;
const packedBytes = 512 * 1024;
const plainBytes = 2 * 1024 * 1024;
const smallObject = 4 * 1024;
const largeObject = 64 * 1024;
const mostHops = 8;

export class PdfObjects {
  readonly #source: ByteSource;
  readonly #lookups: readonly Lookup[];
  readonly trailer: PdfDictionary;
  readonly #packed = new Map<number, Promise<PackedObjects>>();

  constructor(source: ByteSource, lookups: readonly Lookup[], trailer: PdfDictionary) {
    this.#source = source;
    this.#lookups = lookups;
    this.trailer = trailer;
  }

  /** The value itself, with references followed. */
  async resolve(value: PdfValue | undefined): Promise<PdfValue> {
    let found = value ?? null;
    for (let hop = 0; found instanceof PdfReference; hop++) {
      if (hop === mostHops) throw malformed('An object of the PDF refers to itself.');
      found = (await this.#read(found.object)) ?? null;
    }
    return found;
  }

  async dictionary(value: PdfValue | undefined): Promise<PdfDictionary> {
    const found = await this.resolve(value);
    return isDictionary(found) ? found : new Map();
  }

  /** A stream object, its bytes unread. */
  async stream(value: PdfValue | undefined): Promise<PdfStream | undefined> {
    if (!(value instanceof PdfReference)) return undefined;
    const place = await this.#find(value.object);
    return place?.kind === 'plain' ? readStream(this.#source, place.offset) : undefined;
  }

  async #find(object: number): Promise<Place | undefined> {
    for (const lookup of this.#lookups) {
      const place = await lookup(object);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  async #read(object: number): Promise<PdfValue | undefined> {
    const place = await this.#find(object);
    if (place === undefined) return undefined;
    if (place.kind === 'plain') return (await readObject(this.#source, place.offset)).value;
    const holder = this.#packed.get(place.stream) ?? this.#unpack(place.stream);
    this.#packed.set(place.stream, holder);
    return (await holder)(place.index);
  }

  async #unpack(object: number): Promise<PackedObjects> {
    const place = await this.#find(object);
    if (place?.kind !== 'plain') throw malformed('An object of the PDF is missing.');
    const stream = await readStream(this.#source, place.offset);
    if (stream === undefined) throw malformed('An object of the PDF is not a stream.');
    const length = await this.resolve(stream.dictionary.get('Length'));
    return unpackObjects(stream.dictionary, await readContent(this.#source, stream, length));
  }
}

type PackedObjects = (index: number) => PdfValue;

function unpackObjects(dictionary: PdfDictionary, bytes: Uint8Array): PackedObjects {
  const first = dictionary.get('First');
  const from = typeof first === 'number' ? first : 0;
  const head = new PdfReader(bytes.subarray(0, from));
  const offsets: number[] = [];
  while (offsets.length < 10_000 && !head.isAtEnd) {
    try {
      head.value();
      const offset = head.value();
      offsets.push(typeof offset === 'number' ? offset : 0);
    } catch {
      break;
    }
  }
  return (index) => new PdfReader(bytes, from + (offsets[index] ?? bytes.length)).value();
}

/** Finds the tables, from the end of the file on. */
export async function openPdf(source: ByteSource): Promise<PdfObjects> {
  const lookups: Lookup[] = [];
  let trailer: PdfDictionary | undefined;
  const seen = new Set<number>();
  const waiting = [await findStart(source)];
  for (let at = waiting.shift(); at !== undefined && seen.size < mostTables; at = waiting.shift()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const table = await readTable(source, at);
    lookups.push(table.lookup);
    trailer ??= table.trailer;
    for (const key of ['XRefStm', 'Prev']) {
      const further = table.trailer.get(key);
      if (typeof further === 'number') waiting.push(further);
    }
  }
  if (trailer === undefined) throw malformed('The PDF has no table of its objects.');
  return new PdfObjects(source, lookups, trailer);
}

async function findStart(source: ByteSource): Promise<number> {
  const from = Math.max(0, source.size - 2048);
  const tail = await readUpTo(source, from, 2048);
  const text = ascii(tail, 0, tail.length);
  const match = /startxref\s+(\d{1,12})/.exec(
    text.slice(Math.max(0, text.lastIndexOf('startxref'))),
  );
  if (match === null) throw truncated('The PDF has no end; it was cut off.');
  return Number(match[1]);
}

interface Table {
  readonly lookup: Lookup;
  readonly trailer: PdfDictionary;
}

async function readTable(source: ByteSource, at: number): Promise<Table> {
  const head = await readUpTo(source, at, 4);
  return ascii(head, 0, 4) === 'xref'
    ? readPlainTable(source, at + 4)
    : readPackedTable(source, at);
}

/** Sections with lines of twenty bytes; only their positions are stored. */
async function readPlainTable(source: ByteSource, from: number): Promise<Table> {
  const sections: { readonly first: number; readonly count: number; readonly at: number }[] = [];
  for (let at = from; sections.length < mostSections;) {
    const line = await readUpTo(source, at, 64);
    const text = ascii(line, 0, line.length);
    const section = /^\s*(\d{1,10})\s+(\d{1,10})\s*?\r?\n?(?=\d{10} )/.exec(text);
    const empty = /^\s*\d{1,10}\s+0\s+/.exec(text);
    if (section === null && empty !== null) {
      at += empty[0].length;
      continue;
    }
    if (section === null) {
      const mark = text.indexOf('trailer');
      if (mark < 0) throw malformed('The table of the PDF is damaged.');
      return {
        trailer: await readTrailer(source, at + mark + 7),
        lookup: lookupIn(source, sections),
      };
    }
    const count = Number(section[2]);
    sections.push({ first: Number(section[1]), count, at: at + section[0].length });
    at += section[0].length + count * 20;
  }
  throw malformed('The table of the PDF has too many sections.');
}

async function readTrailer(source: ByteSource, at: number): Promise<PdfDictionary> {
  const value = new PdfReader(await readUpTo(source, at, smallObject)).value();
  if (!isDictionary(value)) throw malformed('The end of the PDF is damaged.');
  return value;
}

function lookupIn(
  source: ByteSource,
  sections: readonly { readonly first: number; readonly count: number; readonly at: number }[],
): Lookup {
  return async (object) => {
    const section = sections.find(({ first, count }) => object >= first && object < first + count);
    if (section === undefined) return undefined;
    const line = ascii(
      await readUpTo(source, section.at + (object - section.first) * 20, 20),
      0,
      20,
    );
    const match = /^(\d{10}) \d{5} n/.exec(line);
    return match === null ? undefined : { kind: 'plain', offset: Number(match[1]) };
  };
}

/** The table as a stream: entries of three numbers with given widths. */
async function readPackedTable(source: ByteSource, at: number): Promise<Table> {
  const stream = await readStream(source, at);
  if (stream === undefined) throw malformed('The table of the PDF is not where it says.');
  const { dictionary } = stream;
  const bytes = await readContent(source, stream, dictionary.get('Length') ?? null);
  const widths = numbersIn(dictionary.get('W'));
  const [a = 0, b = 0, c = 0] = widths;
  const size = dictionary.get('Size');
  const index = numbersIn(dictionary.get('Index'));
  const sections = index.length > 0 ? index : [0, typeof size === 'number' ? size : 0];
  const field = (from: number, width: number): number => {
    let value = 0;
    for (let place = 0; place < width; place++) value = value * 256 + (bytes[from + place] ?? 0);
    return value;
  };
  const lookup: Lookup = async (object) => {
    let row = 0;
    for (let part = 0; part + 1 < sections.length; part += 2) {
      const [first = 0, count = 0] = [sections[part], sections[part + 1]];
      if (object >= first && object < first + count) {
        const from = (row + object - first) * (a + b + c);
        if (from + a + b + c > bytes.length) return undefined;
        const kind = a === 0 ? 1 : field(from, a);
        if (kind === 1) return { kind: 'plain', offset: field(from + a, b) };
        const packed = { stream: field(from + a, b), index: field(from + a + b, c) };
        return kind === 2 ? { kind: 'packed', ...packed } : undefined;
      }
      row += count;
    }
    return undefined;
  };
  return { trailer: dictionary, lookup };
}

function numbersIn(value: PdfValue | undefined): readonly number[] {
  return Array.isArray(value) ? value.filter((one): one is number => typeof one === 'number') : [];
}

async function readObject(
  source: ByteSource,
  at: number,
): Promise<{ readonly value: PdfValue; readonly end: number; readonly isStream: boolean }> {
  for (const length of [smallObject, largeObject]) {
    const bytes = await readUpTo(source, at, length);
    try {
      const reader = new PdfReader(bytes);
      reader.value();
      reader.value();
      if (!reader.takes('obj')) throw malformed('The PDF has no object where its table says.');
      const value = reader.value();
      const isStream = reader.takes('stream');
      return { value, end: at + reader.at, isStream };
    } catch (error) {
      if (length === largeObject || bytes.length < length) throw error;
    }
  }
  throw malformed('An object of the PDF is damaged.');
}

async function readStream(source: ByteSource, at: number): Promise<PdfStream | undefined> {
  const { value, end, isStream } = await readObject(source, at);
  if (!isStream || !isDictionary(value)) return undefined;
  const line = await readUpTo(source, end, 2);
  return { dictionary: value, offset: end + (line[0] === 13 ? (line[1] === 10 ? 2 : 1) : 1) };
}

/** The unpacked bytes of a stream of the file's own structure. */
async function readContent(
  source: ByteSource,
  stream: PdfStream,
  length: PdfValue,
): Promise<Uint8Array> {
  if (typeof length !== 'number' || length > packedBytes) {
    throw new ProbeError('over-budget', 'A table of the PDF is too large.');
  }
  const bytes = await source.read(stream.offset, length);
  const filters = filtersOf(stream.dictionary);
  if (filters.length === 0) return bytes;
  if (filters.length > 1 || filters[0] !== 'FlateDecode') {
    throw new ProbeError('unreadable', 'A table of the PDF has an unsupported compression.');
  }
  const plain = inflate(bytes, plainBytes, 'zlib');
  const parameters = stream.dictionary.get('DecodeParms');
  const predictor = isDictionary(parameters) ? parameters.get('Predictor') : undefined;
  const columns = isDictionary(parameters) ? parameters.get('Columns') : undefined;
  return typeof predictor === 'number' && predictor >= 10
    ? unpredicted(plain, typeof columns === 'number' ? columns : 1)
    : plain;
}

/** Names of the filters of a stream, outermost first. */
export function filtersOf(dictionary: PdfDictionary): readonly string[] {
  const value = dictionary.get('Filter');
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((one) => (one instanceof PdfName ? [one.name] : []));
}

/** PNG rows: each byte is a difference to its neighbours. Tables use only the row above. */
function unpredicted(bytes: Uint8Array, columns: number): Uint8Array {
  const rows = Math.floor(bytes.length / (columns + 1));
  const plain = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const kind = bytes[row * (columns + 1)] ?? 0;
    for (let column = 0; column < columns; column++) {
      const value = bytes[row * (columns + 1) + 1 + column] ?? 0;
      const to = row * columns + column;
      const above = row === 0 ? 0 : (plain[to - columns] ?? 0);
      const left = column === 0 ? 0 : (plain[to - 1] ?? 0);
      plain[to] = value + (kind === 2 ? above : kind === 1 ? left : 0);
    }
  }
  return plain;
}
