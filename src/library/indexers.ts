import type {
  Capability,
  CapabilityConfig,
  Identification,
  IndexFile,
  IndexStage,
} from '../../plugin-api/index.ts';
import type { CallPlugin, Log } from '../../kernel/index.ts';
import { parseIdentifications } from './identification.ts';
import { chunks } from './rows.ts';

/** A library as indexers see it. */
export interface IndexedLibrary {
  readonly id: string;
  readonly type: string;
}

/** The plugins that tell what files are. */
export interface Indexers {
  /** Those that are asked in this stage and know this type of library, the first to ask in front. */
  readonly of: (libraryType: string, stage: IndexStage) => Promise<readonly string[]>;
  /** Whether the plugin is asked in this stage. */
  readonly hasStage: (pluginId: string, stage: IndexStage) => boolean;
  /** One answer per file, in their order; a plugin that fails knows nothing. Never rejects. */
  readonly ask: (
    pluginId: string,
    library: IndexedLibrary,
    question: { readonly stage: IndexStage; readonly files: readonly IndexFile[] },
  ) => Promise<readonly (Identification | null)[]>;
}

/** What indexers are called with. */
export interface IndexersParts {
  readonly call: CallPlugin;
  readonly providers: (capability: Capability) => readonly string[];
  /** What a running plugin's manifest says of its capabilities. */
  readonly capabilityConfigOf: (pluginId: string) => CapabilityConfig;
  readonly log: Log;
}

const timeoutMs = 30_000;
const largestBatch = 500;
const nameOnly: readonly IndexStage[] = ['name'];

export function createIndexers(parts: IndexersParts): Indexers {
  function hasStage(pluginId: string, stage: IndexStage): boolean {
    const stages = parts.capabilityConfigOf(pluginId).indexer?.stages ?? nameOnly;
    return stages.includes(stage);
  }

  async function supports(pluginId: string, libraryType: string): Promise<boolean> {
    try {
      const options = { timeoutMs };
      return (await parts.call(pluginId, 'indexer.supports', { libraryType }, options)) === true;
    } catch (cause) {
      parts.log.warn({ pluginId, err: cause }, 'An indexer did not say what it supports');
      return false;
    }
  }

  return {
    hasStage,
    of: async (libraryType, stage) => {
      const asked = parts.providers('indexer').filter((pluginId) => hasStage(pluginId, stage));
      const answers = await Promise.all(asked.map((pluginId) => supports(pluginId, libraryType)));
      return asked.filter((_, index) => answers[index]);
    },
    ask: async (pluginId, library, { stage, files }) => {
      const batches = chunks(files, largestBatch).map(async (batch) => {
        const input = { libraryId: library.id, libraryType: library.type, stage, files: batch };
        try {
          const answer = await parts.call(pluginId, 'indexer.index', input, { timeoutMs });
          return parseIdentifications(answer, batch.length);
        } catch (cause) {
          parts.log.warn({ pluginId, files: batch.length, err: cause }, 'An indexer failed');
          return batch.map(() => null);
        }
      });
      return (await Promise.all(batches)).flat();
    },
  };
}
