import type { HostCaller } from '../../../../kernel/index.ts';

/** The part of the change feed that a plugin may read at the moment. */
export interface FeedFilter {
  /** For each of these items, in their order: whether it passes. */
  readonly items: (itemIds: readonly string[]) => Promise<readonly boolean[]>;
  /** Whether all of a library passes. Only then the feed tells which entities left it. */
  readonly isWhole: (libraryId: string) => boolean;
  /** Whether hidden entities are included. */
  readonly showsHidden: boolean;
}

/** The filter for a calling plugin and the viewer it works for; `null` = all of the feed. */
export type FeedFor = (
  caller: Pick<HostCaller, 'pluginId' | 'reach' | 'viewer'>,
) => FeedFilter | null;

/** The filter that lets nothing pass: for when the plugin's scope is unknown. */
export const emptyFeed: FeedFilter = {
  items: async (itemIds) => itemIds.map(() => false),
  isWhole: () => false,
  showsHidden: false,
};
