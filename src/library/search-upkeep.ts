import type { Log } from '../../kernel/index.ts';
import type { Capability } from '../../plugin-api/index.ts';
import type { CallPlugin } from './identifier.ts';

/** What the upkeep is made of. */
export interface SearchUpkeepParts {
  readonly call: CallPlugin;
  readonly providers: (capability: Capability) => readonly string[];
  readonly log: Log;
}

const stepTimeoutMs = 30_000;
/** So many steps of 20 s at most: an index of any size is done long before. */
const mostSteps = 1000;

/**
 * Lets every search plugin catch up with the library. Events tell it of changes while it runs; what
 * happened while it did not, or an index that was lost, it learns by this.
 */
export async function catchUpSearch({ call, providers, log }: SearchUpkeepParts): Promise<void> {
  for (const pluginId of providers('search')) {
    try {
      for (let step = 0; step < mostSteps; step++) {
        const answer = await call(pluginId, 'search.index', {}, { timeoutMs: stepTimeoutMs });
        if (!hasIndexed(answer)) break;
      }
    } catch (error) {
      log.warn({ pluginId, err: error }, 'A search plugin did not catch up with the library.');
    }
  }
}

const hasIndexed = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'indexed' in answer &&
  Number(answer.indexed) > 0;
