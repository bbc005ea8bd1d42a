import type { HostCaller } from '../../kernel/index.ts';

/** What of the change feed is for a plugin just now. */
export interface FeedFilter {
  /** Whether each of these items is, in their order. */
  readonly items: (itemIds: readonly string[]) => Promise<readonly boolean[]>;
  /** Whether all of a library is: then it hears which entities left. */
  readonly isWhole: (libraryId: string) => boolean;
  /** Whether hidden entities are named. */
  readonly showsHidden: boolean;
}

/** The filter for a plugin that calls, and for the person for whom it does; `null` = all of the feed. */
export type FeedFor = (
  caller: Pick<HostCaller, 'pluginId' | 'reach' | 'viewer'>,
) => FeedFilter | null;

/** Where nobody knows what is within, nothing is. */
export const emptyFeed: FeedFilter = {
  items: async (itemIds) => itemIds.map(() => false),
  isWhole: () => false,
  showsHidden: false,
};
