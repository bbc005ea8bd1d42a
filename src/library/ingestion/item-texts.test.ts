/** Titles and summaries in several languages: which one a viewer reads, and what comes before it. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { pathText } from '../../../kernel/index.ts';
import type { Identification } from '../../../plugin-api/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import {
  everything,
  openTestIngestion,
  type TestIngestion,
} from '../../../test/support/library/ingestion.ts';
import { createSources, type Sources } from '../matching/index.ts';

type Texts = NonNullable<Identification['texts']>;

let ingestion: TestIngestion;
let sources: Sources;
let texts: Texts | undefined;
let other: Identification | null;
let sidecar: Readonly<Record<string, unknown>>;

const heat = { title: 'Heat', metadata: { overview: 'A thief.', originalTitle: 'Heat' } };

beforeEach(async () => {
  texts = {
    de: { title: 'Hitze', overview: 'Ein Dieb.' },
    fr: { title: 'Chaleur' },
    en: { title: 'Heat', overview: 'A thief.' },
    it: { title: 'Caldo' },
  };
  other = null;
  sidecar = {};
  ingestion = await openTestIngestion({
    full: {
      first: () => ({ ...heat, confidence: 0.9, match: { id: '1' }, ...(texts && { texts }) }),
      second: () => other,
    },
    remote: ['first', 'second'],
    hooks: {
      hasSubscribers: () => Object.keys(sidecar).length > 0,
      run: async (name, input) => {
        if (name !== 'pipeline.probe.afterProcess') return { output: input, provenance: [] };
        const { bundle } = input as { bundle: { fields: object } };
        const fields = { ...bundle.fields, ...sidecar };
        return {
          output: { ...input, bundle: { ...bundle, fields } } as never,
          provenance: Object.keys(sidecar).map((key) => ({
            path: pathText(['fields', key]),
            pluginId: 'sidecars',
          })),
        };
      },
    },
  });
  onTestFinished(ingestion.close);
  sources = createSources({
    ...ingestion.library,
    database: ingestion.library.storage.database,
    nameOf: (id) => id,
    mergeAgain: ingestion.mergeAgain,
  });
  await put(['en', 'de', 'fr']);
});

async function lookUp(): Promise<void> {
  await ingestion.scan(['Heat (1995)/a.mkv']);
  await ingestion.run();
  await ingestion.run({ type: 'refresh' });
}

async function put(
  languages: readonly string[],
  fields: Readonly<Record<string, readonly string[]>> = {},
): Promise<void> {
  await sources.set(ingestion.libraryId, everything, { order: [], fields, languages });
  await ingestion.jobs.idle();
}

const reads = (locale: string): Viewer => ({ ...everything, locale });

async function shown(viewer: Viewer): Promise<readonly unknown[]> {
  const { items } = await ingestion.library.items.list(viewer, {});
  const [tile] = (await ingestion.library.items.tiles(viewer, {})).items;
  const item = await ingestion.library.items.get(items[0]?.id ?? '', viewer);
  expect([tile?.title, items[0]?.title]).toEqual([item.title, item.title]);
  expect(items[0]?.metadata['overview']).toBe(item.metadata['overview']);
  return [item.title, item.metadata['overview']];
}

const itemId = async () => (await ingestion.library.items.list(everything, {})).items[0]?.id ?? '';
const rows = () =>
  ingestion.library.storage.database.read('item_texts').orderBy('language').pluck('language');

describe('titles and summaries in the languages of a library', () => {
  test('are those of the viewer, each text with what is stored in its place where it is missing', async () => {
    await lookUp();

    expect(await shown(reads('de'))).toEqual(['Hitze', 'Ein Dieb.']);
    expect(await shown(reads('de-AT'))).toEqual(['Hitze', 'Ein Dieb.']);
    expect(await shown(reads('fr'))).toEqual(['Chaleur', 'A thief.']);
    for (const locale of ['en', 'en-GB', 'it', 'ja'])
      expect(await shown(reads(locale))).toEqual(['Heat', 'A thief.']);
    expect(await shown(everything)).toEqual(['Heat', 'A thief.']);
    // The first language is stored with the item, and others are not of the library.
    expect(await rows()).toEqual(['de', 'fr']);
  });

  test('move no item in a list, and are all told to search', async () => {
    await lookUp();
    const { storage, service } = ingestion.library;
    const [row] = await storage.database.read('items').select('title', 'sort_title', 'letter');
    const feed = service.methods['changes'];
    const caller = { reach: 'all', viewer: null };
    const said = await feed?.run({ seq: 0, limit: 10 } as never, caller as never);

    expect(row).toEqual({ title: 'Heat', sort_title: 'heat', letter: 'H' });
    expect(JSON.parse(String(said))).toMatchObject({
      changes: [{ item: { title: 'Heat', otherTitles: ['Hitze', 'Chaleur'] } }],
    });
  });

  test('are counted as a change of the item, and go with the answer and with the item', async () => {
    await lookUp();
    const seqOf = () => ingestion.library.storage.database.read('items').pluck<number[]>('seq');
    const [before = 0] = await seqOf();
    texts = { de: { title: 'Die Hitze' } };
    await ingestion.run({ type: 'refresh' });

    expect(await shown(reads('de'))).toEqual(['Die Hitze', 'A thief.']);
    expect((await seqOf())[0]).toBeGreaterThan(before);
    texts = undefined;
    await ingestion.run({ type: 'refresh' });
    expect(await rows()).toEqual([]);
    texts = { de: { title: 'Hitze' } };
    await ingestion.run({ type: 'refresh' });
    await ingestion.library.items.remove(await itemId(), everything);
    expect(await rows()).toEqual([]);
  });

  test('count in another order at once, without a request', async () => {
    await lookUp();
    const asked = ingestion.calls.length;
    await put(['de', 'en']);

    expect(await shown(everything)).toEqual(['Hitze', 'Ein Dieb.']);
    expect(await shown(reads('en'))).toEqual(['Heat', 'A thief.']);
    expect(await rows()).toEqual(['en']);
    expect(
      ingestion.calls
        .slice(asked)
        .filter(({ pluginId, method }) => pluginId === 'first' && method === 'indexer.index'),
    ).toEqual([]);
  });

  test('give way to what a person edited, in every language', async () => {
    await lookUp();
    const { items } = ingestion.library;
    await items.update(await itemId(), { title: 'My Heat' }, everything);

    expect(await shown(reads('de'))).toEqual(['My Heat', 'Ein Dieb.']);
    await items.update(await itemId(), { metadata: { overview: 'Mine.' } }, everything);
    await ingestion.run({ type: 'refresh' });
    expect(await shown(reads('de'))).toEqual(['My Heat', 'Mine.']);
    await items.update(await itemId(), { unlock: ['title'] }, everything);
    await ingestion.run({ type: 'refresh' });
    expect(await shown(reads('de'))).toEqual(['Hitze', 'Mine.']);
  });

  test('give way to what a sidecar says, and to what it locks', async () => {
    sidecar = { title: 'Heat (sidecar)', 'sidecars.lockedFields': ['fields.overview'] };
    await lookUp();

    expect((await shown(reads('de')))[0]).toBe('Heat (sidecar)');
    expect(await rows()).toEqual([]);
  });

  test('are of the source that wins the field, and of the next one where it has none', async () => {
    const said = { de: { title: 'Heat zwei' }, fr: { title: 'Heat deux', overview: 'Deux.' } };
    other = { title: 'Heat 2', metadata: {}, confidence: 0.9, match: { id: '2' }, texts: said };
    texts = { de: { title: 'Hitze' } };
    await lookUp();

    expect(await shown(reads('de'))).toEqual(['Hitze', 'A thief.']);
    expect(await shown(reads('fr'))).toEqual(['Heat deux', 'Deux.']);
    await put(['en', 'de', 'fr'], { title: ['second'] });
    expect(await shown(reads('de'))).toEqual(['Heat zwei', 'A thief.']);
  });

  test('of a show are those of the viewer too, without what a person edited', async () => {
    const show = (more: Texts) => [
      { name: 'Harbour', type: 'show', status: 'complete', source: '', texts: more },
    ];
    const said = { de: { title: 'Hafen', overview: 'Boote.' }, en: { title: 'Harbour' } };
    const named = { ...heat, confidence: 0.9, match: { id: '2' } };
    other = { ...named, entities: { show: show({ ...said, it: { title: 'Porto' } }) } };
    await lookUp();
    const { entities, items } = ingestion.library;
    const [entity] = (await entities.list(everything, { type: 'show' })).entities;
    const id = entity?.id ?? '';
    const shownTo = async (viewer: Viewer) => {
      const { name, metadata } = await entities.get(id, viewer);
      const { linkedEntities } = await items.get(await itemId(), viewer);
      const linked = linkedEntities.find((one) => one.role === 'show')?.name;
      expect((await entities.list(viewer, { type: 'show' })).entities[0]?.name).toBe(name);
      expect(linked).toBe(name);
      return [name, metadata['overview']];
    };

    expect(await shownTo(reads('de'))).toEqual(['Hafen', 'Boote.']);
    expect(await shownTo(reads('it'))).toEqual(['Harbour', undefined]);
    expect((await entities.get(id, everything)).searchTerms).toBe('Hafen');
    await entities.update(id, { name: 'Our Harbour' }, everything);
    await ingestion.run({ type: 'refresh' });
    expect(await shownTo(reads('de'))).toEqual(['Our Harbour', 'Boote.']);
    await put(['de', 'en']);
    expect(await shownTo(reads('en'))).toEqual(['Our Harbour', undefined]);
  });

  test('cost one statement for a page, and none where what is stored is in the language', async () => {
    await lookUp();
    const statements: string[] = [];
    const { read } = ingestion.library.storage.database;
    read.on('query', ({ sql }: { readonly sql: string }) => {
      if (sql.includes('item_texts')) statements.push(sql);
    });
    const count = async (viewer: Viewer): Promise<number> => {
      statements.length = 0;
      await ingestion.library.items.tiles(viewer, {});
      return statements.length;
    };

    expect(await count(reads('de'))).toBe(1);
    expect([await count(reads('en')), await count(reads('ja')), await count(everything)]).toEqual([
      0, 0, 0,
    ]);
  });
});
