/** The files of DVDs and Blu-ray discs beside their media, written byte by byte. */

/** Big-endian numbers and texts, written at places of a block that grows. */
class Bytes {
  #bytes = Buffer.alloc(0);

  at(place: number, value: string | readonly number[]): this {
    const piece = typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from(value);
    const grown = Buffer.alloc(Math.max(this.#bytes.length, place + piece.length));
    this.#bytes.copy(grown);
    piece.copy(grown, place);
    this.#bytes = grown;
    return this;
  }

  /** Up to this length. */
  done(length = this.#bytes.length): Buffer {
    return Buffer.concat([this.#bytes, Buffer.alloc(Math.max(0, length - this.#bytes.length))]);
  }
}

const u16 = (value: number): readonly number[] => [(value >> 8) & 0xff, value & 0xff];
const u32 = (value: number): readonly number[] => [
  ...u16(Math.floor(value / 0x10000)),
  ...u16(value),
];

const decimal = (value: number): number => (Math.floor(value / 10) << 4) | (value % 10);
/** Hours, minutes, seconds and pictures of 25 a second. */
const dvdTime = (seconds: number): readonly number[] => [
  decimal(Math.floor(seconds / 3600)),
  decimal(Math.floor(seconds / 60) % 60),
  decimal(Math.floor(seconds) % 60),
  0x40 | decimal(Math.round((seconds % 1) * 25) % 25),
];

/** A stretch of a title: sectors and seconds. */
export interface MadeCell {
  readonly first: number;
  readonly last: number;
  readonly seconds: number;
  /** It is the second or a later angle of the one before it. */
  readonly isOtherAngle?: boolean;
}

/** An IFO: titles with their cells, and the cells with which chapters begin, counted from 1. */
export interface MadeTitleSet {
  readonly titles: readonly {
    readonly cells: readonly MadeCell[];
    readonly chapters: readonly number[];
  }[];
  /** Languages of AC-3 tracks. */
  readonly audio?: readonly string[];
  readonly subtitles?: readonly { readonly language: string; readonly use?: number }[];
}

/** `VTS_01_0.IFO`. */
export function madeIfo({ titles, audio = [], subtitles = [] }: MadeTitleSet): Buffer {
  const head = new Bytes().at(0, 'DVDVIDEO-VTS').at(0xcc, u32(1)).at(0x200, [0x0c, 0]);
  head.at(0x202, u16(audio.length)).at(0x254, u16(subtitles.length));
  for (const [index, language] of audio.entries())
    head.at(0x204 + index * 8, [0x04, 0x01]).at(0x206 + index * 8, language);
  for (const [index, { language, use = 0 }] of subtitles.entries())
    head
      .at(0x256 + index * 6, [0x01, 0])
      .at(0x258 + index * 6, language)
      .at(0x25b + index * 6, [use]);
  const chains = titles.map(({ cells, chapters }) =>
    madeChain(cells, chapters, audio.length, subtitles.length),
  );
  const table = new Bytes().at(0, u16(chains.length));
  let from = 8 + chains.length * 8;
  for (const [index, chain] of chains.entries()) {
    table.at(8 + index * 8, [0x80 | (index + 1), 0, 0, 0, ...u32(from)]).at(from, [...chain]);
    from += chain.length;
  }
  table.at(4, u32(from - 1));
  return Buffer.concat([head.done(2048), table.done()]);
}

function madeChain(
  cells: readonly MadeCell[],
  chapters: readonly number[],
  audio: number,
  subtitles: number,
): Buffer {
  const seconds = cells.reduce((sum, cell) => sum + cell.seconds, 0);
  const mapAt = 0xec;
  const cellsAt = mapAt + chapters.length + (chapters.length % 2);
  const chain = new Bytes()
    .at(2, [chapters.length, cells.length, ...dvdTime(seconds)])
    .at(0xe6, [...u16(mapAt), ...u16(cellsAt)])
    .at(mapAt, chapters);
  for (let index = 0; index < audio; index += 1) chain.at(0x0c + index * 2, [0x80 | index, 0]);
  for (let index = 0; index < subtitles; index += 1)
    chain.at(0x1c + index * 4, [0x80 | index, index, index, index]);
  for (const [index, cell] of cells.entries())
    chain
      .at(cellsAt + index * 24, [cell.isOtherAngle === true ? 0x90 : 0, 0, 0, 0])
      .at(cellsAt + index * 24 + 4, [...dvdTime(cell.seconds), ...u32(cell.first)])
      .at(cellsAt + index * 24 + 16, [...u32(cell.last), ...u32(cell.last)]);
  return chain.done();
}

/** A stream that has a language. */
export interface MadeStream {
  readonly pid: number;
  readonly kind: 'audio' | 'subtitle';
  readonly language: string;
}

const attributes = ({ kind, language }: MadeStream): readonly number[] => {
  const named = [...Buffer.from(language, 'latin1')];
  const body = kind === 'audio' ? [0x81, 0x31, ...named] : [0x90, ...named, 0];
  return [body.length, ...body];
};

/** Clips with times in seconds of their clocks, and chapters by the number of the clip. */
export interface MadePlaylist {
  readonly items: readonly {
    readonly clip: string;
    readonly from: number;
    readonly to: number;
    readonly streams?: readonly MadeStream[];
  }[];
  readonly marks?: readonly { readonly item: number; readonly at: number }[];
}

const ticks = (seconds: number): readonly number[] => u32(Math.round(seconds * 45_000));

/** `PLAYLIST/00800.mpls`. */
export function madePlaylist({ items, marks = [] }: MadePlaylist): Buffer {
  const itemBytes = items.flatMap(({ clip, from, to, streams = [] }) => {
    const body = new Bytes()
      .at(0, `${clip}M2TS`)
      .at(10, [1, 0])
      .at(12, [...ticks(from), ...ticks(to)]);
    const sound = streams.filter(({ kind }) => kind === 'audio');
    const graphics = streams.filter(({ kind }) => kind === 'subtitle');
    const entries = [...sound, ...graphics].flatMap((stream) => [
      ...[9, 1, ...u16(stream.pid), 0, 0, 0, 0, 0, 0],
      ...attributes(stream),
    ]);
    const counts = [0, sound.length, graphics.length, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    body.at(32, [...u16(14 + entries.length), 0, 0, ...counts, ...entries]);
    const bytes = body.done();
    return [...u16(bytes.length), ...bytes];
  });
  const markBytes = marks.flatMap(({ item, at }) => [
    ...[0, 1, ...u16(item), ...ticks(at), 0xff, 0xff, 0, 0, 0, 0],
  ]);
  const listAt = 40;
  const marksAt = listAt + 10 + itemBytes.length;
  return new Bytes()
    .at(0, 'MPLS0200')
    .at(8, [...u32(listAt), ...u32(marksAt)])
    .at(listAt, [...u32(6 + itemBytes.length), 0, 0, ...u16(items.length), 0, 0, ...itemBytes])
    .at(marksAt, [...u32(2 + markBytes.length), ...u16(marks.length), ...markBytes])
    .done();
}

/** `CLIPINF/00001.clpi`. */
export function madeClip(streams: readonly MadeStream[]): Buffer {
  const entries = streams.flatMap((stream) => [...u16(stream.pid), ...attributes(stream)]);
  const program = [0, 0, 0, 0, 1, 0, streams.length, 0, ...entries];
  return new Bytes()
    .at(0, 'HDMV0200')
    .at(8, [...u32(40), ...u32(40)])
    .at(40, [...u32(2 + program.length), 0, 1, ...program])
    .done();
}
