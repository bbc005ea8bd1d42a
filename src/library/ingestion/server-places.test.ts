/** No value that a plugin or a file fills freely names a place of the server, stored or shown. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  everything,
  openTestIngestion,
  root,
  type TestIngestion,
} from '../../../test/support/library/ingestion.ts';
import type { Viewer } from '../../people/viewer/index.ts';

const guest: Viewer = { ...everything, role: 'guest' };

/** Every kind of value that names a place, and what is left of it. */
const places = {
  uri: 'file:///secret/private.png',
  loud: 'FILE:///secret/private.png',
  path: '/films/private.png',
  escaped: 'see /films/A/private.png',
  root: '/films',
  deep: { list: ['kept', 'file:///secret/x', { path: '/films/x' }] },
  '/films/key': 1,
  web: 'https://example.org/films/a.png',
  word: '/filmstrip/profile: no place',
};
const left = {
  deep: { list: ['kept', {}] },
  web: 'https://example.org/films/a.png',
  word: '/filmstrip/profile: no place',
};

let ingestion: TestIngestion;

beforeEach(async () => {
  const person = {
    name: 'Ann',
    status: 'complete',
    source: '',
    metadata: { ...places, character: places.uri },
  };
  ingestion = await openTestIngestion({
    probe: () => ({
      kind: 'read',
      report: { container: 'matroska', streams: [], chapters: [{ startTime: 0 }] },
    }),
    full: {
      'by-folder': () => ({ title: 'A', metadata: places, entities: { actor: [person] } }),
    },
    hooks: {
      hasSubscribers: (name) => name === 'pipeline.index.afterProcess',
      run: async (_, input) => ({
        output: {
          ...input,
          bundle: {
            ...input.bundle,
            fields: { ...input.bundle.fields, added: places },
            chapters: [
              ...(input.bundle.chapters ?? []),
              { startTime: 1, title: 'One', metadata: places },
            ],
          },
        },
        provenance: ['fields.added', 'chapters[1]'].map((path) => ({ pluginId: 'hook', path })),
      }),
    },
  });
  onTestFinished(ingestion.close);
  await ingestion.scan(['A/a.mkv']);
  await ingestion.run();
});

/** All that a viewer reads of the item, of its file and of its entity. */
async function read(viewer: Viewer) {
  const { items, files, entities } = ingestion.library;
  const { items: listed } = await items.list(viewer, { limit: 10 });
  const item = await items.get(listed[0]?.id ?? '', viewer);
  const file = await files.get(item.files[0]?.id ?? '', viewer);
  const entity = await entities.get(item.linkedEntities[0]?.id ?? '', viewer);
  const ofEntity = await items.ofEntity(entity.id, viewer, { limit: 10 });
  return { listed, item, file, entity, ofEntity };
}

test('what plugins say is stored without places, for admins too', async () => {
  const { item, entity } = await read(everything);

  expect(item.metadata).toEqual({ ...left, added: left });
  expect(entity.metadata).toEqual(left);
  expect(item.linkedEntities[0]?.linkMetadata).toEqual({});
  expect(item.files[0]?.chapters[1]?.metadata).toEqual(left);
});

test('what is stored already is shown to admins alone', async () => {
  const column = JSON.stringify(places);
  await ingestion.library.storage.database.write(async (trx) => {
    await trx('items').update({ metadata: column });
    await trx('files').update({ file_info: JSON.stringify({ tags: places }) });
    await trx('chapters').update({ metadata: column });
    await trx('entities').update({ metadata: column });
    await trx('item_entities').update({ metadata: column });
  });

  const seen = await read(guest);

  expect(JSON.stringify(seen)).not.toMatch(/file:\/|"\/films["/]| \/films\/|secret/i);
  expect(seen.item.metadata).toEqual(left);
  expect(seen.item.linkedEntities[0]?.linkMetadata).toEqual(left);
  expect(seen.file.fileInfo).toEqual({ tags: left });
  expect(seen.file.chapters[0]?.metadata).toEqual(left);
  expect(seen.entity.metadata).toEqual(left);
  const { item } = await read(everything);
  expect(item.metadata).toEqual(places);
  expect(item.files[0]?.uri).toBe(`${root}/A/a.mkv`);
});
