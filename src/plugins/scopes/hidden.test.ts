import { describe, expect, test } from 'vitest';
import type { Reach } from '../../../kernel/index.ts';
import { eventNames, type EventCatalogue, type EventName } from '../../../plugin-api/index.ts';
import type { Authors } from './authors.ts';
import { createHidden } from './hidden.ts';

const libraries = [
  { id: 'films', name: 'Films', roots: ['file:///media/films'] },
  { id: 'secret', name: 'Therapy', roots: ['file:///media/Best%20kept'] },
];
const locations = (hiddenIds: readonly string[]) => ({
  libraries: () => libraries,
  isHidden: (id: string) => hiddenIds.includes(id),
  ofItems: async (ids: readonly string[]) =>
    new Map(
      ids.flatMap((id) =>
        id === 'heat' || id === 'talk'
          ? [[id, { libraryId: id === 'heat' ? 'films' : 'secret', uris: [] }] as const]
          : [],
      ),
    ),
  named: async (ids: readonly string[]) => ({
    items: ids.flatMap((id) => {
      if (!/heat|talk/.test(id)) return [];
      return [{ libraryId: id.includes('heat') ? 'films' : 'secret', uris: [] }];
    }),
    entities: ids.flatMap((id) => entities.get(id) ?? []).map((libraryIds) => [...libraryIds]),
  }),
});
/** With the libraries in which they have an item, each once. */
const entities = new Map([
  ['doctor', [['secret']]],
  ['actor', [['films', 'secret']]],
  ['nobody', [[]]],
]);

/** The plugins of the server, by what they were granted. */
const reaches: Readonly<Record<string, Reach>> = {
  everywhere: 'all',
  narrow: [{ id: 'films' }],
  'in-folder': [{ id: 'films', folders: ['file:///media/films/Kids'] }],
  nowhere: [],
  'in-secret': [{ id: 'films' }, { id: 'secret', folders: ['file:///media/Best%20kept/a'] }],
  own: 'all',
};
const authors: Authors = {
  withSlug: (slug) => Object.keys(reaches).filter((id) => id.replace('-', '') === slug),
  runnerOf: (type) => type.split('.')[0],
  reachOf: (id) => reaches[id] ?? null,
  isOwn: (id) => id === 'own',
};
const hidden = createHidden(locations(['secret', 'removed']), authors);

describe('the data of an event of the server', () => {
  test.each<readonly [object, boolean]>([
    [{ libraryId: 'films', itemId: 'talk', title: 'Therapy' }, false],
    [{ libraryId: 'secret', title: 'Heat' }, true],
    [{ libraryId: 'removed' }, true],
    [{ detail: { libraryId: 'secret' } }, true],
    [{ itemId: 'heat', profileId: 'p' }, false],
    [{ itemId: 'talk', profileId: 'p' }, true],
    [{ itemId: 'unknown' }, true],
    [{ jobId: 'j', libraryId: null, type: 'scan' }, false],
    [{ title: 'The job scan of Therapy failed.', message: '' }, true],
    [{ title: 'A file', message: '/media/Best kept/a.mp3 could not be read.' }, true],
    [{ note: { deep: ['file:///media/Best%20kept/a.mp3'] } }, true],
    [{ about: ['talk'] }, true],
    [{ about: ['heat'], title: 'Films' }, false],
    [{ fileId: 'file-of-talk' }, true],
    [{ assetId: 'picture-of-talk' }, true],
    [{ fileId: 'file-of-heat' }, false],
    [{ entityId: 'doctor' }, true],
    [{ entityId: 'actor' }, false],
    [{ entityId: 'nobody' }, false],
    [{}, false],
  ])('%j tells of a hidden library: %j', async (data, isHidden) => {
    expect(await hidden.isIn({ type: 'a.kind', data }, 'everywhere')).toBe(isHidden);
  });

  const item = { itemId: 'talk', libraryId: 'secret' };
  const job = {
    ...{ jobId: 'j', type: 'scan', libraryId: 'secret', status: 'running' },
    ...{ progress: 0, errorMessage: null },
  };
  const counts = { found: 1, added: 1, changed: 0, moved: 0, gone: 0 };
  const scan = { libraryId: 'secret', jobId: 'j', ...counts };
  const played = { itemId: 'talk', profileId: 'p', position: 1, duration: 2, completed: false };
  const session = { sessionId: 's', itemId: 'talk', progress: 0 };
  const library = { libraryId: 'secret', name: 'Other' };
  const work = { jobId: 'j', detail: { libraryId: 'secret', settled: 1 } };
  const plugin = { pluginId: 'narrow', version: '1.0.0', state: 'failed', errorMessage: 'Therapy' };
  /** Of each kind one that is about the hidden library, and names it by nothing but its ids where it can. */
  const about: { readonly [Name in EventName]: EventCatalogue[Name] | null } = {
    'admin.pipeline.jobCompleted': job,
    'admin.pipeline.jobCreated': job,
    'admin.pipeline.jobDetailUpdated': work,
    'admin.pipeline.jobFailed': job,
    'admin.pipeline.jobUpdated': job,
    'admin.pipeline.taskUpdated': work,
    // They name no item.
    'collection.created': null,
    'collection.deleted': null,
    'collection.updated': null,
    'job.completed': job,
    'job.failed': job,
    'job.progress': job,
    'job.started': job,
    'library.created': library,
    'library.deleted': library,
    'library.item.added': { ...item, title: '' },
    'library.item.enriched': { ...item, title: '' },
    'library.item.removed': { ...item, title: '' },
    'library.item.updated': { ...item, title: '' },
    'library.scan.completed': scan,
    'library.scan.progress': scan,
    'library.scan.started': scan,
    'library.updated': library,
    'notification.created': { id: 'n', level: 'info', title: 'Therapy', source: 'jobs' },
    'pipeline.item.completed': { ...item, state: 'completed' },
    'pipeline.item.discovered': { ...item, state: 'discovered' },
    'pipeline.item.stateChanged': { ...item, state: 'probing' },
    'pipeline.step.completed': { ...item, step: 'probe', durationMs: 1 },
    'pipeline.step.started': { ...item, step: 'probe', durationMs: null },
    'playback.completed': played,
    'playback.entityMarked': {
      ...{ entityId: 'doctor', profileId: 'p', favourite: true, myRating: null },
    },
    'playback.marked': { itemId: 'talk', profileId: 'p', favourite: true, myRating: null },
    'playback.progress': played,
    'playback.removed': played,
    'plugin.discovered': plugin,
    'plugin.error': plugin,
    'plugin.restarted': plugin,
    'plugin.started': plugin,
    'plugin.stopped': plugin,
    // They name nothing.
    'scheduler.started': null,
    'server.shutdown': null,
    'transcode.progress': session,
    'transcode.started': session,
    'transcode.stopped': session,
    'user.changed': null,
    'backup.changed': null,
  };

  test.each(eventNames.filter((name) => about[name] !== null))(
    '%s is traced to its library by what it names',
    async (type) => {
      const data = about[type];

      expect(await hidden.isIn({ type, data }, 'everywhere')).toBe(true);
      const elsewhere = JSON.stringify(data)
        .replaceAll('secret', 'films')
        .replaceAll('talk', 'heat')
        .replaceAll('doctor', 'actor')
        .replaceAll('Therapy', 'Films');
      const told = { type, data: JSON.parse(elsewhere) as unknown };
      expect(await hidden.isIn(told, 'everywhere')).toBe(false);
    },
  );
});

/** What nobody can trace: a name in another spelling, a number, nothing at all. */
const disguised = [
  { libraryId: 'films', note: Buffer.from('Therapy').toString('base64') },
  { note: 'y p a r e h T' },
  { note: 7 },
  {},
];

describe('text of a plugin while a library is hidden', () => {
  test.each([
    ['plugin.everywhere.told', true],
    ['plugin.insecret.told', true],
    ['plugin.gone.told', true],
    ['plugin.narrow.told', false],
    ['plugin.infolder.told', false],
    ['plugin.nowhere.told', false],
    ['plugin.own.told', true],
  ])('%s may come from the hidden library, with any text: %j', async (type, isHidden) => {
    for (const data of disguised)
      expect([data, await hidden.isIn({ type, data }, 'listener')]).toEqual([data, isHidden]);
  });

  test('is delivered to the plugin that wrote it', async () => {
    for (const data of [...disguised, { note: 'Therapy' }])
      expect(await hidden.isIn({ type: 'plugin.everywhere.told', data }, 'everywhere')).toBe(false);
  });

  test('by name is withheld, also of a plugin that may not know it', async () => {
    const data = { note: 'Therapy' };

    expect(await hidden.isIn({ type: 'plugin.narrow.told', data }, 'listener')).toBe(true);
  });

  test.each([
    ['notification.created', { title: 'x', source: 'plugin everywhere' }, true],
    ['notification.created', { title: 'x', source: 'plugin narrow' }, false],
    ['notification.created', { title: 'x', source: 'plugins', quotes: 'everywhere' }, true],
    ['notification.created', { title: 'x', source: 'plugins' }, false],
    ['plugin.error', { pluginId: 'everywhere', errorMessage: 'x' }, true],
    ['plugin.error', { pluginId: 'everywhere', errorMessage: null }, false],
    ['plugin.error', { pluginId: 'own', errorMessage: 'x' }, false],
    ['job.failed', { type: 'everywhere.tidy', libraryId: null, errorMessage: 'x' }, true],
    ['job.failed', { type: 'everywhere.tidy', libraryId: 'films', errorMessage: 'x' }, true],
    ['job.completed', { type: 'everywhere.tidy', libraryId: null, errorMessage: null }, false],
    ['job.failed', { type: 'own.scan', libraryId: 'films', errorMessage: 'x' }, false],
  ])('%s %j, which has its words, is withheld with them: %j', async (type, data, isHidden) => {
    expect(await hidden.isIn({ type, data }, 'listener')).toBe(isHidden);
  });

  test('in an event of the server does not free what the server says of it', async () => {
    const data = { type: 'everywhere.tidy', libraryId: 'secret', errorMessage: 'x' };

    expect(await hidden.isIn({ type: 'job.failed', data }, 'everywhere')).toBe(true);
  });
});

describe('the libraries of a plugin', () => {
  test('are all that are not hidden, and a hidden one that its grant names', () => {
    expect(hidden.shownOf('all')).toEqual([{ id: 'films' }]);
    expect(hidden.shownOf([{ id: 'secret' }])).toEqual([{ id: 'secret' }]);
  });

  test('are all while none is hidden', () => {
    const open = createHidden(locations([]), authors);

    expect([open.any(), open.shownOf('all')]).toEqual([false, 'all']);
  });
});
