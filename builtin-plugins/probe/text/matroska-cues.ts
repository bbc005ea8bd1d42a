/** Blocks of a track by the index of the file. */
import { placeIn, type Element } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import type { OpenMatroska } from '../../media-headers/matroska/open-matroska.ts';
import type { MediaSource } from '../media.ts';
import { parseBlock, type FoundBlock } from './matroska-block.ts';
import { createTextBudget, mostTexts, tooMany } from './text-limits.ts';

/** A block by the index of the file. */
export interface Cue {
  readonly ticks: number;
  readonly cluster: number;
  /** From the start of the content of the cluster. */
  readonly relative: number;
}

const mostPoints = 500_000;
const clusterHeadBytes = 12;
/** Most texts are shorter; a longer one is read again. */
const pieceBytes = 768;
const textBytes = 256 * 1024;

/** `undefined` when the file has no index of the track that leads to each block. */
export async function blocksByCues(
  source: MediaSource,
  { segment }: OpenMatroska,
  { cues, track }: { readonly cues: Element | undefined; readonly track: number },
): Promise<readonly FoundBlock[] | undefined> {
  const entries = cues === undefined ? [] : entriesOf(cues, track);
  if (entries === undefined || entries.length === 0) return undefined;
  const places = await placesOf(source, segment, entries);
  const blocks = await readBlocks(source, places, track);
  // An index that leads elsewhere is not believed.
  return blocks.length * 2 < entries.length ? undefined : blocks;
}

/** Where the blocks begin, from the start of the file. */
export async function placesOf(
  source: MediaSource,
  segment: OpenMatroska['segment'],
  entries: readonly Cue[],
): Promise<readonly { readonly ticks: number; readonly offset: number }[]> {
  const clusters = [...new Set(entries.map(({ cluster }) => segment.from + cluster))];
  const heads = await readHeads(source, clusters, clusterHeadBytes);
  const contents = new Map<number, number>();
  for (const [at, head] of heads.entries()) {
    const place = placeIn(head, 0);
    const start = clusters[at] ?? 0;
    if (place?.id === ids.cluster) contents.set(start - segment.from, start + place.from);
  }
  return entries.flatMap(({ ticks, cluster, relative }) => {
    const content = contents.get(cluster);
    return content === undefined ? [] : [{ ticks, offset: content + relative }];
  });
}

/** The blocks of a track; `undefined` when the index does not lead to each of them. */
export function entriesOf(cues: Element, track: number): readonly Cue[] | undefined {
  const entries: Cue[] = [];
  let isExact = true;
  cues.forEach((id, content) => {
    if (id !== ids.cuePoint) return true;
    const point = content();
    for (const position of point.all(ids.cueTrackPositions)) {
      if (position.uint(ids.cueTrack) !== track) continue;
      const relative = position.uint(ids.cueRelativePosition);
      const cluster = position.uint(ids.cueClusterPosition);
      if (relative === undefined || cluster === undefined) isExact = false;
      else entries.push({ ticks: point.uint(ids.cueTime) ?? 0, cluster, relative });
    }
    if (entries.length > mostTexts) throw tooMany();
    return isExact;
  }, mostPoints);
  return isExact ? entries : undefined;
}

/** The first bytes at places; a place behind the end of the file gives none. */
export async function readHeads(
  source: MediaSource,
  offsets: readonly number[],
  length: number,
): Promise<readonly Uint8Array[]> {
  const inside = offsets.map((offset) => ({
    offset: Math.min(offset, source.size),
    length: Math.max(0, Math.min(length, source.size - offset)),
  }));
  return source.readPieces(inside);
}

async function readBlocks(
  source: MediaSource,
  places: readonly { readonly ticks: number; readonly offset: number }[],
  track: number,
): Promise<readonly FoundBlock[]> {
  const heads = await readHeads(
    source,
    places.map(({ offset }) => offset),
    pieceBytes,
  );
  const spend = createTextBudget();
  const blocks: FoundBlock[] = [];
  for (const [at, head] of heads.entries()) {
    const { ticks, offset } = places[at] ?? { ticks: 0, offset: 0 };
    const place = placeIn(head, 0);
    if (place === undefined || place.end > textBytes || offset + place.end > source.size) continue;
    spend(place.end - place.from);
    const bytes =
      place.end <= head.length
        ? head.subarray(place.from, place.end)
        : await source.read(offset + place.from, place.end - place.from);
    const isBlock = place.id === ids.blockGroup || place.id === ids.simpleBlock;
    const block = isBlock ? parseBlock(place.id, bytes, track) : undefined;
    if (block !== undefined) blocks.push({ ...block, ticks });
  }
  return blocks;
}
