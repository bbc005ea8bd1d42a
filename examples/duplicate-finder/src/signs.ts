/**
 * The signs of an item: short texts, such as `title:heat:1995`. Two items with an equal sign are
 * probably the same thing. So the search need not compare every item with every other one.
 */
import type { MediaItem } from '@vitrine/plugin-api';
import { partsOf } from './copy.ts';

/** Why two items are probably the same. The order of the letters is that of their strength. */
export type Reason = 'file' | 'ids' | 'title';

/** One sign, and what it stands for. */
export interface Sign {
  readonly reason: Reason;
  readonly text: string;
}

const mostIds = 5;

/** All signs of an item; none when too little is known about it. */
export const signsOf = (item: MediaItem): readonly Sign[] => [
  ...sign('file', fileParts(item)),
  ...Object.entries(isFields(item.metadata['ids']) ? item.metadata['ids'] : {})
    .slice(0, mostIds)
    .flatMap(([provider, id]) => sign('ids', idParts(item, provider, id))),
  ...sign('title', titleParts(item)),
];

/** None if a part is missing: an unknown year equals no other unknown year. */
function sign(reason: Reason, parts: readonly unknown[]): readonly Sign[] {
  const words = parts.map(wordOf);
  return words.length === 0 || words.includes('')
    ? []
    : [{ reason, text: [reason, ...words].join(':') }];
}

/**
 * Letters and digits alone, without case and accents. A name comes from a stranger's file: after this
 * it has no `/` or `:` that could pretend to be another key, and no more than 100 characters.
 */
function wordOf(part: unknown): string {
  if (typeof part !== 'string' && typeof part !== 'number') return '';
  const plain = String(part).normalize('NFKD').toLowerCase();
  return plain
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 100)
    .toWellFormed();
}

function fileParts(item: MediaItem): readonly unknown[] {
  const files = partsOf(item);
  const isKnown = files.every(({ size, duration }) => size > 0 && duration !== null);
  if (!isKnown) return [];
  // To the second: two probes may round differently.
  return files.flatMap(({ size, duration }) => [size, Math.round(duration ?? 0)]).slice(0, 4);
}

/** An episode may carry the id of its show, and a track that of its album: their numbers belong to it. */
function idParts({ metadata }: MediaItem, provider: string, id: unknown): readonly unknown[] {
  const { season, episode, disc, track } = metadata;
  const place = [season, episode, disc, track].map((number) => wordOf(number) || '0');
  return [provider, isFields(id) ? id['id'] : id, place.join('x')];
}

function titleParts({ title, metadata }: MediaItem): readonly unknown[] {
  const { year, series, season, episode, album } = metadata;
  // Half of all albums have an "Intro", and half of all shows a "Pilot".
  if (album !== undefined) return [];
  if (series !== undefined) return [series, season, episode];
  return [title, year];
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
