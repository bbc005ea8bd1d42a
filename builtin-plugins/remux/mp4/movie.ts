/** The index of an MP4 (`moov`), in memory. */
import { u32, u8 } from '../../media-headers/bytes/numbers.ts';
import { malformed, truncated } from '../../media-headers/bytes/probe-error.ts';
import { readEdits, type Edit } from '../../media-headers/mp4/edits.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import { readBox, type Box } from '../../media-headers/mp4/boxes.ts';
import { mostIndexBytes, mostTracks, overBudget } from '../limits.ts';
import type { MediaReader } from '../media/open-media.ts';
import { createWindowSource } from '../media/window-source.ts';
import { MemoryBoxes } from './memory-boxes.ts';
import type { Tables } from './sample-table.ts';

/** A track as the index has it. */
export interface MovieTrack {
  readonly id: number;
  /** `vide`, `soun`, `text`. */
  readonly handler: string;
  /** Ticks per second. */
  readonly scale: number;
  readonly description: Uint8Array;
  readonly tables: Tables;
  /** Ticks that are added to a time of the track to get the time at which it is shown. */
  readonly editShift: number;
  /** Ticks at which the first edit begins to be shown, and at which the last one ends. */
  readonly shownFrom: number;
  readonly shownTo: number;
  readonly hasEdits: boolean;
  /** Whether edits leave out parts in the middle or show some twice. Such a track is not copied. */
  readonly hasParts: boolean;
  /** The transformation of the pictures. */
  readonly matrix: Uint8Array | undefined;
  /** Tracks with the titles of its chapters. */
  readonly chapterTracks: readonly number[];
}

/** The index, and what else the file has at its top. */
export interface Movie {
  readonly tracks: readonly MovieTrack[];
  readonly top: readonly Box[];
  /** The content of `mvex`: the file has fragments. */
  readonly fragments: ReadonlyMap<number, FragmentDefaults> | undefined;
  readonly heldBytes: number;
}

/** What the samples of fragments have where they say nothing (`trex`). */
export interface FragmentDefaults {
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

const mostTopBoxes = 2000;
const headBytes = 8 * 1024;

/** Finds and reads the index. */
export async function readMovie(reader: MediaReader): Promise<Movie> {
  const top = await readTop(reader);
  const index = top.find(({ type }) => type === 'moov');
  if (index === undefined) throw truncated('The file has no index ("moov").');
  const length = index.end - index.from;
  if (length > mostIndexBytes) throw overBudget(`The index of the file is ${length} bytes long.`);
  const [bytes] = await reader.readPieces([{ offset: index.from, length }]);
  if (bytes === undefined) throw truncated('The index of the file is cut off.');
  const boxes = new MemoryBoxes(bytes);
  const header = boxes.content('mvhd');
  const scale = header === undefined ? 1 : u32(header, u8(header, 0) === 1 ? 20 : 12);
  const tracks = boxes.contents('trak', mostTracks).map((track) => new MemoryBoxes(track));
  const extended = boxes.inner('mvex');
  return {
    tracks: tracks.map((track) => readTrack(track, scale)),
    top,
    fragments: extended && readDefaults(extended),
    heldBytes: length,
  };
}

/** Boxes up to the first fragment behind the index. */
async function readTop(reader: MediaReader): Promise<readonly Box[]> {
  const boxes: Box[] = [];
  const source = createWindowSource(reader, headBytes);
  for (let at = 0; at + 8 <= reader.size && boxes.length < mostTopBoxes;) {
    const box = await readBox(source, at, reader.size);
    if (box === undefined || box.end > reader.size) break;
    boxes.push(box);
    if (box.type === 'moof' && boxes.some(({ type }) => type === 'moov')) break;
    at = box.end;
  }
  return boxes;
}

const tableNames = ['stts', 'ctts', 'stss', 'stsc', 'stsz', 'stz2', 'stco', 'co64'];

function readTrack(boxes: MemoryBoxes, movieScale: number): MovieTrack {
  const media = boxes.inner('mdia');
  const tables = media?.inner('minf')?.inner('stbl');
  const header = boxes.content('tkhd');
  const time = media?.content('mdhd');
  const name = media?.content('hdlr');
  const edits = boxes.inner('edts')?.content('elst');
  const isLong = header !== undefined && u8(header, 0) === 1;
  const scale = time === undefined ? 0 : u32(time, u8(time, 0) === 1 ? 20 : 12);
  const matrix = header?.subarray(isLong ? 52 : 40, isLong ? 88 : 76);
  const found = tableNames.flatMap((type) => {
    const content = tables?.content(type);
    return content === undefined ? [] : [[type, content] as const];
  });
  return {
    id: header === undefined ? 0 : u32(header, isLong ? 20 : 12),
    handler: name === undefined || name.length < 12 ? '' : ascii(name, 8, 4),
    scale,
    description: tables?.content('stsd') ?? new Uint8Array(0),
    tables: new Map(found),
    hasEdits: edits !== undefined,
    ...editsOf(readEdits(edits, { scale, movieScale })),
    matrix: matrix?.length === 36 ? matrix : undefined,
    chapterTracks: readChapterTracks(boxes.inner('tref')?.content('chap')),
  };
}

function readChapterTracks(content: Uint8Array | undefined): readonly number[] {
  const ids: number[] = [];
  for (let at = 0; content !== undefined && at + 4 <= content.length; at += 4) {
    ids.push(u32(content, at));
  }
  return ids;
}

function editsOf(
  edits: readonly Edit[],
): Pick<MovieTrack, 'editShift' | 'shownFrom' | 'shownTo' | 'hasParts'> {
  const [first, last] = [edits[0], edits.at(-1)];
  if (first === undefined || last === undefined) throw new Error('A track without edits.');
  const { shownFrom, from } = first;
  const shownTo = Math.round(last.shownFrom + last.length);
  return { editShift: shownFrom - from, shownFrom, shownTo, hasParts: edits.length > 1 };
}

function readDefaults(extended: MemoryBoxes): ReadonlyMap<number, FragmentDefaults> {
  const entries = extended.contents('trex', mostTracks).map((content) => {
    if (content.length < 24) throw malformed('A default of the fragments is cut short.');
    const [duration, size, flags] = [12, 16, 20].map((at) => u32(content, at));
    return [
      u32(content, 4),
      { duration: duration ?? 0, size: size ?? 0, flags: flags ?? 0 },
    ] as const;
  });
  return new Map(entries);
}

/** The tracks that are streams, in the order in which the probe reports them. */
export function shownTracks(tracks: readonly MovieTrack[]): readonly MovieTrack[] {
  const chapterIds = new Set(tracks.flatMap((track) => track.chapterTracks));
  return tracks.filter(({ id, handler, description }) => {
    const isMedia = /^(vide|auxv|soun)$/.test(handler);
    const isTimecode = description.length >= 16 && ascii(description, 12, 4) === 'tmcd';
    return (isMedia || !chapterIds.has(id)) && !isTimecode;
  });
}
