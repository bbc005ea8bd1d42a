import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import { serverViewer, visibilityOfLibraries, type Viewer } from '../../../people/viewer/index.ts';

const root = 'file:///films';
const names = ['Alien (1979)/a%20b.mkv', 'Brazil (1985)/b.mkv', 'Cube (1997)/c.mkv'];

let library: TestLibrary;
let libraryId: string;

/** An admin who sees only items of this library up to PG. */
const limited = (): Viewer => ({
  ...serverViewer,
  visibility: {
    libraries: new Map([[libraryId, [[{ system: 'MPAA', label: 'PG' }]]]]),
    showsHidden: false,
  },
});

const scan = () =>
  library.reconcile({
    libraryId,
    root,
    after: null,
    through: null,
    files: names.map((name) => ({ uri: `${root}/${name}`, size: 7, modifiedAt: 1 })),
    unreadable: [],
    digest: 'same',
  });
/** A scan that claims that nothing has changed. */
const passKnown = () =>
  library.reconcile({
    ...{ libraryId, root, after: null, through: null, files: [], unreadable: [] },
    ...{ digest: 'same', isKnown: true },
  });
const titles = async () => (await library.items.list(serverViewer, {})).items;
const idOf = async (wanted: string) =>
  (await titles()).find(({ title }) => title === wanted)?.id ?? '';
const removed = (viewer: Viewer = serverViewer) => library.held.removedFiles(libraryId, viewer, {});

beforeEach(async () => {
  library = await openTestLibrary();
  onTestFinished(library.close);
  const made = await library.libraries.create({ name: 'Films', type: 'movies', roots: [root] });
  libraryId = made.id;
  await scan();
});

describe('what a library holds and does not show', () => {
  test('files of removed items are listed, and the next scan makes items of those shown again', async () => {
    for (const title of ['Alien', 'Cube'])
      await library.items.remove(await idOf(title), serverViewer);
    await passKnown();
    const { entries } = await removed();
    const paths = entries.map(({ path }) => path);

    const count = await library.held.restore(
      libraryId,
      [entries[0]?.fileId ?? '', 'another'],
      serverViewer,
    );

    expect([paths, count]).toEqual([['Alien (1979)/a b.mkv', 'Cube (1997)/c.mkv'], 1]);
    await expect(passKnown()).rejects.toMatchObject({ code: 'conflict' });
    await scan();
    expect((await titles()).map(({ title }) => title)).toEqual(['Alien', 'Brazil']);
    expect((await removed()).entries.map(({ path }) => path)).toEqual(['Cube (1997)/c.mkv']);
  });

  test('files that could not be read are listed with the reason, page by page', async () => {
    await library.storage.database.write(async (trx) => {
      const error = { code: 'truncated', message: 'It ends at 7 bytes.' };
      const failed = { file_info: JSON.stringify({ error }), ingest_error: error.code };
      await trx('files')
        .whereNot('uri', `${root}/${names[1] ?? ''}`)
        .update(failed);
    });
    const first = await library.held.unreadFiles(libraryId, serverViewer, { limit: 1 });
    const cursor = first.nextCursor ?? '';
    const second = await library.held.unreadFiles(libraryId, serverViewer, { limit: 1, cursor });

    expect(first.entries).toEqual([
      {
        fileId: expect.any(String),
        itemId: await idOf('Alien'),
        ...{ title: 'Alien', path: 'Alien (1979)/a b.mkv' },
        ...{ code: 'truncated', message: 'It ends at 7 bytes.' },
      },
    ]);
    expect(second).toMatchObject({ entries: [{ title: 'Cube' }], nextCursor: null });
  });

  test('hidden entities with items in the library are listed', async () => {
    const { entities } = await library.entities.list(serverViewer, { type: 'genre' });
    const { id = '', name } = entities[0] ?? {};
    await library.entities.update(id, { hidden: true }, serverViewer);

    const page = await library.held.hiddenEntities(libraryId, serverViewer, {});

    expect(page).toEqual({ entries: [{ id, type: 'genre', name }], nextCursor: null });
  });

  test('who is limited by certifications sees none of it, and others do not find the library', async () => {
    await library.items.remove(await idOf('Alien'), serverViewer);
    const { entries } = await removed();
    const ids = entries.map(({ fileId }) => fileId);
    const stranger = { ...serverViewer, visibility: visibilityOfLibraries(['another']) };

    expect((await removed(limited())).entries).toEqual([]);
    expect(await library.held.restore(libraryId, ids, limited())).toBe(0);
    await expect(removed(stranger)).rejects.toMatchObject({ code: 'not_found' });
  });
});
