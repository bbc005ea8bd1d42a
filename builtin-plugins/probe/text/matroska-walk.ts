/** Blocks of a track without an index of it: the clusters are walked from block to block. */
import { readUpTo } from '../../media-headers/bytes/byte-source.ts';
import {
  placeIn,
  readElement,
  readWhole,
  type ElementPlace,
} from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import type { OpenMatroska } from '../../media-headers/matroska/open-matroska.ts';
import type { MediaSource } from '../media.ts';
import { parseBlock, trackOf, type FoundBlock } from './matroska-block.ts';
import { mostTexts, tooMany, type SpendText } from './text-limits.ts';

export interface Walk {
  readonly track: number;
  readonly spend: SpendText;
  /** Where to begin, from the start of the file; absent = at the first cluster. */
  readonly from?: number | undefined;
  /** Whether it is enough at a time in ticks, before each cluster. */
  readonly isEnough?: (ticks: number) => boolean;
  /** Larger blocks are left out. */
  readonly blockBytes?: number;
}

/** Every block of the track. What is in between is stepped over. `stoppedAt` is in ticks; `null` = at the end. */
export async function walkClusters(
  source: MediaSource,
  { segment, places }: OpenMatroska,
  walk: Walk,
): Promise<{ readonly blocks: readonly FoundBlock[]; readonly stoppedAt: number | null }> {
  const found: FoundBlock[] = [];
  const end = Math.min(segment.end, source.size);
  let time = 0;
  for (let at = walk.from ?? places.get(ids.cluster)?.start ?? end; at < end;) {
    const place = await readElement(source, at);
    if (place === undefined) break;
    if (place.id === ids.cluster) {
      // What is in a cluster is walked like what stands beside it, so its size need not be known.
      at = place.from;
      continue;
    }
    if (place.end > end) break;
    if (place.id === ids.timestamp) {
      time = (await readWhole(source, place)).number;
      if (walk.isEnough?.(time) === true) return { blocks: found, stoppedAt: time };
    }
    const block = await blockAt(source, place, walk);
    if (block !== undefined) found.push({ ...block, ticks: time + block.ticks });
    if (found.length > mostTexts) throw tooMany();
    at = place.end;
  }
  return { blocks: found, stoppedAt: null };
}

const headBytes = 32;
const textBytes = 256 * 1024;

/** A block of the track; only its head is read of others. */
async function blockAt(
  source: MediaSource,
  place: ElementPlace,
  { track, spend, blockBytes = textBytes }: Walk,
): Promise<FoundBlock | undefined> {
  if (place.id !== ids.blockGroup && place.id !== ids.simpleBlock) return undefined;
  const length = place.end - place.from;
  const head = await readUpTo(source, place.from, Math.min(length, headBytes));
  const inner = place.id === ids.blockGroup ? placeIn(head, 0)?.from : 0;
  const number = inner === undefined ? undefined : trackOf(head.subarray(inner));
  if (number !== track || length > blockBytes) return undefined;
  spend(length);
  return parseBlock(place.id, await source.read(place.from, length), track);
}
