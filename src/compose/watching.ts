import type { Kernel } from '../../kernel/index.ts';
import type { EventBus } from '../../kernel/call/events/index.ts';
import type { Jobs } from '../work/jobs/index.ts';
import type { LibraryDomain } from '../library/catalogue/index.ts';
import { createWatching, type Watching } from '../library/watching/index.ts';
import type { MediaFiles } from './files.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { ProblemTable } from './problems.ts';

export interface WatchingNeeds {
  readonly kernel: Kernel;
  readonly everywhere: Pick<EventBus, 'listen'>;
  readonly library: LibraryDomain;
  readonly files: MediaFiles;
  readonly jobs: Jobs;
  readonly problems: ProblemTable;
}

const libraryChanges = ['library.created', 'library.updated', 'library.deleted'] as const;

/** Builds the watches on library folders, and follows changes of libraries. */
export function composeWatching(
  { config, steady, log }: Infrastructure,
  needs: WatchingNeeds,
): Watching {
  const { registry, providers } = needs.kernel.plugins;
  const watching = createWatching({
    libraries: needs.library.libraries,
    filesystems: needs.files.filesystems,
    canWatch: (uri) => {
      const pluginId = providers.filesystemFor(uri.slice(0, uri.indexOf(':')));
      if (pluginId === undefined) return undefined;
      return registry.capabilityConfigOf(pluginId).filesystem?.supportsWatch ?? false;
    },
    jobs: needs.jobs,
    rescanMs: config.rescanMinutes * 60_000,
    report: (found) => needs.problems.set(['library_unwatched'], found),
    onReach: (id) => needs.problems.lookAtRoots(id),
    clock: steady,
    log,
  });
  for (const name of libraryChanges) needs.everywhere.listen(name, watching.refresh);
  needs.everywhere.listen('job.failed', ({ data }) =>
    watching.jobFailed('jobId' in data ? data.jobId : null),
  );
  return watching;
}
