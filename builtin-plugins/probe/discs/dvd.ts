/**
 * DVDs: the longest title set is the film, its VOBs are the parts of it. Its menus (`VIDEO_TS.VOB`,
 * `VTS_01_0.VOB`) and the other title sets are extras.
 */
import type { FileReader } from '../../../plugin-api/index.ts';
import { packetsIn } from '../../media-headers/mpeg-ps/packets.ts';
import type { FoundChapter, FoundMedia } from '../media.ts';
import {
  listFolder,
  measured,
  openSmall,
  sizeOf,
  whyNot,
  type DiscFile,
  type DiscParts,
  type ReadDisc,
} from './disc.ts';
import { readTitleSet, sectorBytes, type Cell, type DvdTitle } from './ifo.ts';

interface TitleSet {
  readonly number: number;
  /** The VOBs of the titles, in order. */
  readonly files: readonly DiscFile[];
  readonly title: DvdTitle | undefined;
  /** Why its IFO tells nothing. */
  readonly fault: string | undefined;
}

const vobName = /^(?:VTS_(\d\d)_(\d)|VIDEO_TS)\.VOB$/;
/** Enough for the packets that name the time of a picture. */
const chapterBytes = 16 * 1024;
const extra = { disc: { role: 'extra' }, streams: new Map(), chapters: [], warnings: [] } as const;

/** Whether a file is named as one of a DVD. */
export const isVob = (name: string): boolean => vobName.test(name);

/** Reads a folder of a DVD. */
export async function openDvd(parts: DiscParts, folder: string): Promise<ReadDisc> {
  const files = await listFolder(parts.fs, folder);
  const sets = await Promise.all(setsIn(files).map((set) => withTitle(parts, files, set)));
  const unknown = sets.filter(({ title }) => title === undefined);
  const lengths = await measured(unknown, parts);
  const secondsOf = (set: TitleSet): number => set.title?.seconds ?? lengths.get(set) ?? 0;
  const [main] = sets.toSorted(
    (one, other) => secondsOf(other) - secondsOf(one) || sizeOf(other.files) - sizeOf(one.files),
  );
  const faults = unknown.flatMap(({ fault }) => fault ?? []);
  const warnings =
    faults.length === 0 ? [] : [`The longest title set counts as the film: ${faults.join(' ')}`];

  return async (file, found, reader) => {
    const set = sets.find(({ files: own }) => own.some(({ uri }) => uri === file.uri));
    if (set === undefined) return extra;
    const part = set.files.findIndex(({ uri }) => uri === file.uri) + 1;
    const isMain = set === main;
    return {
      disc: {
        role: isMain ? 'main' : 'extra',
        ...(isMain && set.files.length > 1 && { part }),
      },
      streams: set.title?.streams ?? new Map(),
      chapters: await chaptersOf(set, file, found, reader),
      warnings: isMain ? warnings : [],
    };
  };
}

function setsIn(files: readonly DiscFile[]): readonly Omit<TitleSet, 'title' | 'fault'>[] {
  const vobs = files.flatMap((file) => {
    const [, set = '', part = '0'] = vobName.exec(file.name) ?? [];
    return part === '0' ? [] : [{ file, set: Number(set), part: Number(part) }];
  });
  return [...Map.groupBy(vobs, ({ set }) => set)].map(([number, own]) => ({
    number,
    files: own.sort((one, other) => one.part - other.part).map(({ file }) => file),
  }));
}

/** The backup of an IFO has the same content. */
async function withTitle(
  parts: DiscParts,
  files: readonly DiscFile[],
  set: Omit<TitleSet, 'title' | 'fault'>,
): Promise<TitleSet> {
  const stem = `VTS_${String(set.number).padStart(2, '0')}_0`;
  const sectors = Math.floor(sizeOf(set.files) / sectorBytes);
  let fault = `${stem}.IFO is missing.`;
  for (const name of [`${stem}.BUP`, `${stem}.IFO`].toReversed()) {
    const file = files.find((one) => one.name === name);
    if (file === undefined) continue;
    try {
      return {
        ...set,
        title: await readTitleSet(openSmall(parts, file), sectors),
        fault: undefined,
      };
    } catch (error) {
      fault = whyNot(name, error);
    }
  }
  return { ...set, title: undefined, fault };
}

/** The chapters that begin in this VOB. */
async function chaptersOf(
  { files, title }: TitleSet,
  file: DiscFile,
  found: FoundMedia,
  reader: FileReader,
): Promise<readonly FoundChapter[]> {
  if (title === undefined || title.chapters.length < 2) return [];
  const before = files.slice(
    0,
    files.findIndex(({ uri }) => uri === file.uri),
  );
  const start = Math.floor(sizeOf(before) / sectorBytes);
  const end = start + Math.ceil(file.size / sectorBytes);
  const own = title.chapters
    .map((cell, at) => ({ cell, title: `Chapter ${String(at + 1)}` }))
    .filter(({ cell }) => cell.first >= start && cell.first < end);
  const times = await timesAt(
    reader,
    own.map(({ cell }) => (cell.first - start) * sectorBytes),
  );
  const opening = timeOfSector(title.cells, start);
  return own.map(({ cell, title: name }, at) => {
    const byClock = (times[at] ?? Number.NaN) - (found.firstTime ?? 0);
    const isInside = byClock >= 0 && byClock <= (found.duration ?? Infinity);
    const seconds = cell.first === start ? 0 : isInside ? byClock : cell.start - opening;
    return { startTime: Math.max(0, seconds), title: name };
  });
}

/** The first times at these places of a VOB. */
async function timesAt(
  reader: FileReader,
  places: readonly number[],
): Promise<readonly (number | undefined)[]> {
  const pieces = await reader.readPieces(
    places.map((offset) => ({ offset, length: Math.min(chapterBytes, reader.size - offset) })),
  );
  return pieces.map((bytes) => {
    for (const { id, time } of packetsIn(bytes)) if (id >> 4 === 0xe) return time;
    return undefined;
  });
}

/** When a sector is played, as if the pictures of a cell had equal sizes. */
function timeOfSector(cells: readonly Cell[], sector: number): number {
  const cell = cells.find(({ first, last }) => first <= sector && sector <= last);
  if (cell === undefined) return 0;
  return cell.start + (cell.seconds * (sector - cell.first)) / (cell.last - cell.first + 1);
}
