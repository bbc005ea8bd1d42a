import { expect, onTestFinished, test } from 'vitest';
import { serverViewer } from '../../../people/viewer/index.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';

const root = 'file:///films';

/** The key of a file, by its name; its title is the key too. */
type KeyOf = (name: string) => string;

const byLetter: KeyOf = (name) => name.slice(0, 1);
const byName: KeyOf = (name) => name;

let keyOf: KeyOf | null;
let joined: object[];
let library: TestLibrary;

/** A library with these files, grouped in one way; from then on the plugins group in another. */
async function open(names: readonly string[], before: KeyOf, after: KeyOf | null): Promise<void> {
  keyOf = before;
  joined = [];
  library = await openTestLibrary({
    joined: async (_, pair) => void joined.push(pair),
    call: async (_pluginId, method, input) => {
      if (method === 'indexer.supports') return true;
      if (method === 'library.describe') return { extensions: ['mkv'] };
      if (keyOf === null) throw new Error('It is not there.');
      const read = keyOf;
      const { files } = input as { files: readonly { path: string }[] };
      const keys = files.map(({ path }) => read(path.replace('.mkv', '')));
      if (method === 'library.group') return { keys };
      return { results: keys.map((title) => ({ title, metadata: {}, edition: title })) };
    },
  });
  onTestFinished(library.close);
  const { id } = await library.libraries.create({ name: 'Films', type: 'movies', roots: [root] });
  await library.reconcile({
    ...{ libraryId: id, root, after: null, through: null, unreadable: [] },
    files: names.map((name) => ({ uri: `${root}/${name}.mkv`, size: 1, modifiedAt: 1 })),
  });
  await library.storage.database.write((trx) => trx('files').update({ ingest_state: 0 }));
  keyOf = after;
}

async function regroup(): Promise<void> {
  const [{ id } = { id: '' }] = await library.libraries.list(serverViewer);
  const row = await library.ingests.library(id);
  if (row === undefined) throw new Error('The library is gone.');
  let after: number | null = 0;
  // One item a page, so that items of different pages meet.
  while (after !== null) after = await library.ingests.regroup(row, { after, limit: 1 });
}

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly files: string;
}

async function shown(): Promise<readonly Shown[]> {
  const { items } = await library.items.list(serverViewer, { limit: 100 });
  return items.map(({ id, title, files }) => ({
    ...{ id, title },
    files: files
      .map(({ filename }) => filename?.replace('.mkv', ''))
      .toSorted()
      .join(' '),
  }));
}

const waiting = async (): Promise<readonly string[]> =>
  library.storage.database
    .read('files')
    .where('ingest_state', '>', 0)
    .orderBy('uri')
    .pluck<string[]>('uri');

test('an item under another key keeps its id, and its files wait for the ingest', async () => {
  await open(['a1', 'a2', 'b1'], byLetter, (name) => `${byLetter(name)}!`);
  const before = await shown();

  await regroup();

  expect(await shown()).toEqual(before);
  expect(await waiting()).toHaveLength(3);
  const rows = library.storage.database.read('items').orderBy('group_key');
  expect(await rows.pluck('group_key')).toEqual(['a!', 'b!']);
});

test('files that are several items now become these, and one keeps the id', async () => {
  await open(['a1', 'a2', 'b1'], byLetter, byName);
  const [a, b] = await shown();

  await regroup();

  expect(await shown()).toEqual([
    { id: a?.id, title: 'a', files: 'a1' },
    { id: expect.any(String), title: 'a2', files: 'a2' },
    { id: b?.id, title: 'b', files: 'b1' },
  ]);
  expect(joined).toEqual([]);
});

test('items that are one now become one, with what people said of each and edited', async () => {
  await open(['a1', 'a2', 'b1'], byName, byLetter);
  const [first, second, b] = await shown();
  await library.items.update(second?.id ?? '', { title: 'Mine' }, serverViewer);

  await regroup();

  expect(await shown()).toEqual([
    { id: first?.id, title: expect.any(String), files: 'a1 a2' },
    { id: b?.id, title: 'b1', files: 'b1' },
  ]);
  expect(joined).toEqual([{ from: second?.id, to: first?.id }]);
  const row = await library.storage.database.read('items').where({ id: first?.id }).first('edits');
  expect(JSON.parse(String(row.edits))).toEqual({ title: 'Mine' });
  const gone = await library.items.list(serverViewer, { limit: 100 });
  expect(gone.items.map(({ id }) => id)).not.toContain(second?.id);
});

test('items that swap their keys keep their own files', async () => {
  await open(['a', 'b'], byName, (name) => (name === 'a' ? 'b' : 'a'));
  const before = await shown();

  await regroup();

  expect((await shown()).map(({ id, files }) => [id, files])).toEqual(
    before.map(({ id, files }) => [id, files]),
  );
  expect(joined).toEqual([]);
});

test('a file that has a place of its own on a disc keeps it, another one gets its edition', async () => {
  await open(['a1', 'a2'], byLetter, (name) => `${byLetter(name)}!`);
  const { write, read } = library.storage.database;
  await write(async (trx) => {
    const { no } = await trx('files').where('uri', 'like', '%a2%').first<{ no: number }>('no');
    const rest = JSON.stringify({ disc: { role: 'main' } });
    await trx('kept_reports').insert({ file_no: no, plugin_id: 'p', rest });
  });

  await regroup();

  expect(await read('files').orderBy('uri').pluck('edition')).toEqual(['a!', 'a']);
});

test.each([
  ['the plugins are away', null],
  ['they say the same', byLetter],
] as const)('nothing changes while %s', async (_, after) => {
  await open(['a1', 'a2', 'b1'], byLetter, after);
  const before = await shown();
  library.events.length = 0;

  await regroup();

  expect(await shown()).toEqual(before);
  expect(await waiting()).toEqual([]);
  expect(library.events).toEqual([]);
});
