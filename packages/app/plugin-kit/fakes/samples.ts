/** One sample input of each call that a server makes into plugins, from a fake library. */
import type {
  EventCatalogue,
  EventName,
  HookCatalogue,
  HookName,
  Manifest,
  MethodCatalogue,
  MethodName,
  ViewCatalogue,
  ViewName,
} from '../../../../plugin-api/index.ts';
import { eventNames } from '../../../../plugin-api/index.ts';
import { extensionOf, fakeId, type FakeItem } from './fake-item.ts';
import type { FakeLibrary } from './fake-library.ts';

/** One sample call. */
export type Sample =
  | { readonly kind: 'event'; readonly name: string; readonly input: object }
  | { readonly kind: 'hook'; readonly name: HookName; readonly input: object }
  | { readonly kind: 'view'; readonly name: ViewName; readonly input: object }
  | { readonly kind: 'method'; readonly name: MethodName; readonly input: object };

/** The sample calls after each load: one for each subscription of the manifest. */
export function samplesFor(manifest: Manifest, library: FakeLibrary): readonly Sample[] {
  const { events = [], hooks = [], views = [] } = manifest.subscriptions ?? {};
  const names = new Set(events.flatMap(namesFitting));
  return [
    ...[...names].map((name) => sampleOf(library, 'event', name)),
    ...hooks.map(({ name }) => sampleOf(library, 'hook', name)),
    ...views.map((name) => sampleOf(library, 'view', name)),
    ...methodsOf(manifest).map((name) => sampleOf(library, 'method', name)),
  ].flatMap((sample) => sample ?? []);
}

/** The sample of one name; `null` when there is none. */
export function sampleOf(library: FakeLibrary, kind: Sample['kind'], name: string): Sample | null {
  const item = library.items()[0];
  if (!item) return null;
  switch (kind) {
    case 'event': {
      const known = eventNames.find((one) => one === name);
      return { kind, name, input: known ? eventData(item)[known] : { note: 'a sample' } };
    }
    case 'hook': {
      const inputs = hookInputs(library, item);
      return isKeyOf(inputs, name) ? { kind, name, input: inputs[name] } : null;
    }
    case 'view': {
      const contexts = viewContexts(library, item);
      return isKeyOf(contexts, name) ? { kind, name, input: contexts[name] } : null;
    }
    case 'method': {
      const inputs = methodInputs(library, item);
      const input = isKeyOf(inputs, name) ? inputs[name] : undefined;
      return input ? { kind, name: name as MethodName, input } : null;
    }
  }
}

const isKeyOf = <Table extends object>(table: Table, name: string): name is string & keyof Table =>
  Object.hasOwn(table, name);

/** The catalogue names that a subscription matches; the name of another plugin's event stands for itself. */
function namesFitting(pattern: string): readonly string[] {
  if (!pattern.includes('*')) return [pattern];
  const parts = pattern.split('.');
  return eventNames.filter((name) => {
    const segments = name.split('.');
    const fits = (part: string, at: number) => part === '*' || part === segments[at];
    return segments.length === parts.length && parts.every(fits);
  });
}

/** Methods without side effects; the author calls the others by hand. */
function methodsOf({ capabilities }: Manifest): readonly MethodName[] {
  return [
    ...(capabilities.includes('indexer')
      ? (['indexer.supports', 'indexer.index', 'indexer.search'] as const)
      : []),
    ...(capabilities.includes('library') ? (['library.describe', 'library.group'] as const) : []),
    ...(capabilities.includes('probe') ? (['probe.probe'] as const) : []),
    ...(capabilities.includes('search') ? (['search.index', 'search.query'] as const) : []),
  ];
}

function eventData(item: FakeItem): { readonly [Name in EventName]: EventCatalogue[Name] } {
  const { id: itemId, libraryId, title } = item;
  const jobId = fakeId(4, 1);
  const one = { itemId, libraryId, title };
  const scan = { libraryId, jobId, found: 12, added: 3, changed: 1, moved: 0, gone: 0 };
  const job = { jobId, type: 'scan', libraryId, status: 'running', progress: 0.5 };
  const running = { ...job, errorMessage: null };
  const completed = { ...running, status: 'completed', progress: 1 };
  const failed = { ...running, status: 'failed', errorMessage: 'The disk is gone.' };
  const plugin = { pluginId: 'another-plugin', version: '1.0.0', errorMessage: null };
  const profileId = fakeId(5, 1);
  const played = { itemId, profileId, duration: 5400 };
  const entityId = item.entities[0]?.id ?? fakeId(3, 1);
  const collection = { collectionId: fakeId(8, 1), kind: 'playlist', profileId } as const;
  const session = { sessionId: fakeId(6, 1), itemId };
  const step = { itemId, libraryId, step: 'identify' };
  const detail = { jobId, detail: { libraryId, settled: 3, failed: 0, enriched: 3 } };
  return {
    'library.scan.started': { ...scan, found: 0, added: 0, changed: 0 },
    'library.scan.progress': scan,
    'library.scan.completed': scan,
    'library.item.added': one,
    'library.item.updated': one,
    'library.item.removed': one,
    'library.item.enriched': one,
    'library.created': { libraryId, name: 'Films' },
    'library.updated': { libraryId, name: 'Films' },
    'library.deleted': { libraryId, name: 'Films' },
    'job.started': { ...running, progress: 0, attempt: 1 },
    'job.progress': running,
    'job.completed': completed,
    'job.failed': failed,
    'transcode.started': { ...session, progress: 0 },
    'transcode.progress': { ...session, progress: 0.5 },
    'transcode.stopped': { ...session, progress: 1 },
    'plugin.discovered': { ...plugin, state: 'discovered' },
    'plugin.started': { ...plugin, state: 'running' },
    'plugin.stopped': { ...plugin, state: 'stopped' },
    'plugin.restarted': { ...plugin, state: 'running' },
    'plugin.error': { ...plugin, state: 'failed', errorMessage: 'It ran out of memory.' },
    'notification.created': { id: fakeId(7, 1), level: 'info', title: 'A sample', source: 'jobs' },
    'playback.progress': { ...played, position: 1200, completed: false },
    'playback.completed': { ...played, position: 5390, completed: true },
    'playback.removed': { ...played, position: 0, completed: false },
    'playback.marked': { itemId, profileId, favourite: true, myRating: 4.5 },
    'playback.entityMarked': { entityId, profileId, favourite: true, myRating: null },
    'collection.created': collection,
    'collection.updated': collection,
    'collection.deleted': collection,
    'scheduler.started': { tasks: ['backup'] },
    'pipeline.item.discovered': { itemId, libraryId, state: 'discovered' },
    'pipeline.item.stateChanged': { itemId, libraryId, state: 'probing' },
    'pipeline.item.completed': { itemId, libraryId, state: 'completed' },
    'pipeline.step.started': { ...step, durationMs: null },
    'pipeline.step.completed': { ...step, durationMs: 12 },
    'admin.pipeline.jobCreated': { ...running, progress: 0 },
    'admin.pipeline.jobUpdated': running,
    'admin.pipeline.jobCompleted': completed,
    'admin.pipeline.jobFailed': failed,
    'admin.pipeline.taskUpdated': detail,
    'admin.pipeline.jobDetailUpdated': detail,
    'server.shutdown': { reason: 'signal' },
    'backup.changed': { change: 'made' },
    'user.changed': { subject: 'user', id: fakeId(8, 1) },
  };
}

function hookInputs(
  library: FakeLibrary,
  item: FakeItem,
): { readonly [Name in HookName]: HookCatalogue[Name]['input'] } {
  const input = library.hookInput(item.id);
  return {
    'pipeline.scan.prepare': { libraryType: 'movies', fsPlugin: 'filesystem-local' },
    'pipeline.probe.afterProcess': input,
    'pipeline.index.afterProcess': input,
    'pipeline.item.beforeActivate': input,
  };
}

function viewContexts(
  library: FakeLibrary,
  { id: itemId, libraryId }: FakeItem,
): { readonly [Name in ViewName]: ViewCatalogue[Name] } {
  const libraryType = library.libraries().find(({ id }) => id === libraryId)?.type ?? 'movies';
  return {
    'ui.item.detail.actions': { itemId, libraryType },
    'ui.item.detail.panels': { itemId, libraryType },
    'ui.library.header.actions': { libraryId },
    'ui.player.overlays': { itemId, sessionId: fakeId(6, 1) },
    'ui.home.sections': {},
    'ui.shell': {},
    'ui.settings.sections': {},
  };
}

type MethodInputs = { readonly [Name in MethodName]?: MethodCatalogue[Name]['input'] };

function methodInputs(library: FakeLibrary, item: FakeItem): MethodInputs {
  const { libraryId, title, metadata } = item;
  const owner = library.libraries().find(({ id }) => id === libraryId);
  const libraryType = owner?.type ?? 'movies';
  const [file] = item.files;
  const root = owner?.roots[0] ?? '';
  const path = decodeURIComponent(file?.uri.slice(root.length + 1) ?? '');
  const size = file?.size ?? 0;
  return {
    'indexer.supports': { libraryType },
    'indexer.index': {
      libraryId,
      libraryType,
      stage: 'full',
      files: [{ path, size, known: { title, metadata, ids: {} } }],
    },
    'indexer.search': { libraryType, query: title, limit: 5 },
    'library.describe': { libraryType },
    'library.group': { libraryId, libraryType, files: [{ path, identification: null }] },
    'probe.probe': {
      libraryId,
      libraryType,
      files: [{ uri: file?.uri ?? '', size, extension: extensionOf(path) }],
    },
    'search.index': {},
    'search.query': { q: title, limit: 5, scopes: null },
    'notifier.deliver': {
      notification: {
        id: fakeId(7, 1),
        level: 'info',
        title: 'A sample',
        message: 'It was made by hand.',
        source: 'jobs',
        createdAt: '2026-11-21T07:44:53.000Z',
      },
    },
    'schedule.wake': { name: 'sample' },
  };
}
