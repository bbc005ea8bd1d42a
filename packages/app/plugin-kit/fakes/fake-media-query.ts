/** Which items of a fake library a query of `host.media` has, and in which order. */
import type { MediaQuery } from '../../../../plugin-api/index.ts';
import { AppError } from '../../../../src/platform/errors.ts';
import { bundleOf, type FakeItem } from './fake-item.ts';
import type { FakeMarks } from './fake-viewing.ts';

type Query = Omit<MediaQuery, 'fields'>;

/** Whether the item is in the list. */
export function fits(
  item: FakeItem,
  libraryType: string,
  { query, marks }: { readonly query: Query; readonly marks: FakeMarks },
): boolean {
  const { metadata, entities } = item;
  const { libraryId = item.libraryId, type = libraryType, genre, entityId } = query;
  const isGenre = (one: FakeItem['entities'][number]): boolean =>
    one.type === 'genre' && one.name.toLowerCase() === genre?.toLowerCase();
  return (
    libraryId === item.libraryId &&
    type === libraryType &&
    (genre === undefined || entities.some(isGenre)) &&
    (entityId === undefined || entities.some(({ id }) => id === entityId)) &&
    isIn('year', query.year, metadata['year']) &&
    isIn('rating', query.rating, metadata['rating']) &&
    hasStreams(item, query) &&
    isMarked(query, marks)
  );
}

/** Whether the profile says this of the item. */
function isMarked({ watched, favourite, myRating }: Query, marks: FakeMarks): boolean {
  const { completed, position, rating } = marks;
  const isSo = completed ? 'watched' : position > 0 ? 'started' : 'unwatched';
  return (
    (watched ?? isSo) === isSo &&
    (favourite ?? marks.favourite) === marks.favourite &&
    isIn('myRating', myRating, rating)
  );
}

function hasStreams(item: FakeItem, { resolution, hdr, language, subtitle, addedAfter }: Query) {
  const [file] = bundleOf(item).files.media;
  const streams = (file?.fileInfo?.['streams'] ?? []) as readonly Readonly<
    Record<string, unknown>
  >[];
  const picture = streams.find((stream) => stream['kind'] === 'video');
  const height = Number(picture?.['height'] ?? 0);
  const size = height === 0 ? undefined : height >= 1800 ? '4k' : height >= 720 ? 'hd' : 'sd';
  const speaks = (kind: string, tag: string): boolean =>
    streams.some((stream) => stream['kind'] === kind && stream['language'] === tag);
  return (
    (resolution === undefined || resolution === size) &&
    (hdr === undefined || hdr === (picture?.['hdr'] !== undefined)) &&
    (language === undefined || speaks('audio', language)) &&
    (subtitle === undefined || speaks('subtitle', subtitle)) &&
    (addedAfter === undefined || addedAt(item) > Date.parse(addedAfter))
  );
}

/** When the fake item was added: with its newest file. */
export const addedAt = ({ files }: FakeItem): number =>
  Math.max(0, ...files.map(({ modifiedAt }) => modifiedAt));

function isIn(name: string, range: string | undefined, value: unknown): boolean {
  if (range === undefined) return true;
  const [from = '', to = from] = range.split('..');
  const least = from === '' ? Number.NEGATIVE_INFINITY : Number(from);
  const most = to === '' ? Infinity : Number(to);
  if (Number.isNaN(least) || Number.isNaN(most) || range === '..')
    throw new AppError('invalid_request', {
      what: `query.${name} must be a range of numbers, such as 7, 7.. or 7..9.`,
    });
  return typeof value === 'number' && value >= least && value <= most;
}

/** The items in the order of the list. */
export function inOrder(
  items: readonly FakeItem[],
  query: Query,
  marksOf: (item: FakeItem) => FakeMarks,
): readonly FakeItem[] {
  const { sortBy = 'title', sortOrder = 'asc', seed = '', letter } = query;
  const sign = sortOrder === 'asc' ? 1 : -1;
  const sorted = items
    .map((item) => ({ item, value: valueOf(item, sortBy, { seed, marks: marksOf(item) }) }))
    .sort((one, other) => sign * (one.value < other.value ? -1 : one.value > other.value ? 1 : 0))
    .map(({ item }) => item);
  if (letter === undefined) return sorted;
  const first = letter.toLowerCase();
  return sorted.filter(({ title }) => sign * title.toLowerCase().localeCompare(first) >= 0);
}

type Sort = NonNullable<Query['sortBy']>;

function valueOf(
  item: FakeItem,
  sortBy: Sort,
  { seed, marks }: { readonly seed: string; readonly marks: FakeMarks },
): string | number {
  const { metadata } = item;
  switch (sortBy) {
    case 'title':
      return item.title.toLowerCase();
    case 'addedAt':
      return addedAt(item);
    case 'releasedAt':
      return releasedAt(metadata['airDate'] ?? metadata['year']);
    case 'year':
    case 'rating':
    case 'duration':
      return Number(metadata[sortBy] ?? 0);
    case 'lastPlayedAt':
      return marks.playedAt ?? 0;
    case 'playCount':
      return marks.playCount;
    case 'random':
      return mixed(seed + item.id);
  }
}

/** A date, or a year. */
const releasedAt = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'number' ? Date.parse(String(value)) || 0 : 0;

function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
