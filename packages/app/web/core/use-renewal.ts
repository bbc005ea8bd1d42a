import { useMemo } from 'preact/hooks';
import { useResource } from './resource.ts';
import type { TileList } from './tile-list.ts';

/** Renews a list while it is shown, when something happens to one of its topics. */
export function useRenewal<Tile>(
  list: TileList<Tile>,
  identity: string,
  topics: readonly string[],
): void {
  // It is read as it is shown, so only what happens later renews it.
  const renew = useMemo(() => {
    let isShown = false;
    return async (): Promise<void> => {
      if (isShown) await list.renew();
      isShown = true;
    };
  }, [list]);
  useResource(`tiles:${identity}`, topics, renew);
}
