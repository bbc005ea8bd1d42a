import { createKeyedSerialQueue } from '../../../../packages/lib/concurrency/index.ts';
import type {
  ServedKey,
  CapabilityConfig,
  Identification,
  IndexFile,
  IndexStage,
} from '../../../../plugin-api/index.ts';
import { isNotGranted, type CallPlugin, type Log } from '../../../../kernel/index.ts';
import {
  acceptedAssets,
  acceptedEntities,
  type AcceptUri,
  type Claims,
} from '../../../files/references/index.ts';
import { parseOffers, type Offer } from './candidates.ts';
import { parseIdentifications, parseLater, textsIn } from './identification.ts';
import { chunks } from '../tables/rows.ts';

/** A library as indexers see it. */
export interface IndexedLibrary {
  readonly id: string;
  readonly type: string;
  /** BCP 47 tags, best first. */
  readonly languages?: readonly string[];
}

/** The answers of an indexer for some files. */
export interface IndexerAnswers {
  readonly answers: readonly (Identification | null)[];
  /** Indexes of the files that it could not look up now. */
  readonly later: ReadonlySet<number>;
  /** Whether a call of the plugin failed. A source that leaves files for later may answer others. */
  readonly isAway: boolean;
  /** What each file may be, where the plugin is not sure. */
  readonly offers: readonly (readonly Offer[])[];
}

export interface IndexersParts {
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  /** The `capabilityConfig` of a running plugin's manifest. */
  readonly capabilityConfigOf: (pluginId: string) => CapabilityConfig;
  /** Whether the plugin may reach the network. */
  readonly usesNetwork: (pluginId: string) => boolean;
  /** The rules for files and addresses that plugins may name. */
  readonly claims: Pick<Claims, 'accepting'>;
  /** URIs of the roots of a library. */
  readonly rootsOf: (libraryId: string) => readonly string[];
  readonly log: Log;
}

const timeoutMs = 30_000;
const largestBatch = 500;
/** A remote indexer makes a few requests per file, throttled by its hosts. */
const remote = { batch: 16, timeoutMs: 60_000 } as const;
const nameOnly: readonly IndexStage[] = ['name'];

/** The plugins that identify files. */
export class Indexers {
  readonly #parts: IndexersParts;
  /** Plugins that are failing, so that a failure is logged once and not per batch. */
  readonly #failing = new Set<string>();
  /** Calls of remote indexers, by plugin. */
  readonly #calls = createKeyedSerialQueue<string>();

  constructor(parts: IndexersParts) {
    this.#parts = parts;
  }

  /** Whether the plugin is asked in this stage. */
  readonly hasStage = (pluginId: string, stage: IndexStage): boolean => {
    const stages = this.#parts.capabilityConfigOf(pluginId).indexer?.stages ?? nameOnly;
    return stages.includes(stage);
  };

  /** `null` = it does not answer. */
  async #supports(pluginId: string, libraryType: string): Promise<boolean | null> {
    try {
      const options = { timeoutMs };
      return (
        (await this.#parts.call(pluginId, 'indexer.supports', { libraryType }, options)) === true
      );
    } catch (cause) {
      this.#parts.log.warn({ pluginId, err: cause }, 'An indexer did not say what it supports');
      return null;
    }
  }

  async #askOnce(
    pluginId: string,
    library: IndexedLibrary,
    stage: IndexStage,
    files: readonly IndexFile[],
  ): Promise<IndexerAnswers> {
    const { id: libraryId, type: libraryType, languages = [] } = library;
    const wanted = languages.length > 0 && { languages };
    const input = { libraryId, libraryType, stage, ...wanted, files };
    const options = {
      timeoutMs: stage === 'full' && this.isRemote(pluginId) ? remote.timeoutMs : timeoutMs,
    };
    try {
      const answer = await this.#parts.call(pluginId, 'indexer.index', input, options);
      this.#failing.delete(pluginId);
      const accept = this.#parts.claims.accepting(this.#parts.rootsOf(library.id));
      const answers = parseIdentifications(answer, files.length).map(
        (one) => one && textsIn(ownIdentification(one, pluginId, accept), languages),
      );
      return {
        answers,
        later: parseLater(answer, files.length),
        isAway: false,
        offers: parseOffers(answer, files.length),
      };
    } catch (cause) {
      // A file that the plugin may not see needs no retry either.
      if (isNotGranted(cause)) return this.#askSingly(pluginId, library, stage, files);
      const level = this.#failing.has(pluginId) ? 'debug' : 'warn';
      this.#parts.log[level]({ pluginId, files: files.length, err: cause }, 'An indexer failed');
      this.#failing.add(pluginId);
      return { ...unknown(files), later: new Set(files.keys()), isAway: true };
    }
  }

  /** Asks file by file, since the plugin may have been granted the folders of some of them. */
  async #askSingly(
    pluginId: string,
    library: IndexedLibrary,
    stage: IndexStage,
    files: readonly IndexFile[],
  ): Promise<IndexerAnswers> {
    if (files.length === 1) return unknown(files);
    const asked = files.map((file) => this.#askOnce(pluginId, library, stage, [file]));
    return together(await Promise.all(asked), 1);
  }

  /** Whether the plugin uses the network, so that its answers are slow and may fail. */
  readonly isRemote = (pluginId: string): boolean => this.#parts.usesNetwork(pluginId);

  readonly #remoteLast = (one: string, other: string): number =>
    Number(this.isRemote(one)) - Number(this.isRemote(other));

  /**
   * Whether the plugin says that it knows nothing of such libraries; false if it does not answer.
   */
  readonly refuses = async (pluginId: string, libraryType: string): Promise<boolean> =>
    (await this.#supports(pluginId, libraryType)) === false;

  /**
   * The indexers of this stage that support this type of library, in the order in which they are
   * called. In the stage `name` the most trusted is first, since the others are called only for
   * what it does not know. In the stage `full` the least trusted is first, since each may override
   * those before it; those that use the network are last.
   */
  readonly of = async (libraryType: string, stage: IndexStage): Promise<readonly string[]> => {
    const asked = this.#parts
      .providers('indexer')
      .filter((pluginId) => this.hasStage(pluginId, stage));
    const answers = await Promise.all(
      asked.map((pluginId) => this.#supports(pluginId, libraryType)),
    );
    const able = asked.filter((_, index) => answers[index] === true);
    return stage === 'name' ? able : able.reverse().sort(this.#remoteLast);
  };

  /**
   * One answer per file, in their order; a plugin that fails gives empty answers. Never rejects.
   */
  readonly ask = async (
    pluginId: string,
    library: IndexedLibrary,
    { stage, files }: { readonly stage: IndexStage; readonly files: readonly IndexFile[] },
  ): Promise<IndexerAnswers> => {
    const isSlow = stage === 'full' && this.isRemote(pluginId);
    const size = isSlow ? remote.batch : largestBatch;
    const batches = chunks(files, size).map((batch) => {
      const ask = () => this.#askOnce(pluginId, library, stage, batch);
      return isSlow ? this.#calls.run(pluginId, ask) : ask();
    });
    return together(await Promise.all(batches), size);
  };
}

export const createIndexers = (parts: IndexersParts): Indexers => new Indexers(parts);

/** The plugin's answer under its own name, without what it may not name. */
function ownIdentification(
  said: Identification,
  pluginId: string,
  accept: AcceptUri,
): Identification {
  const { assets, entities } = said;
  if (assets === undefined && entities === undefined) return said;
  const own = <Entry extends { readonly source: string }>(entry: Entry): Entry =>
    entry.source === pluginId ? entry : { ...entry, source: pluginId };
  return {
    ...said,
    ...(assets && { assets: acceptedAssets(assets.map(own), accept) }),
    ...(entities && {
      entities: acceptedEntities(
        Object.fromEntries(Object.entries(entities).map(([role, list]) => [role, list.map(own)])),
        accept,
      ),
    }),
  };
}

const unknown = (files: readonly unknown[]): IndexerAnswers => ({
  answers: files.map(() => null),
  later: new Set(),
  isAway: false,
  offers: files.map(() => []),
});

/** Joins the answers of batches of equal size. */
function together(batches: readonly IndexerAnswers[], size: number): IndexerAnswers {
  return {
    answers: batches.flatMap(({ answers }) => answers),
    offers: batches.flatMap(({ offers }) => offers),
    isAway: batches.some(({ isAway }) => isAway),
    later: new Set(
      batches.flatMap(({ later }, at) => [...later].map((place) => at * size + place)),
    ),
  };
}
