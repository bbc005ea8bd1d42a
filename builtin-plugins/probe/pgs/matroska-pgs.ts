/**
 * Subtitles that are pictures (PGS) of a Matroska track, as a part of a `.sup` file. With an index of
 * the track only its blocks are read; without one, the clusters from the last place in the index of any
 * track that lies before.
 */
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { placeIn, type Element } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import type { OpenMatroska } from '../../media-headers/matroska/open-matroska.ts';
import { packingOf, unpack } from '../../media-headers/matroska/packing.ts';
import type { MediaSource } from '../media.ts';
import { parseBlock, type FoundBlock } from '../text/matroska-block.ts';
import { entriesOf, placesOf, readHeads, type Cue } from '../text/matroska-cues.ts';
import { openTrack } from '../text/matroska-track.ts';
import { walkClusters } from '../text/matroska-walk.ts';
import { createSupWriter } from './sup-writer.ts';

/** Which part of which track. */
export interface WantedPgs {
  /** The place of the track in the list of tracks. */
  readonly index: number;
  readonly fromMs: number;
  /** Added to each time. */
  readonly shiftMs: number;
}

/** A part of the file, and where the next one begins; `null` = it was the last. */
export interface PartOfSup {
  readonly sup: Uint8Array;
  readonly nextMs: number | null;
}

/** Of one answer: what is in the file, and what is written. */
const packedBytes = 2 * 1024 * 1024;
const supBytes = 3 * 1024 * 1024;
const mostBlocks = 1000;
const walkedMs = 120_000;
/** Of one block, as it is in the file and unpacked. */
const blockBytes = 1024 * 1024;
const headBytes = 32;

/** Blocks in order, and the tick from which further ones are to be asked for. */
interface Found {
  readonly blocks: readonly FoundBlock[];
  readonly next: number | null;
}

/** Reads from a time on as much as one answer holds. */
export async function readMatroskaPgs(
  source: MediaSource,
  { index, fromMs, shiftMs }: WantedPgs,
): Promise<PartOfSup> {
  const { file, entry, number: track, scale, cues } = await openTrack(source, index);
  const codec = entry.text(ids.codecId) ?? '';
  if (codec !== 'S_HDMV/PGS') throw malformed(`The track is not PGS: its codec is ${codec}.`);
  const from = fromMs / scale;
  const wanted = { track, from, until: from + walkedMs / scale };
  const { blocks, next } =
    (await byIndex(source, file, cues, wanted)) ?? (await byWalk(source, file, cues, wanted));
  const packing = packingOf(entry);
  const writer = createSupWriter();
  for (const { bytes, ticks } of blocks) {
    // The rest is asked for from here on.
    if (writer.length() > supBytes) return made(ticks);
    writer.add(unpack(bytes, packing, blockBytes), ticks * scale + shiftMs);
  }
  return made(next);

  function made(tick: number | null): PartOfSup {
    return { sup: writer.bytes(), nextMs: tick === null ? null : tick * scale };
  }
}

interface Wanted {
  readonly track: number;
  /** Ticks. */
  readonly from: number;
  readonly until: number;
}

/** `undefined` when the file has no index of the track. */
async function byIndex(
  source: MediaSource,
  { segment }: OpenMatroska,
  cues: Element | undefined,
  { track, from }: Wanted,
): Promise<Found | undefined> {
  const all = cues === undefined ? undefined : entriesOf(cues, track);
  if (all === undefined || all.length === 0) return undefined;
  const later = all.filter(({ ticks }) => ticks >= from).sort((a, b) => a.ticks - b.ticks);
  const near = later.slice(0, mostBlocks);
  const places = await placesOf(source, segment, near);
  const heads = await readHeads(
    source,
    places.map(({ offset }) => offset),
    headBytes,
  );
  const pieces: { ticks: number; id: number; offset: number; length: number }[] = [];
  let spent = 0;
  let next = later[near.length]?.ticks ?? null;
  for (const [at, { ticks, offset }] of places.entries()) {
    const place = placeIn(heads[at] ?? new Uint8Array(0), 0);
    if (place === undefined || offset + place.end > source.size) continue;
    const length = place.end - place.from;
    if (length > blockBytes) continue;
    spent += length;
    if (spent > packedBytes && pieces.length > 0) {
      next = ticks;
      break;
    }
    pieces.push({ ticks, id: place.id, offset: offset + place.from, length });
  }
  const read = await source.readPieces(pieces);
  const blocks = pieces.flatMap(({ ticks, id }, at) => {
    const isBlock = id === ids.blockGroup || id === ids.simpleBlock;
    const block = isBlock ? parseBlock(id, read[at] ?? new Uint8Array(0), track) : undefined;
    return block === undefined ? [] : [{ ...block, ticks }];
  });
  // An index that leads elsewhere is not believed.
  return blocks.length * 2 < places.length && next === null ? undefined : { blocks, next };
}

async function byWalk(
  source: MediaSource,
  file: OpenMatroska,
  cues: Element | undefined,
  { track, from, until }: Wanted,
): Promise<Found> {
  let spent = 0;
  const { blocks, stoppedAt } = await walkClusters(source, file, {
    track,
    blockBytes,
    from: clusterBefore(source, file, cues, from),
    spend: (bytes) => (spent += bytes),
    isEnough: (ticks) => ticks > from && (ticks >= until || spent > packedBytes),
  });
  const later = blocks.filter(({ ticks }) => ticks >= from);
  return { blocks: later.toSorted((a, b) => a.ticks - b.ticks), next: stoppedAt };
}

/** Where the last cluster begins that an index names at this time or before. */
function clusterBefore(
  source: MediaSource,
  { segment }: OpenMatroska,
  cues: Element | undefined,
  from: number,
): number | undefined {
  let found: Pick<Cue, 'ticks' | 'cluster'> | undefined;
  for (const point of cues?.all(ids.cuePoint) ?? []) {
    const ticks = point.uint(ids.cueTime) ?? 0;
    const cluster = point.find(ids.cueTrackPositions)?.uint(ids.cueClusterPosition);
    if (cluster === undefined || ticks > from || ticks < (found?.ticks ?? 0)) continue;
    found = { ticks, cluster };
  }
  const at = found === undefined ? undefined : segment.from + found.cluster;
  return at !== undefined && at < source.size ? at : undefined;
}
