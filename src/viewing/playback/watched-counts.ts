import type { EntityFollower } from '../../library/catalogue/index.ts';
import { recountWatched } from './watched-count-store.ts';

/** Counts again what profiles watched of entities whose items changed. */
export const watchedCounts: EntityFollower = (trx, census) =>
  recountWatched(
    trx,
    census.map(({ no }) => no),
  );
