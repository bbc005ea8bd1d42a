/** Starts the job `stills` soon after new files were found, and not first at night. */
import { serverViewer } from '../../people/viewer/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { MediaJobsParts } from './media-jobs.ts';

export interface StillsSoonParts {
  readonly jobs: Pick<MediaJobsParts['jobs'], 'list'>;
  readonly startStills: () => Promise<void>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Waits for a quiet moment after new files. */
export type StillsSoon = ReturnType<typeof createStillsSoon>;

/** Within this time, catalogues give pictures to the titles that they know. */
const quietMs = 60_000;

/** Creates it. The job starts a minute after the last new item, when no job waits or runs. */
export function createStillsSoon(parts: StillsSoonParts) {
  const { jobs, startStills, clock, onError } = parts;
  let cancel: Undo = () => undefined;
  let undo: Undo = () => undefined;

  function wait(): void {
    cancel();
    cancel = clock.after(quietMs, () => void look().catch(onError));
  }

  async function look(): Promise<void> {
    const active = await jobs.list(serverViewer, { status: ['pending', 'running'] });
    if (active.jobs.length > 0) wait();
    else await startStills();
  }

  return {
    start: (events: { readonly listen: (name: string, listener: () => void) => Undo }): void => {
      undo = events.listen('library.item.added', wait);
    },
    stop: (): void => {
      undo();
      cancel();
    },
  };
}
