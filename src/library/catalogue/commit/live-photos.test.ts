import { expect, onTestFinished, test } from 'vitest';
import { serverViewer } from '../../../people/viewer/index.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';

const root = 'file:///photos';

let joined: object[];
let library: TestLibrary;

/** A library in which each file is an item, and the ids that the probe read in some of them. */
async function open(ids: Readonly<Record<string, string>>, type = 'photos'): Promise<void> {
  joined = [];
  library = await openTestLibrary({
    joined: async (_, pair) => void joined.push(pair),
    call: async (_pluginId, method, input) => {
      if (method === 'indexer.supports') return true;
      const { files } = input as { files: readonly { path: string }[] };
      if (method === 'library.group') return { keys: files.map(({ path }) => path) };
      return { results: files.map(({ path }) => ({ title: path, metadata: {} })) };
    },
  });
  onTestFinished(library.close);
  const { id } = await library.libraries.create({ name: 'Photos', type, roots: [root] });
  const names = Object.keys(ids).toSorted();
  await library.reconcile({
    ...{ libraryId: id, root, after: null, through: null, unreadable: [] },
    files: names.map((name) => ({ uri: `${root}/${name}`, size: 1, modifiedAt: 1 })),
  });
}

/** What an ingest stores of all files. */
async function ingest(ids: Readonly<Record<string, string>>): Promise<void> {
  const { read } = library.storage.database;
  const files = await read('files').select<
    { no: number; item_no: number; uri: string; ingest_state: number }[]
  >('no', 'item_no', 'uri', 'ingest_state');
  const nothing = { texts: {}, entities: null, assets: [], subtitles: [], auxiliary: [] };
  await library.ingests.commit(
    files.map(({ no, item_no, uri, ingest_state: ticket }) => ({
      ...{ ...nothing, no: item_no, title: uri.slice(root.length + 1), metadata: {}, beside: [] },
      ...{ chapters: [], provenance: [], match: null, answers: new Map(), needsLook: false },
      ...{ knownAnswers: new Map(), keepsValues: false },
      files: [
        {
          ...{ no, ticket, classification: 'primary', partNumber: null, fileInfo: {} },
          ...{ duration: null, error: null, fingerprint: null },
          report: {
            ...{ pluginId: 'probe', answersVersion: 1 },
            rest: { tags: { ids: { 'apple-live-photo': ids[uri.slice(root.length + 1)] } } },
          },
        },
      ],
    })),
  );
}

async function items(): Promise<readonly string[]> {
  const list = await library.items.list(serverViewer, { limit: 100 });
  return list.items.map(({ files }) => files.map(({ filename }) => filename).join(' + '));
}

test('a photo and the film with its id are one item, which waits to be read again', async () => {
  const ids = { 'IMG_1.HEIC': 'one', 'IMG_2.HEIC': 'two', 'video-a.mov': 'one' };
  await open(ids);

  await ingest(ids);

  expect(await items()).toEqual(['IMG_1.HEIC + video-a.mov', 'IMG_2.HEIC']);
  expect(joined).toHaveLength(1);
  const waiting = library.storage.database.read('files').where('ingest_state', '>', 0);
  expect(await waiting.pluck('uri')).toEqual([`${root}/video-a.mov`]);
});

test('it stays one item when files are grouped again by their names', async () => {
  const ids = { 'IMG_1.HEIC': 'one', 'video-a.mov': 'one' };
  await open(ids);
  await ingest(ids);
  const [{ id } = { id: '' }] = await library.libraries.list(serverViewer);
  const row = await library.ingests.library(id);
  if (row === undefined) throw new Error('The library is gone.');

  await library.ingests.regroup(row, { after: 0, limit: 10 });

  expect(await items()).toEqual(['IMG_1.HEIC + video-a.mov']);
});

test.each([
  ['of another folder', { 'a/IMG_1.HEIC': 'one', 'b/x.mov': 'one' }, 'photos', 2],
  ['that are both photos', { 'IMG_1.HEIC': 'one', 'IMG_2.HEIC': 'one' }, 'photos', 2],
  ['with two photos', { 'IMG_1.HEIC': 'one', 'IMG_2.HEIC': 'one', 'x.mov': 'one' }, 'photos', 3],
  ['of a library of films', { 'IMG_1.HEIC': 'one', 'x.mov': 'one' }, 'movies', 2],
] as const)('files %s stay apart', async (_, ids, type, count) => {
  await open(ids, type);

  await ingest(ids);

  expect(await items()).toHaveLength(count);
});
