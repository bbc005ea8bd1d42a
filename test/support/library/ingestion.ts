/** An ingestion over a real database and a real queue, with plugins that answer as a test wants. */
import { serverViewer } from '../../../src/people/viewer/index.ts';
import { silentLog, type CallPlugin } from '../../../kernel/index.ts';
import type { CapabilityConfig, Identification, ProbeOutcome } from '../../../plugin-api/index.ts';
import type { IndexFile, ProbeFile } from '../../../plugin-api/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createIngestion, type Ingestion } from '../../../src/library/ingestion/index.ts';
import { jobMigrations, Jobs } from '../../../src/work/jobs/index.ts';
import type { LookupEnding } from '../../../src/library/matching/index.ts';
import { createUuidV7 } from '../../../src/platform/uuid-v7.ts';
import { playbackMigrations } from '../../../src/viewing/playback/index.ts';
import { answerByFolder, identifyByFolder, openTestLibrary, type TestLibrary } from './library.ts';
import { testReferences } from './references.ts';
import type { Job } from '../../../src/contract/resources/library/catalogue.ts';

/** What the plugins of a test do; what is absent they do in a usual way. */
export interface TestPlugins {
  /** The type of the library; films when absent. */
  readonly libraryType?: string;
  readonly probe?: (file: ProbeFile) => ProbeOutcome | Promise<ProbeOutcome>;
  /** The item of a file, by its path; that of its folder when absent. */
  readonly item?: (path: string) => string;
  /** The stage `name` of the indexer; `identifyByFolder` when absent. */
  readonly name?: (path: string) => Identification;
  /** The stage `full` of an indexer, by plugin; `later` = it cannot ask about the file now. */
  readonly full?: Readonly<Record<string, (file: IndexFile) => Told | Promise<Told>>>;
  /** Those of them that may reach the network. */
  readonly remote?: readonly string[];
  /** Those of them that do not run; it may change. */
  readonly absent?: ReadonlySet<string>;
  readonly hooks?: Partial<Omit<ItemHooks, 'runAll'>> & { readonly run?: RunHook };
  /** The version of the answers of a plugin; 1 when absent. */
  readonly answersVersionOf?: (pluginId: string) => number;
}

type Told = Identification | 'later' | null;
type ItemHooks = Parameters<typeof createIngestion>[0]['hooks'];
type RunAll = ItemHooks['runAll'];

/** The chain of one item. */
type RunHook = (
  name: Parameters<RunAll>[0],
  input: Parameters<RunAll>[1][number],
) => Promise<Awaited<ReturnType<RunAll>>[number]>;

export interface TestIngestion extends Ingestion {
  readonly library: TestLibrary;
  readonly jobs: Jobs;
  readonly libraryId: string;
  /** Everything that plugins were called with. */
  readonly calls: { readonly pluginId: string; readonly method: string; readonly input: unknown }[];
  /** What is to be asked later about an item, by source. */
  readonly waiting: (itemId: string) => Readonly<Record<string, LookupEnding>>;
  /** Brings files in as a scan does. */
  readonly scan: (paths: readonly string[], modifiedAt?: number) => Promise<void>;
  /** Runs a job of the type `probe`, or another one, to its end. */
  readonly run: (job?: { type: string; payload?: Record<string, unknown> }) => Promise<Job>;
  readonly close: () => Promise<void>;
}

export const root = 'file:///films';

const silent = { hasSubscribers: () => false, requiresLocalFile: () => false } as const;

/** Opens an ingestion of one library with the root `file:///films`. */
export async function openTestIngestion(plugins: TestPlugins = {}): Promise<TestIngestion> {
  const calls: TestIngestion['calls'] = [];
  const call: CallPlugin = async (pluginId, method, input, options) => {
    calls.push({ pluginId, method, input });
    const { files = [], stage } = input as { files?: readonly object[]; stage?: string };
    if (method === 'probe.probe') {
      const outcome = async (file: ProbeFile): Promise<ProbeOutcome> =>
        plugins.probe?.(file) ?? { kind: 'unsupported' };
      return { results: await Promise.all(files.map((file) => outcome(file as ProbeFile))) };
    }
    if (method === 'indexer.index' && stage === 'full') {
      const tell = plugins.full?.[pluginId] ?? ((file) => identifyByFolder(file.path));
      const answers = await Promise.all(files.map(async (file) => tell(file as IndexFile)));
      const later = answers.flatMap((answer, at) => (answer === 'later' ? at : []));
      return { results: answers.map((answer) => (answer === 'later' ? null : answer)), later };
    }
    if (method === 'library.group' && plugins.item) {
      const { item } = plugins;
      return { keys: files.map((file) => item((file as IndexFile).path)) };
    }
    if (method === 'indexer.index' && plugins.name) {
      const { name } = plugins;
      return { results: files.map((file) => name((file as IndexFile).path)) };
    }
    return answerByFolder(pluginId, method, input, options);
  };
  // As the kernel has them: installed plugins before the built-in one.
  const indexers = [...Object.keys(plugins.full ?? {}).filter(isOther), 'by-folder'];
  const capabilityConfigOf = (pluginId: string): CapabilityConfig => ({
    probe: { extensions: ['mkv'] },
    indexer: { stages: pluginId === 'by-folder' ? ['name', 'full'] : ['full'] },
  });
  const providers = (capability: string): readonly string[] =>
    capability === 'indexer'
      ? indexers.filter((id) => plugins.absent?.has(id) !== true)
      : ['by-folder'];
  const usesNetwork = (pluginId: string): boolean => plugins.remote?.includes(pluginId) ?? false;
  const waiting = new Map<string, Map<string, LookupEnding>>();
  const references = testReferences({
    mayFetch: (pluginId) => pluginId !== 'without-net',
    roots: () => [root],
  });
  const library = await openTestLibrary(
    { call, providers, capabilityConfigOf, usesNetwork, ...references },
    undefined,
    [jobMigrations, playbackMigrations],
  );
  const { id: libraryId } = await library.libraries.create({
    name: 'Films',
    type: plugins.libraryType ?? 'movies',
    roots: [root],
  });
  const emit = (type: string, data: object): void =>
    void library.events.push({ type, data: { ...data } });
  const ingestion = createIngestion({
    ...library,
    ...references,
    database: library.storage.database,
    call,
    providers,
    capabilityConfigOf,
    answersVersionOf: plugins.answersVersionOf ?? (() => 1),
    hooks: {
      ...silent,
      ...plugins.hooks,
      runAll: async (name, inputs) =>
        Promise.all(
          inputs.map(
            async (input) => plugins.hooks?.run?.(name, input) ?? { output: input, provenance: [] },
          ),
        ),
    },
    fingerprints: async (uris) => new Map(uris.map((uri) => [uri, printOf(uri)])),
    withLocalFiles: (uris, work) => work(new Map(uris.map((uri) => [uri, `/here${uri.slice(7)}`]))),
    retryQueue: {
      note: async (_libraryId, results) => {
        for (const { itemId, pluginId, ending } of results) {
          const own = waiting.get(itemId) ?? new Map<string, LookupEnding>();
          waiting.set(itemId, own);
          if (ending === 'asked' || ending === 'nothing') own.delete(pluginId);
          else own.set(pluginId, ending);
        }
      },
    },
    isAutomatic: true,
    absentProbes: () => [],
    booted: async () => undefined,
    emit,
    background: { batchSize: async (wanted) => wanted },
    clock: systemClock,
    log: silentLog,
  });
  const jobs = new Jobs({
    database: library.storage.database,
    emit,
    background: { waitForSlot: async () => undefined },
    clock: systemClock,
    newId: createUuidV7({ now: Date.now }),
    log: silentLog,
    libraryExists: async () => true,
  });
  jobs.register('probe', ingestion.probes);
  jobs.register('refresh', ingestion.refreshes);
  jobs.register('identify', ingestion.identifications);
  ingestion.attach({ jobs, events: { listen: () => () => undefined } });
  await jobs.start();

  async function run(
    { type, payload }: { type: string; payload?: Record<string, unknown> } = { type: 'probe' },
  ): Promise<Job> {
    const { id } = await jobs.enqueue({ type, libraryId, ...(payload && { payload }) });
    await jobs.idle();
    return jobs.get(id, everything);
  }

  return {
    ...ingestion,
    library,
    jobs,
    libraryId,
    calls,
    waiting: (itemId) => Object.fromEntries(waiting.get(itemId) ?? []),
    run,
    scan: async (paths, modifiedAt = 1) => {
      const files = paths.toSorted().map((path) => toScanned(path, modifiedAt));
      const range = { libraryId, root, after: null, through: null, unreadable: [] };
      await library.reconcile({ ...range, files });
    },
    close: async () => {
      await jobs.stop();
      await library.close();
    },
  };
}

/** Sees and may do everything. */
export const everything = serverViewer;

const isOther = (pluginId: string): boolean => pluginId !== 'by-folder';

const printOf = (uri: string): string =>
  Buffer.from(uri).toString('hex').slice(-32).padStart(32, '0');

function toScanned(path: string, modifiedAt: number) {
  const uri = `${root}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const isMedia = /\.(?:mkv|heic|mov|mp4)$/i.test(path);
  return { uri, size: path.length, modifiedAt, ...(!isMedia && { type: 'auxiliary' as const }) };
}
