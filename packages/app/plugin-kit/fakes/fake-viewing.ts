/** What profiles watched, marked and put in lists, over a fake library. */
import type { MediaItem } from '../../../../plugin-api/index.ts';
import type { Collection } from '../../../../src/contract/resources/library/collections.ts';
import type { Viewer } from '../../../../src/people/viewer/index.ts';
import { AppError } from '../../../../src/platform/errors.ts';
import { fakeId, type FakeItem } from './fake-item.ts';

/** What a profile says of an item. */
export interface FakeMarks {
  readonly completed: boolean;
  /** Seconds. */
  readonly position: number;
  readonly favourite: boolean;
  readonly rating: number | null;
  readonly playCount: number;
  /** Unix milliseconds; `null` = never played. */
  readonly playedAt: number | null;
}

/** A list of a profile. */
export interface FakeList {
  readonly id: string;
  readonly kind: 'playlist' | 'collection';
  readonly name: string;
  readonly description: string | null;
  readonly itemIds: readonly string[];
}

/** What the profiles of a test say. `profile` is the name of a {@link MadeViewer}, `someone` when absent. */
export interface FakeViewing {
  readonly marks: (itemId: string, profile?: string) => FakeMarks;
  /** The person does this; the plugin is not told. */
  readonly mark: (itemId: string, marks: Partial<FakeMarks>, profile?: string) => void;
  /** In the order in which they were made. */
  readonly lists: (profile?: string) => readonly FakeList[];
}

interface Entry {
  readonly id: string;
  readonly itemId: string;
}

interface Kept extends Omit<FakeList, 'itemIds'> {
  readonly profileId: string;
  readonly entries: readonly Entry[];
}

const unmarked: FakeMarks = {
  completed: false,
  position: 0,
  favourite: false,
  rating: null,
  playCount: 0,
  playedAt: null,
};

/** The marks and lists behind `host.viewing` and `host.media`, by the id of the profile. */
export class ViewingState {
  readonly #marks = new Map<string, FakeMarks>();
  readonly #lists = new Map<string, Kept>();
  #made = 0;

  readonly marksOf = (profileId: string, id: string): FakeMarks =>
    this.#marks.get(`${profileId} ${id}`) ?? unmarked;

  mark(profileId: string, id: string, marks: Partial<FakeMarks>): FakeMarks {
    const now = { ...this.marksOf(profileId, id), ...marks };
    this.#marks.set(`${profileId} ${id}`, now);
    return now;
  }

  /** Throws `not_found` for a list of another profile. */
  list(id: string, profileId: string): Kept {
    const list = this.#lists.get(id);
    if (list?.profileId === profileId) return list;
    throw new AppError('not_found', { what: `Collection ${id}` });
  }

  listsOf(profileId: string): readonly Kept[] {
    return [...this.#lists.values()].filter((one) => one.profileId === profileId);
  }

  make(list: Omit<Kept, 'id' | 'entries'>): Kept {
    return this.keep({ ...list, id: this.newId(), entries: [] });
  }

  keep(list: Kept): Kept {
    this.#lists.set(list.id, list);
    return list;
  }

  drop(id: string): void {
    this.#lists.delete(id);
  }

  /** Of a list, or of an entry. */
  newId(): string {
    this.#made += 1;
    return fakeId(5, this.#made);
  }
}

/** The item with what the profile says of it. */
export function withMarks(item: MediaItem, marks: FakeMarks): MediaItem {
  const { completed, position, favourite, rating, playCount, playedAt } = marks;
  return {
    ...item,
    playback: { completed, position, duration: item.playback.duration },
    favourite,
    myRating: rating,
    playCount,
    lastPlayedAt: playedAt === null ? null : new Date(playedAt).toISOString(),
  };
}

/** A list as the server has it, with the items that the viewer sees. */
export const toCollection = (
  { id, kind, name, description, entries }: Kept,
  { profileId, userId }: Viewer,
  isSeen: (itemId: string) => boolean,
): Collection => ({
  id,
  kind,
  name,
  description,
  userId,
  profileId,
  distributedId: id,
  mediaType: null,
  sortBy: 'manual',
  sortOrder: 'asc',
  hidden: false,
  itemCount: entries.filter(({ itemId }) => isSeen(itemId)).length,
  rule: null,
  assets: {},
  assetAspects: {},
  coverItemId: null,
  createdAt: new Date(0).toISOString(),
  updatedAt: new Date(0).toISOString(),
});

/** The first episode of a show that was not watched. */
export function nextOf(
  episodes: readonly FakeItem[],
  marksOf: (id: string) => FakeMarks,
): FakeItem | undefined {
  const order = ({ metadata }: FakeItem): number =>
    Number(metadata['season'] ?? 0) * 10_000 + Number(metadata['episode'] ?? 0);
  return episodes
    .toSorted((one, other) => order(one) - order(other))
    .find(({ id }) => !marksOf(id).completed);
}
