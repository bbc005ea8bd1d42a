/** What starts once the first page is shown. */
import { startSpatialKeys } from './core/spatial.ts';

/** Starts the arrow keys, and puts what was in the dock before a reload back into it. */
export function startLater(): void {
  startSpatialKeys();
  if (sessionStorage.getItem('queue') !== null)
    void import('./player/restore-queue.ts').then(({ restoreQueue }) => restoreQueue());
}
