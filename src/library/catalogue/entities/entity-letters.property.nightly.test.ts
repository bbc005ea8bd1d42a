import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  openMixedLibrary,
  type MixedLibrary,
} from '../../../../test/support/library/mixed-library.ts';
import { serverViewer, type Viewer } from '../../../people/viewer/index.ts';
import { letterOf } from '../tables/letter.ts';
import { sortTitle } from '../tables/normalize-name.ts';
import type { EntityLettersQuery } from './entities.ts';

const name = fc.constantFrom('Ants', 'Bees', 'Cats', 'Élan', '7 up', '漢字');
const rated = fc.constantFrom(null, 'FSK 6', 'FSK 18');
const shelf = fc.constantFrom('One', 'Two');
const nth = fc.nat({ max: 20 });

/** What may happen to a catalogue. */
const change = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    shelf,
    genres: fc.array(name, { maxLength: 3 }),
    rated,
  }),
  fc.record({ kind: fc.constant('rate' as const), nth, rated }),
  fc.record({ kind: fc.constant('remove' as const), nth }),
  fc.record({ kind: fc.constant('rename' as const), nth, name }),
  fc.record({ kind: fc.constant('hide' as const), nth, hidden: fc.boolean() }),
  fc.record({ kind: fc.constant('merge' as const), nth, other: nth }),
  fc.record({ kind: fc.constant('split' as const), nth, name }),
  fc.record({ kind: fc.constant('close' as const), shelf }),
  fc.record({ kind: fc.constant('sweep' as const) }),
  fc.record({ kind: fc.constant('sweep' as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** The one of these at a number; `undefined` = there are none. */
const pick = <Value>(of: readonly Value[], at: number): Value | undefined => of[at % of.length];

async function make(library: MixedLibrary, done: Change, at: number): Promise<void> {
  const { entities, items, libraries, storage } = library;
  const db = storage.database.read;
  const itemAt = async (no: number): Promise<string | undefined> =>
    pick(await db('items').where('status', 'active').orderBy('no').pluck<string[]>('id'), no);
  const shown = (await entities.list(serverViewer, { type: 'genre', limit: 500 })).entities;
  const genre = 'nth' in done ? pick(shown, done.nth)?.id : undefined;
  switch (done.kind) {
    case 'add': {
      const metadata = done.rated === null ? {} : { certification: done.rated };
      const entry = { title: `Item ${at}`, metadata, entities: { genre: done.genres } };
      await library.fill(done.shelf, 'movies', [entry]);
      return;
    }
    case 'rate': {
      const id = await itemAt(done.nth);
      if (id !== undefined) await items.update(id, { certification: done.rated }, serverViewer);
      return;
    }
    case 'remove': {
      const id = await itemAt(done.nth);
      if (id !== undefined) await items.remove(id, serverViewer);
      return;
    }
    case 'rename':
      if (genre !== undefined) await entities.update(genre, { name: done.name }, serverViewer);
      return;
    case 'hide':
      if (genre !== undefined) await entities.update(genre, { hidden: done.hidden }, serverViewer);
      return;
    case 'merge': {
      const other = pick(shown, done.other)?.id;
      if (genre === undefined || other === undefined || genre === other) return;
      await entities.merge(genre, [other], serverViewer);
      return;
    }
    case 'split': {
      if (genre === undefined) return;
      const linked = await db('items')
        .join('item_entities', 'item_entities.item_no', 'items.no')
        .join('entities', 'entities.no', 'item_entities.entity_no')
        .where('entities.id', genre)
        .orderBy('items.no')
        .pluck<string[]>('items.id');
      const some = linked.slice(0, Math.floor(linked.length / 2));
      if (some.length > 0)
        await entities.split(genre, { itemIds: some, name: done.name }, serverViewer);
      return;
    }
    case 'close': {
      const found = (await libraries.list(serverViewer)).find((one) => one.name === done.shelf);
      if (found !== undefined) await libraries.remove(found.id, serverViewer);
      return;
    }
    case 'sweep':
      await library.entityUpkeep.sweep();
  }
}

/** An admin, one who sees all but what is hidden, one of each library, and one who sees some ratings. */
async function viewersOf(library: MixedLibrary): Promise<readonly Viewer[]> {
  const ids = (await library.libraries.list(serverViewer)).map(({ id }) => id);
  const seeing = (libraries: Viewer['visibility']['libraries']): Viewer => ({
    ...serverViewer,
    role: 'user',
    visibility: { showsHidden: false, libraries },
  });
  return [
    serverViewer,
    seeing(new Map(ids.map((id) => [id, []]))),
    ...ids.map((id) => seeing(new Map([[id, []]]))),
    seeing(new Map(ids.map((id) => [id, [[{ system: 'FSK', label: '6' }]]]))),
  ];
}

test('letters of entities count what the list has, after any changes and for any viewer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 25 }), async (changes) => {
      const library = await openMixedLibrary();
      try {
        for (const [at, done] of changes.entries()) {
          await make(library, done, at);
          const [one] = await library.libraries.list(serverViewer);
          for (const viewer of await viewersOf(library))
            for (const filter of [{}, { libraryId: one?.id }, { status: 'pending' }]) {
              const query: EntityLettersQuery = { type: 'genre', ...filter };
              const { entities } = await library.entities.list(viewer, { ...query, limit: 500 });
              const letters = await library.entities.letters(viewer, query);
              const recount = Map.groupBy(entities, (one) => letterOf(sortTitle(one.name)));
              expect(letters.map(({ letter, count }) => [letter, count])).toEqual(
                [...recount].map(([letter, of]) => [letter, of.length]),
              );
            }
        }
      } finally {
        await library.close();
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
}, 240_000);
