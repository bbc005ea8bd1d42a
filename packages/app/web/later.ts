/** What starts once the first page is shown. */
import { startKeepingFocus } from './core/keep-focus.ts';
import { startSpatialKeys } from './core/spatial.ts';
import { hasDownloads } from './core/session.ts';
import { leaveWithOthers } from './core/still-me.ts';

/** Leaves with the person, starts the arrow keys, keeps the focus, goes on with downloads, and puts what was in the dock before a reload back into it. */
export function startLater(): void {
  leaveWithOthers();
  startSpatialKeys();
  startKeepingFocus();
  if (hasDownloads())
    void import('./downloads/downloads.ts').then(({ startDownloads }) => startDownloads());
  if (sessionStorage.getItem('queue') !== null)
    void import('./player/restore-queue.ts').then(({ restoreQueue }) => restoreQueue());
}
