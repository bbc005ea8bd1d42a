import { randomBytes, randomInt } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { answerByFolder, openTestLibrary } from '../../../../test/support/library/library.ts';
import { isOverPostgres } from '../../../../test/support/storage/postgres.ts';
import { serverViewer } from '../../../people/viewer/index.ts';

const root = 'file:///films';

/** Letters of four bytes each, in an order that nothing compresses. */
const rare = (length: number): string =>
  Array.from({ length }, () => String.fromCodePoint(0x20000 + randomInt(40_000))).join('');

test('the longest paths, titles, names and keys do not stop a scan', async () => {
  const title = rare(500);
  const [first, second] = [rare(500), rare(500)];
  const library = await openTestLibrary({
    call: async (pluginId, method, input, options) => {
      const { files = [] } = input as { files?: readonly { path: string }[] };
      const named = { title, metadata: {}, entities: { director: [{ name: title }] } };
      if (method === 'indexer.index') return { results: files.map(() => named) };
      if (method === 'library.group')
        return { keys: files.map((file) => (file.path === 'a.mkv' ? first : second)) };
      return answerByFolder(pluginId, method, input, options);
    },
  });
  onTestFinished(library.close);
  const { id } = await library.libraries.create({ name: 'Films', type: 'movies', roots: [root] });
  const deep = `${root}/b/${randomBytes(6000).toString('base64url')}.mkv`;
  const page = { libraryId: id, root, after: null, through: null, unreadable: [] };

  const found = await library.reconcile({
    ...page,
    files: [{ uri: `${root}/a.mkv`, size: 1, modifiedAt: 1 }],
  });
  const both = await library.reconcile({
    ...page,
    files: [
      { uri: `${root}/a.mkv`, size: 1, modifiedAt: 1 },
      { uri: deep, size: 1, modifiedAt: 1 },
    ],
  });

  expect(found).toMatchObject({ added: 1 });
  // PostgreSQL holds no URI of that length.
  expect(both).toMatchObject({ added: isOverPostgres ? 0 : 1, unchanged: 1 });
  const { items } = await library.items.list(serverViewer, { limit: 10 });
  expect(items).toHaveLength(isOverPostgres ? 1 : 2);
});
