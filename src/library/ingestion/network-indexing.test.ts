/** Network indexers: when they are called, and what remains when they are unavailable. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { pathText } from '../../../kernel/index.ts';
import type { Identification } from '../../../plugin-api/index.ts';
import {
  everything,
  openTestIngestion,
  type TestPlugins,
} from '../../../test/support/library/ingestion.ts';
import type { ItemDetail } from '../catalogue/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const catalogued: Identification = {
  title: 'Heat',
  metadata: { overview: 'A thief and a policeman.', ids: { catalogue: '1' } },
  entities: { actor: [{ name: 'Al Pacino', type: 'person', status: 'complete', source: '' }] },
  assets: [{ type: 'poster', uri: 'https://pictures.example.org/1.jpg', source: 'somebody else' }],
  confidence: 0.9,
  match: { id: 'film:1' },
};

/** A hook `beside` that sets these fields of every item. */
function writing(fields: () => Fields): NonNullable<TestPlugins['hooks']> {
  return {
    hasSubscribers: (name) => name === 'pipeline.probe.afterProcess',
    run: async (_name, input) => {
      const written = fields();
      const provenance = Object.keys(written).map((key) => ({
        pluginId: 'beside',
        path: pathText(['fields', key]),
      }));
      const bundle = { ...input.bundle, fields: { ...input.bundle.fields, ...written } };
      return { output: { ...input, bundle }, provenance };
    },
  };
}

async function open(
  tell: NonNullable<TestPlugins['full']>[string],
  hooks?: NonNullable<TestPlugins['hooks']>,
) {
  const ingestion = await openTestIngestion({
    ...(hooks && { hooks }),
    full: { catalogue: tell },
    remote: ['catalogue'],
    probe: () => ({ kind: 'read', report: { container: 'matroska', streams: [] } }),
  });
  onTestFinished(ingestion.close);
  const item = async (): Promise<ItemDetail> => {
    const { items } = await ingestion.library.items.list(everything, {});
    return ingestion.library.items.get(items[0]?.id ?? '', everything);
  };
  const refresh = () => ingestion.run({ type: 'refresh' });
  const questions = () =>
    ingestion.calls.filter(
      ({ pluginId, method }) => pluginId === 'catalogue' && method === 'indexer.index',
    );
  return { ...ingestion, item, refresh, questions };
}

describe('an indexer that asks the network', () => {
  test('does not delay a new item, which is queued for it', async () => {
    const ingestion = await open(() => catalogued);
    await ingestion.scan(['Heat (1995)/a.mkv']);

    await ingestion.run();

    const item = await ingestion.item();
    expect(item.metadata).not.toHaveProperty('overview');
    expect(item.files[0]?.fileInfo).toMatchObject({ container: 'matroska' });
    expect(ingestion.questions()).toEqual([]);
    expect(ingestion.waiting(item.id)).toEqual({ catalogue: 'waits' });
  });

  test('is called when the item is ingested again, and then nothing is queued', async () => {
    const ingestion = await open(() => catalogued);
    await ingestion.scan(['Heat (1995)/a.mkv']);
    await ingestion.run();

    await ingestion.refresh();

    const item = await ingestion.item();
    expect(item.metadata).toMatchObject({ year: 1995, overview: 'A thief and a policeman.' });
    expect(ingestion.waiting(item.id)).toEqual({});
  });

  test('gets sixteen files per call, one call after the other', async () => {
    const ingestion = await open(() => null);
    await ingestion.scan(Array.from({ length: 40 }, (_, at) => `Film ${at} (1995)/a.mkv`));
    await ingestion.run();

    await ingestion.refresh();

    const sizes = ingestion
      .questions()
      .map(({ input }) => (input as { files: object[] }).files.length);
    expect(sizes).toEqual([16, 16, 8]);
  });

  test('gets the ids of the show that its owner wrote', async () => {
    const show = { name: 'Heat', type: 'show', ids: { tvdb: { id: '9' } }, source: 'beside' };
    const ingestion = await open(() => null, {
      hasSubscribers: (name) => name === 'pipeline.probe.afterProcess',
      run: async (_name, input) => ({
        output: { ...input, bundle: { ...input.bundle, entities: { show: [show] } } },
        provenance: [{ pluginId: 'beside', path: pathText(['entities', 'show']) }],
      }),
    });
    await ingestion.scan(['Heat (1995)/a.mkv']);
    await ingestion.run();

    await ingestion.refresh();

    expect(ingestion.questions()[0]?.input).toMatchObject({
      files: [{ known: { ids: {}, showIds: { tvdb: { id: '9' } } } }],
    });
  });

  test('removes nothing when it is unavailable: the item keeps its values and is queued', async () => {
    let answer: Identification | 'later' = catalogued;
    const ingestion = await open(() => answer);
    await ingestion.scan(['Heat (1995)/a.mkv']);
    await ingestion.run();
    await ingestion.refresh();
    const before = await ingestion.item();

    answer = 'later';
    await ingestion.refresh();

    const after = await ingestion.item();
    expect(after).toEqual(before);
    expect(ingestion.waiting(after.id)).toEqual({ catalogue: 'later' });
  });

  test('removes what it wrote when it was called and no longer knows the item', async () => {
    let answer: Identification | null = catalogued;
    const ingestion = await open(() => answer);
    await ingestion.scan(['Heat (1995)/a.mkv']);
    await ingestion.run();
    await ingestion.refresh();

    answer = null;
    await ingestion.refresh();

    const item = await ingestion.item();
    expect(item.metadata).not.toHaveProperty('overview');
    expect(item.assets).toEqual({});
    expect(item.linkedEntities.map(({ name }) => name)).not.toContain('Al Pacino');
  });

  test('writes nothing below the least confidence, and its guess is stored', async () => {
    const ingestion = await open(() => ({ ...catalogued, confidence: 0.59 }));
    await ingestion.scan(['Heat (1995)/a.mkv']);
    await ingestion.run();

    await ingestion.refresh();

    const item = await ingestion.item();
    expect(item.metadata).not.toHaveProperty('overview');
    const row: unknown = await ingestion.library.storage.database.read('items').first('match');
    expect(JSON.parse((row as { match: string }).match)).toMatchObject({
      catalogue: { id: 'film:1', manual: false, confidence: 0.59 },
    });
  });

  test('is the source of its pictures, for any source that it states', async () => {
    const ingestion = await open(() => catalogued);
    await ingestion.scan(['Heat (1995)/a.mkv']);
    await ingestion.run();

    await ingestion.refresh();

    const rows: unknown = await ingestion.library.storage.database.read('assets').select('source');
    expect(rows).toEqual([{ source: 'catalogue' }]);
  });
});

describe('the certification of an item', () => {
  const rated: Identification = {
    ...catalogued,
    metadata: { certification: 'US:R / DE:FSK 16' },
  };

  test.each([
    ['DE:12', 'FSK 12 / MPAA R'],
    ['US:PG-13 / GB:15', 'MPAA PG-13 / BBFC 15 / FSK 16'],
    [undefined, 'MPAA R / FSK 16'],
  ])('from a sidecar as %j is kept beside the network’s: %j', async (own, expected) => {
    const fields = own === undefined ? {} : { certification: own };
    const ingestion = await open(
      () => rated,
      writing(() => fields),
    );
    await ingestion.scan(['Heat (1995)/a.mkv']);
    await ingestion.run();

    await ingestion.refresh();

    expect((await ingestion.item()).certification).toBe(expected);
  });
});

describe('an item that its sidecar locks', () => {
  const lockOf = (key: string | null): Fields => (key === null ? {} : { [key]: true });

  async function openLocked(key: () => string | null) {
    const ingestion = await open(
      () => catalogued,
      writing(() => lockOf(key())),
    );
    await ingestion.scan(['Heat (1995)/a.mkv']);
    await ingestion.run();
    return ingestion;
  }

  test('is not looked up on the network, nor queued for it', async () => {
    const ingestion = await openLocked(() => 'beside.locked');

    await ingestion.refresh();

    const item = await ingestion.item();
    expect(ingestion.questions()).toEqual([]);
    expect(ingestion.waiting(item.id)).toEqual({});
    expect(item.metadata).toMatchObject({ year: 1995, 'beside.locked': true });
    expect(item.metadata).not.toHaveProperty('overview');
  });

  test('loses earlier values of the network, and gets them back when the lock is removed', async () => {
    let key: string | null = null;
    const ingestion = await openLocked(() => key);
    await ingestion.refresh();
    const open = await ingestion.item();

    key = 'beside.locked';
    await ingestion.refresh();
    const locked = await ingestion.item();
    key = null;
    await ingestion.refresh();

    expect(open.metadata).toHaveProperty('overview');
    expect(locked.metadata).not.toHaveProperty('overview');
    expect(locked.assets).toEqual({});
    expect((await ingestion.item()).metadata).toEqual(open.metadata);
  });

  test('is looked up by the match that a person chose', async () => {
    const ingestion = await openLocked(() => 'beside.locked');
    const chosen = { id: 'film:1', manual: true, confidence: null, title: null, matchedAt: 1 };
    await ingestion.library.storage.database.write((trx) =>
      trx('items').update({ match: JSON.stringify({ catalogue: chosen }) }),
    );

    await ingestion.refresh();

    expect((await ingestion.item()).metadata).toHaveProperty('overview');
  });

  test('is not locked in the name of another plugin', async () => {
    const ingestion = await openLocked(() => 'other.locked');

    await ingestion.refresh();

    expect((await ingestion.item()).metadata).toHaveProperty('overview');
  });
});

describe('an item whose sidecar locks some of its fields', () => {
  const beside = { 'beside.lockedFields': ['fields.overview', 'entities.actor', 'assets', 7] };

  async function openHeld(fields: () => Fields) {
    const ingestion = await open(
      () => ({
        ...catalogued,
        title: 'Heat, as told elsewhere',
        metadata: { ...catalogued.metadata, genres: ['Crime'] },
      }),
      writing(fields),
    );
    await ingestion.scan(['Heat (1995)/a.mkv']);
    await ingestion.run();
    return ingestion;
  }

  test('takes the other fields from the network, but not the locked ones, known or not', async () => {
    const ingestion = await openHeld(() => beside);

    await ingestion.refresh();

    const item = await ingestion.item();
    expect(item.metadata).toMatchObject({ genres: ['Crime'], ids: { catalogue: '1' } });
    expect(item.metadata).not.toHaveProperty('overview');
    expect(item.linkedEntities.map(({ name }) => name)).not.toContain('Al Pacino');
    expect(item.assets).toEqual({});
  });

  test('loses earlier network values of these fields, with provenance', async () => {
    let fields: Fields = {};
    const ingestion = await openHeld(() => fields);
    await ingestion.refresh();
    const open = await ingestion.item();

    fields = { ...beside, overview: 'Two men.' };
    await ingestion.refresh();
    const held = await ingestion.item();
    fields = {};
    await ingestion.refresh();

    expect(open.metadata).toMatchObject({ overview: 'A thief and a policeman.' });
    expect(held.metadata).toMatchObject({ overview: 'Two men.' });
    expect(held.provenance).toContainEqual({ pluginId: 'beside', path: 'fields.overview' });
    expect(held.provenance).toContainEqual({
      pluginId: 'beside',
      path: 'fields["beside.lockedFields"]',
    });
    expect(held.provenance).not.toContainEqual({ pluginId: 'catalogue', path: 'entities.actor' });
    expect((await ingestion.item()).metadata).toEqual(open.metadata);
  });

  test('keeps the title of its name while that is locked', async () => {
    const ingestion = await openHeld(() => ({ 'beside.lockedFields': ['fields.title'] }));
    const { title } = await ingestion.item();

    await ingestion.refresh();

    expect(await ingestion.item()).toMatchObject({
      title,
      metadata: { overview: 'A thief and a policeman.' },
    });
    expect(title).toBe('Heat');
  });

  test('is locked only by a hook under its own name', async () => {
    const ingestion = await openHeld(() => ({ 'other.lockedFields': ['fields.overview'] }));

    await ingestion.refresh();

    expect((await ingestion.item()).metadata).toHaveProperty('overview');
  });
});

describe('a choice of a person for a show', () => {
  const episode = (path: string): Identification => {
    const [, series = ''] = /^(.*?)\//.exec(path) ?? [];
    const show = { name: series, type: 'show', status: 'pending', source: 'x' } as const;
    return { title: path, metadata: { series }, entities: { show: [show] } };
  };

  /** The show of a catalogue has another name than that of the files. */
  const tell = (file: { readonly match?: { readonly id: string } }): Identification => ({
    title: 'Pilot',
    metadata: { overview: `All about ${file.match?.id ?? 'a guess'}.` },
    entities: {
      show: [{ name: 'The Office (US)', type: 'show', status: 'complete', source: 'catalogue' }],
    },
    confidence: 0.9,
    match: { id: file.match?.id ?? 'guess' },
  });

  async function openShow() {
    const ingestion = await openTestIngestion({
      full: { catalogue: tell, 'by-folder': ({ path }) => episode(path) },
      remote: ['catalogue'],
      name: episode,
    });
    onTestFinished(ingestion.close);
    const database = ingestion.library.storage.database;
    const choose = async (id: string | null, matchedAt: number): Promise<void> => {
      const match = { id, manual: true, confidence: null, title: null, matchedAt };
      await database.write((trx) =>
        trx('items')
          .where('title', 'like', '%')
          .update({ match: JSON.stringify({ catalogue: match }) }),
      );
      await ingestion.run({ type: 'refresh' });
    };
    /** What a scan finds: a file that vanished as another came would count as moved. */
    const there: string[] = [];
    const scan = (path: string): Promise<void> => {
      there.push(path);
      return ingestion.scan(there);
    };
    const arrive = async (path: string) => {
      await scan(path);
      await ingestion.run();
      await ingestion.run({ type: 'refresh' });
      const uri = encodeURI(`file:///films/${path}`);
      const file = await database
        .read<{ uri: string; item_no: number }>('files')
        .where({ uri })
        .first('item_no');
      const row = await database
        .read<{ no: number; match: string | null; metadata: string }>('items')
        .where('no', file?.item_no ?? 0)
        .first('match', 'metadata');
      return {
        match: (JSON.parse(row?.match ?? '{}') as Record<string, object>)['catalogue'],
        overview: (JSON.parse(row?.metadata ?? '{}') as Fields)['overview'],
      };
    };
    return { ...ingestion, scan, choose, arrive };
  }

  test('counts for its files that come later, also if the catalogue calls it something else', async () => {
    const { scan, run, choose, arrive } = await openShow();
    await scan('The Office/E1/a.mkv');
    await run();
    await choose('us', 1000);

    expect(await arrive('The Office/E2/a.mkv')).toEqual({
      match: expect.objectContaining({ id: 'us', manual: true, matchedAt: 1000 }),
      overview: 'All about us.',
    });
    expect(await arrive('Office Hours/E1/a.mkv')).toMatchObject({
      match: { id: 'guess', manual: false },
    });
  });

  test('that rejects all candidates counts for them too, until a newer choice', async () => {
    const { scan, run, choose, arrive } = await openShow();
    await scan('The Office/E1/a.mkv');
    await run();
    await choose('us', 1000);
    await choose(null, 2000);

    expect(await arrive('The Office/E2/a.mkv')).toEqual({
      match: expect.objectContaining({ id: null, manual: true }),
      overview: undefined,
    });
    await choose('uk', 3000);
    expect((await arrive('The Office/E3/a.mkv')).overview).toBe('All about uk.');
  });
});
