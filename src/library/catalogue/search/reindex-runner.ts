/**
 * Runs jobs of the type `reindex`: each search plugin builds its index again from the library. A step
 * is one call. Guarantee: a plugin is told to begin once; a repeated first step only begins again.
 */
import type { CallPlugin } from '../../../../kernel/index.ts';
import type { ServedKey } from '../../../../plugin-api/index.ts';
import type { JobRunner } from '../../../work/jobs/index.ts';
import { asSearchProgress } from './search-upkeep.ts';

export interface ReindexRunnerParts {
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
}

interface Reindexing {
  /** Plugins whose index is not complete; the first has begun if `hasBegun`. */
  readonly left: readonly string[];
  readonly hasBegun: boolean;
  readonly count: number;
  readonly indexed: number;
}

const timeoutMs = 30_000;

export function createReindexRunner({ call, providers }: ReindexRunnerParts): JobRunner {
  const begin = (): Reindexing => {
    const left = providers('search');
    return { left, hasBegun: false, count: left.length, indexed: 0 };
  };

  return {
    isForServer: true,
    step: async (_job, checkpoint) => {
      const state = parse(checkpoint) ?? begin();
      const [pluginId, ...others] = state.left;
      if (pluginId === undefined)
        return { done: true, result: { plugins: state.count, indexed: state.indexed } };
      const input = state.hasBegun ? {} : { rebuild: true };
      const answer = asSearchProgress(await call(pluginId, 'search.index', input, { timeoutMs }));
      const next: Reindexing = {
        ...state,
        left: answer.done ? others : state.left,
        hasBegun: !answer.done,
        indexed: state.indexed + answer.indexed,
      };
      return { done: false, checkpoint: next, progress: 1 - next.left.length / next.count };
    },
  };
}

/** The checkpoint is the runner's own, stored by the server. */
const parse = (checkpoint: unknown): Reindexing | null => checkpoint as Reindexing | null;
