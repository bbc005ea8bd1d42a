import { describe, expect, onTestFinished, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import type { BundleDelta, ItemHookInput, ProbeOutcome } from '../../../plugin-api/index.ts';
import {
  everything,
  openTestIngestion,
  root,
  type TestIngestion,
  type TestPlugins,
} from '../../../test/support/library/ingestion.ts';
import { serverViewer } from '../../people/viewer/index.ts';
import type { ItemDetail } from '../catalogue/index.ts';

async function open(plugins: TestPlugins = {}): Promise<TestIngestion> {
  const ingestion = await openTestIngestion(plugins);
  onTestFinished(ingestion.close);
  return ingestion;
}

async function items({ library }: TestIngestion): Promise<readonly ItemDetail[]> {
  const page = await library.items.list(everything, { limit: 500 });
  return Promise.all(page.items.map(({ id }) => library.items.get(id, everything)));
}

async function only(ingestion: TestIngestion): Promise<ItemDetail> {
  const [item] = await items(ingestion);
  if (item === undefined) throw new Error('There is no item.');
  return item;
}

const named = ({ library }: TestIngestion, type: string) =>
  library.events.filter((event) => event.type === type);

const video = { index: 0, kind: 'video', codec: 'h264', width: 640, height: 480 } as const;

const read = (report: object = {}): ProbeOutcome => ({
  kind: 'read',
  report: { container: 'matroska', streams: [video], ...report },
});

/** Hooks of one plugin. */
function hooks(
  handlers: Readonly<Record<string, (input: ItemHookInput) => BundleDelta | null>>,
): NonNullable<TestPlugins['hooks']> {
  return {
    hasSubscribers: (name) => handlers[name] !== undefined,
    run: async (name, input) => {
      const delta = handlers[name]?.(input) ?? null;
      if (delta === null) return { output: input, provenance: [] };
      const { bundle } = input;
      const provenance = [
        ...Object.keys(delta.fields ?? {}).map((key) => `fields.${key}`),
        ...Object.keys(delta.ids ?? {}).map((key) => `ids.${key}`),
        ...Object.keys(delta.entities ?? {}).map((role) => `entities.${role}[0]`),
        ...(delta.assets ? ['assets[0]'] : []),
        ...(delta.chapters ?? []).map(
          (_, at) => `chapters[${(bundle.chapters?.length ?? 0) + at}]`,
        ),
      ].map((path) => ({ pluginId: 'hook', path }));
      return {
        output: {
          ...input,
          bundle: {
            ...bundle,
            fields: { ...bundle.fields, ...delta.fields },
            ids: { ...bundle.ids, ...delta.ids },
            assets: [...bundle.assets, ...(delta.assets ?? [])],
            subtitles: [...bundle.subtitles, ...(delta.subtitles ?? [])],
            chapters: [...(bundle.chapters ?? []), ...(delta.chapters ?? [])],
            entities: { ...bundle.entities, ...delta.entities },
          },
        },
        provenance,
      };
    },
  };
}

describe('an ingest', () => {
  test('shows items by their names at once, and with the data of their files after it', async () => {
    const ingestion = await open({
      probe: () =>
        read({
          duration: 90.5,
          bitrate: 1000,
          chapters: [{ startTime: 0, endTime: 45, title: 'One' }, { startTime: 45 }],
          artwork: [{ type: 'cover', mimeType: 'image/png', size: 9 }],
          tags: { title: 'Not shown' },
          replayGain: { trackGainDb: -7.03, albumGainDb: -6.5 },
        }),
    });
    await ingestion.scan(['Heat (1995)/h.mkv']);
    const before = await only(ingestion);

    const job = await ingestion.run();

    expect(before).toMatchObject({ title: 'Heat', files: [{ duration: null, fileInfo: {} }] });
    expect(job).toMatchObject({
      status: 'completed',
      result: { settled: 1, failed: 0, enriched: 1 },
    });
    const after = await only(ingestion);
    expect(after).toMatchObject({
      id: before.id,
      title: 'Heat',
      metadata: before.metadata,
      assets: { cover: expect.stringMatching(/^\/api\/assets\//) },
      files: [
        {
          status: 'active',
          duration: 90.5,
          fileInfo: {
            ...{ container: 'matroska', bitrate: 1000, streams: [video] },
            replayGain: { trackGainDb: -7.03, albumGainDb: -6.5 },
          },
          loudness: {
            ...{ integratedLufs: -10.97, truePeakDb: null, trackGainDb: -7.03 },
            albumGainDb: -6.5,
          },
          chapters: [
            { title: 'One', startTime: 0, endTime: 45, source: 'embedded' },
            { title: '', startTime: 45, source: 'embedded' },
          ],
        },
      ],
    });
  });

  test('leaves an edition to the files that have it, and lists extras last', async () => {
    const told = (path: string) => {
      const [, edition, part] = /- (\w+) cut(?: (\d))?/.exec(path) ?? [];
      return {
        title: path.slice(0, path.indexOf('/')),
        metadata: { year: 1995, ...(edition !== undefined && { edition }) },
        classification: path.includes('-trailer') ? 'trailer' : 'primary',
        ...(edition !== undefined && { edition }),
        ...(part !== undefined && { partNumber: Number(part) }),
      } as const;
    };
    const ingestion = await open({
      name: told,
      full: { 'by-folder': ({ path }) => told(path) },
      probe: () => read(),
    });
    const heat = ['Heat/A-trailer.mkv', 'Heat/B - long cut 2.mkv', 'Heat/C - long cut 1.mkv'];
    await ingestion.scan([...heat, 'Heat/D.mkv', 'Ronin/B - long cut.mkv', 'Ronin/A-trailer.mkv']);

    await ingestion.run();

    const found = await items(ingestion);
    expect(
      found.map(({ metadata, files }) => [metadata, files.map(({ filename }) => filename)]),
    ).toEqual([
      [{ year: 1995 }, ['D.mkv', 'C - long cut 1.mkv', 'B - long cut 2.mkv', 'A-trailer.mkv']],
      [{ year: 1995, edition: 'long' }, ['B - long cut.mkv', 'A-trailer.mkv']],
    ]);
  });

  test('lists a file that is missing after those that are there', async () => {
    const ingestion = await open({ probe: () => read() });
    await ingestion.scan(['Alpha/720p.mkv']);
    await ingestion.run();

    await ingestion.scan(['Alpha/better.mkv']);
    await ingestion.run();

    const { files } = await only(ingestion);
    expect(files.map(({ filename, status }) => `${filename} ${status}`)).toEqual([
      'better.mkv active',
      '720p.mkv missing',
    ]);
  });

  test('records the failure of a file, completes the others, and reads the file again in a refresh', async () => {
    let isBroken = true;
    const ingestion = await open({
      probe: ({ uri }) =>
        isBroken && uri.includes('Bad')
          ? { kind: 'failed', code: 'truncated', message: 'It ends after 3 bytes.' }
          : read({ duration: 5 }),
    });
    await ingestion.scan(['Bad/b.mkv', 'Good/g.mkv']);

    const job = await ingestion.run();

    expect(job.result).toMatchObject({ settled: 2, failed: 1 });
    const [bad, good] = await items(ingestion);
    expect(bad).toMatchObject({
      title: 'Bad',
      status: 'active',
      files: [
        {
          status: 'error',
          duration: null,
          fileInfo: { error: { code: 'truncated', message: 'It ends after 3 bytes.' } },
        },
      ],
    });
    expect(good).toMatchObject({ files: [{ status: 'active', duration: 5 }] });

    isBroken = false;
    await ingestion.run({ type: 'refresh', payload: { itemIds: [bad?.id] } });
    expect((await items(ingestion))[0]).toMatchObject({
      files: [{ status: 'active', duration: 5, fileInfo: { container: 'matroska' } }],
    });
  });

  test('reads a file again that the server may read now, as soon as a scan reaches it', async () => {
    let isLocked = true;
    const asked: string[] = [];
    const ingestion = await open({
      probe: ({ uri }) => {
        asked.push(uri.slice(root.length + 1));
        if (uri.includes('Bad'))
          return { kind: 'failed', code: 'truncated', message: 'It ends after 3 bytes.' };
        return isLocked && uri.includes('Locked')
          ? { kind: 'failed', code: 'unreadable', message: 'The file could not be read.' }
          : read({ duration: 5 });
      },
    });
    ingestion.jobs.register('scan', ingestion.following(ingestion.library.scans));
    await ingestion.scan(['Bad/b.mkv', 'Locked/1/a.mkv', 'Locked/2/b.mkv', 'Open/c.mkv']);
    await ingestion.run();
    const reread = async (payload: Record<string, unknown>) => {
      asked.length = 0;
      await ingestion.run({ type: 'scan', payload });
      return asked.toSorted();
    };

    expect(await reread({})).toEqual(['Locked/1/a.mkv', 'Locked/2/b.mkv']);
    isLocked = false;
    expect(await reread({ folders: [`${root}/Open`], shallow: [`${root}/Locked`] })).toEqual([]);
    expect(await reread({ folders: [`${root}/Open`, `${root}/Locked/1`] })).toEqual([
      'Locked/1/a.mkv',
    ]);
    expect(await reread({ shallow: [`${root}/Locked/2`] })).toEqual(['Locked/2/b.mkv']);
    expect(await reread({})).toEqual([]);
    const files = (await items(ingestion)).flatMap((item) => item.files);
    expect(files.map(({ filename, status }) => `${filename} ${status}`).toSorted()).toEqual([
      'a.mkv active',
      'b.mkv active',
      'b.mkv error',
      'c.mkv active',
    ]);
  });

  test('reads media again after its probe answers better, and keeps what people edited', async () => {
    let version = 1;
    const ingestion = await open({
      probe: () => read({ duration: version }),
      full: { local: () => ({ title: `Title ${version}`, metadata: { year: version } }) },
      answersVersionOf: () => version,
    });
    await ingestion.scan(['A/a.mkv']);
    await ingestion.run();
    const { id } = await only(ingestion);
    await ingestion.library.items.update(id, { title: 'Mine' }, everything);
    const merge = async () => {
      await ingestion.mergeLater(ingestion.libraryId, async () => undefined);
      await ingestion.jobs.idle();
      const { title, metadata, files } = await only(ingestion);
      return [title, metadata['year'], files[0]?.duration];
    };

    const same = await merge();
    version = 2;
    const better = await merge();

    expect([same, better]).toEqual([
      ['Mine', 1, 1],
      ['Mine', 2, 2],
    ]);
    const probes = ingestion.calls.filter(({ method }) => method === 'probe.probe');
    expect(probes).toHaveLength(2);
  });

  test('does not read unchanged files again, and reads changed ones again', async () => {
    const ingestion = await open({ probe: () => read() });
    const probed = () =>
      ingestion.calls.flatMap(({ method, input }) =>
        method === 'probe.probe' ? (input as { files: { uri: string }[] }).files : [],
      );
    await ingestion.scan(['A/a.mkv', 'B/b.mkv']);
    await ingestion.run();
    await ingestion.run();
    expect(probed()).toHaveLength(2);

    const { library, libraryId } = ingestion;
    const range = { libraryId, root, after: null, through: null, unreadable: [] };
    const files = [
      { uri: `${root}/A/a.mkv`, size: 7, modifiedAt: 1 },
      { uri: `${root}/B/b.mkv`, size: 7, modifiedAt: 2 },
    ];
    await library.reconcile({ ...range, files });
    await ingestion.run();

    expect(
      probed()
        .slice(2)
        .map(({ uri }) => uri),
    ).toEqual([`${root}/B/b.mkv`]);
  });

  test('emits an event for enriched items only', async () => {
    const ingestion = await open({ probe: () => read({ duration: 5 }) });
    await ingestion.scan(['A/a.mkv']);
    const { id, updatedAt } = await only(ingestion);
    await ingestion.run();
    expect(named(ingestion, 'library.item.enriched')).toEqual([]);
    expect((await only(ingestion)).updatedAt).toBe(updatedAt);

    const tagged = await open({
      probe: () => read(),
      full: { 'by-folder': () => ({ title: 'Tagged', metadata: { year: 1 } }) },
    });
    await tagged.scan(['A/a.mkv']);
    const { seq } = await lastChange(tagged);
    await tagged.run();
    await tagged.run({ type: 'refresh' });

    expect(named(tagged, 'library.item.enriched')).toMatchObject([{ data: { title: 'Tagged' } }]);
    expect((await lastChange(tagged)).seq).toBeGreaterThan(seq);
    expect(id).not.toBe('');
  });

  test('calls indexers in their order, each with what is known before, and the later one wins', async () => {
    const asked: unknown[] = [];
    const ingestion = await open({
      probe: () => read({ duration: 7, tags: { artist: 'X' } }),
      full: {
        'by-folder': () => ({ title: 'From tags', metadata: { year: 1990, genre: 'x' } }),
        network: (file) => {
          asked.push(file);
          return { title: 'From the network', metadata: { year: 1991, ids: { imdb: 'tt1' } } };
        },
      },
    });
    await ingestion.scan(['A (1980)/a.mkv']);

    await ingestion.run();

    expect(asked).toEqual([
      {
        path: 'A (1980)/a.mkv',
        size: 14,
        tags: { artist: 'X' },
        duration: 7,
        known: {
          title: 'From tags',
          metadata: { year: 1990, genre: 'x' },
          ids: {},
        },
      },
    ]);
    const item = await only(ingestion);
    expect(item).toMatchObject({
      title: 'From the network',
      metadata: { year: 1991, genre: 'x', ids: { imdb: 'tt1' } },
    });
    expect(item.provenance).toEqual(
      expect.arrayContaining([
        { pluginId: 'by-folder', path: 'fields' },
        { pluginId: 'network', path: 'fields.year' },
        { pluginId: 'network', path: 'ids.imdb' },
      ]),
    );
  });

  test('lets hooks override all indexers, and edits override everything', async () => {
    const ingestion = await open({
      probe: () => read(),
      full: { network: () => ({ title: 'Network', metadata: { year: 2, plot: 'n' } }) },
      hooks: hooks({
        'pipeline.probe.afterProcess': () => ({
          fields: { title: 'Sidecar', year: 3, plot: 's' },
          ids: { imdb: { id: 'tt3' } },
        }),
      }),
    });
    await ingestion.scan(['A (1980)/a.mkv']);
    const { id } = await only(ingestion);
    await ingestion.library.items.update(id, { metadata: { plot: 'mine' } }, everything);

    await ingestion.run();

    const item = await only(ingestion);
    expect(item).toMatchObject({
      title: 'Sidecar',
      metadata: { year: 3, plot: 'mine', ids: { imdb: 'tt3' } },
    });
    expect(item.provenance).toEqual(
      expect.arrayContaining([{ pluginId: 'hook', path: 'fields.year' }]),
    );
  });

  test('keeps the confidence and the web address of an id, and that an entity is pending', async () => {
    const url = 'https://films.example.org/tt3';
    const actor = { name: 'Ada', type: 'person', status: 'pending', source: 'x' };
    const ingestion = await open({
      probe: () => read(),
      hooks: hooks({
        'pipeline.probe.afterProcess': () => ({
          ids: {
            a: { id: 'tt3', confidence: 0.5, url },
            b: { id: '7' },
            c: { id: '8', url: 'javascript:alert(1)' },
            d: true,
          },
          entities: { actor: [{ ...actor, ids: { a: { id: 'nm1' } } }] },
        }),
      }),
    });
    await ingestion.scan(['A (1980)/a.mkv']);

    await ingestion.run();

    const { metadata } = await only(ingestion);
    const people = await ingestion.library.entities.list(everything, { type: 'person' });
    expect(metadata['ids']).toEqual({
      a: { id: 'tt3', confidence: 0.5, url },
      b: '7',
      c: '8',
      d: true,
    });
    expect(people.entities).toMatchObject([{ name: 'Ada', status: 'pending' }]);
  });

  test('assigns an item to one show, that of the hooks, and collects its people', async () => {
    const entity = (name: string, type: string) => ({ name, type, status: 'pending', source: 'x' });
    const ingestion = await open({
      probe: () => read(),
      full: {
        network: () => ({
          title: 'E',
          metadata: {},
          entities: { show: [entity('the.show', 'show')], actor: [entity('One', 'person')] },
        }),
      },
      hooks: hooks({
        'pipeline.probe.afterProcess': () => ({
          entities: { show: [entity('The Show', 'show')], actor: [entity('Two', 'person')] },
        }),
      }),
    });
    await ingestion.scan(['A (1980)/a.mkv']);

    await ingestion.run();

    const { linkedEntities } = await only(ingestion);
    const linked = linkedEntities.map(({ role, name }) => `${role} ${name}`);
    expect(linked).toEqual(expect.arrayContaining(['show The Show', 'actor One', 'actor Two']));
    expect(linked).not.toContain('show the.show');
  });

  test('gives each hook what was found before it, and takes what both add', async () => {
    const seen: Record<string, ItemHookInput> = {};
    const ingestion = await open({
      probe: () =>
        read({ duration: 5, tags: { title: 'T' }, chapters: [{ startTime: 0, title: 'Intro' }] }),
      full: { network: () => ({ title: 'N', metadata: {}, assets: [picture('backdrop', 'net')] }) },
      hooks: hooks({
        'pipeline.probe.afterProcess': (input) => {
          seen['probe'] = input;
          return { assets: [picture('poster', 'one')] };
        },
        'pipeline.index.afterProcess': (input) => {
          seen['index'] = input;
          return { assets: [picture('logo', 'two')], chapters: [{ startTime: 1, title: 'C' }] };
        },
      }),
    });
    await ingestion.scan(['A (1980)/a.mkv', 'A (1980)/a.srt']);

    await ingestion.run();

    const { id, files, assets } = await only(ingestion);
    expect(seen['probe']).toMatchObject({
      itemId: id,
      bundle: {
        files: {
          media: [
            {
              id: files[0]?.id,
              uri: `${root}/A%20(1980)/a.mkv`,
              path: 'A (1980)/a.mkv',
              extension: 'mkv',
              tags: { title: 'T' },
              fileInfo: { container: 'matroska', duration: 5 },
            },
          ],
          auxiliary: [{ path: 'A (1980)/a.srt', extension: 'srt', sourcePlugin: 'disk' }],
        },
        fields: { title: 'A', year: 1980 },
        assets: [],
      },
    });
    expect(seen['index']).toMatchObject({
      bundle: {
        fields: { title: 'N' },
        assets: [{ type: 'backdrop' }, { type: 'poster' }],
      },
    });
    expect(Object.keys(assets).sort()).toEqual(['backdrop', 'logo', 'poster']);
    expect(files[0]?.chapters).toMatchObject([
      { title: 'Intro', source: 'embedded', role: 'intro' },
      { title: 'C', source: 'hook', role: 'chapter' },
    ]);
  });

  test('dispatches a hook only if a plugin subscribed', async () => {
    let runs = 0;
    const ingestion = await open({
      hooks: {
        run: async (_name, output) => {
          runs += 1;
          return { output, provenance: [] };
        },
      },
    });
    await ingestion.scan(['A/a.mkv']);

    await ingestion.run();

    expect(runs).toBe(0);
  });

  test('makes files available on this machine for hooks that require it', async () => {
    const paths: (string | undefined)[] = [];
    const ingestion = await open({
      hooks: {
        ...hooks({
          'pipeline.index.afterProcess': ({ bundle }) => {
            paths.push(bundle.files.media[0]?.localPath);
            return null;
          },
        }),
        requiresLocalFile: (name) => name === 'pipeline.probe.afterProcess',
      },
    });
    await ingestion.scan(['A/a.mkv']);

    await ingestion.run();

    expect(paths).toEqual(['/here/films/A/a.mkv']);
  });

  test('keeps the ids of pictures, and removes what is no longer found', async () => {
    let pictures = [picture('poster', 'one'), picture('logo', 'two')];
    const ingestion = await open({
      hooks: hooks({ 'pipeline.probe.afterProcess': () => ({ assets: pictures }) }),
    });
    await ingestion.scan(['A/a.mkv']);
    await ingestion.run();
    const { assets } = await only(ingestion);

    pictures = [picture('poster', 'one')];
    await ingestion.run({ type: 'refresh' });

    expect((await only(ingestion)).assets).toEqual({ poster: assets['poster'] });
  });

  test('keeps pictures and chapters that a person made', async () => {
    const ingestion = await open({ probe: () => read({ chapters: [{ startTime: 1 }] }) });
    await ingestion.scan(['A/a.mkv']);
    const { database } = ingestion.library.storage;
    await database.write(async (trx) => {
      const item = await trx('items').first('no');
      const file = await trx('files').first('no');
      const times = { created_at: 1, updated_at: 1 };
      await trx('assets').insert({
        id: 'm',
        item_no: item.no,
        type: 'poster',
        uri: 'u',
        source: 'manual',
      });
      await trx('chapters').insert({
        ...{
          id: 'c',
          file_no: file.no,
          title: 'Mine',
          source: 'manual',
          start_time: 9,
          role: 'intro',
        },
        ...times,
      });
    });

    const { items } = ingestion.library;
    const { id } = await only(ingestion);
    const picture = { mimeType: 'image/webp', bytes: new Uint8Array([1]), uri: 'upload:1' };
    const [backdrop] = [
      await items.addPicture(id, { ...picture, type: 'backdrop' }, serverViewer),
      await items.addPicture(id, { ...picture, type: 'poster' }, serverViewer),
    ];
    await items.update(id, { unlock: ['assets.poster'] }, serverViewer);

    await ingestion.run();
    await ingestion.run({ type: 'refresh' });

    const { assets, files } = await only(ingestion);
    expect(assets).toEqual({ poster: '/api/assets/m', backdrop: `/api/assets/${backdrop}` });
    await items.remove(id, serverViewer);
    expect(await database.read('uploaded_pictures').select('asset_id')).toEqual([]);
    expect(files[0]?.chapters.map(({ source }) => source)).toEqual(['embedded', 'manual']);
  });

  test('makes an item wait when a file beside it arrives, changes or leaves', async () => {
    const ingestion = await open();
    await ingestion.scan(['A/a.mkv', 'B/b.mkv']);
    await ingestion.run();
    const waiting = async () => {
      const { storage } = ingestion.library;
      const rows = await storage.database.read('files').where('ingest_state', '>', 0);
      return rows
        .filter(({ type }) => type === 'media')
        .map(({ uri }) => uri)
        .sort();
    };

    await ingestion.scan(['A/a.mkv', 'A/a.nfo', 'B/b.mkv']);
    expect(await waiting()).toEqual([`${root}/A/a.mkv`]);
    await ingestion.run();
    await ingestion.scan(['A/a.mkv', 'B/b.mkv']);
    expect(await waiting()).toEqual([`${root}/A/a.mkv`]);
    await ingestion.run();
    await ingestion.scan(['A/a.mkv', 'B/b.mkv', 'poster.jpg']);
    expect(await waiting()).toEqual([`${root}/A/a.mkv`, `${root}/B/b.mkv`]);
  });

  test('ingests an item again when its file changes during the ingest', async () => {
    const late: { ingestion?: TestIngestion } = {};
    let round = 0;
    const opened = await open({
      probe: async () => {
        round += 1;
        if (round === 1) await late.ingestion?.scan(['A/a.mkv'], 99);
        return read({ duration: round });
      },
    });
    late.ingestion = opened;
    await opened.scan(['A/a.mkv']);

    await opened.run();

    expect(round).toBe(2);
    expect((await only(opened)).files).toMatchObject([{ duration: 2 }]);
  });

  test('leaves an item that keeps changing to the next scan, and ends', async () => {
    const late: { ingestion?: TestIngestion } = {};
    let round = 0;
    const opened = await open({
      probe: async () => {
        round += 1;
        await late.ingestion?.scan(['A/a.mkv'], 100 + round);
        return read();
      },
    });
    late.ingestion = opened;
    await opened.scan(['A/a.mkv']);

    const job = await opened.run();

    expect(job).toMatchObject({ status: 'completed', result: { settled: 0 } });
    expect(round).toBe(3);
  });

  test('keeps entities from names when no other source names entities', async () => {
    const ingestion = await open();
    await ingestion.scan(['Alien (1979)/a.mkv']);
    const before = await only(ingestion);

    await ingestion.run();
    await ingestion.run({ type: 'refresh' });

    const after = await only(ingestion);
    expect(before.linkedEntities).toMatchObject([{ type: 'genre', name: 'A' }]);
    expect(after.linkedEntities).toEqual(before.linkedEntities);
    expect(after.metadata).toEqual(before.metadata);
  });

  test('keeps the genres that a person wrote, and takes those of the sources when they are given back', async () => {
    const entities = {
      genre: [{ name: 'Horror', status: 'complete', source: 's' }],
      actor: [{ name: 'Ann Vale', status: 'complete', source: 's' }],
    };
    const ingestion = await open({
      hooks: hooks({ 'pipeline.probe.afterProcess': () => ({ entities }) }),
    });
    await ingestion.scan(['Alien (1979)/a.mkv']);
    await ingestion.run();
    const { items } = ingestion.library;
    const { id } = await only(ingestion);
    const names = async () =>
      (await only(ingestion)).linkedEntities.map(({ type, name }) => `${type} ${name}`).sort();
    const ofSources = ['genre A', 'genre Horror', 'person Ann Vale'];
    expect(await names()).toEqual(ofSources);

    await items.update(id, { metadata: { genres: ['Comedy', 'Drama'] } }, serverViewer);
    expect(await names()).toEqual(['genre Comedy', 'genre Drama', 'person Ann Vale']);
    await ingestion.run({ type: 'refresh' });
    expect(await names()).toEqual(['genre Comedy', 'genre Drama', 'person Ann Vale']);

    await items.update(id, { metadata: { genres: null } }, serverViewer);
    expect(await names()).toEqual(['person Ann Vale']);

    await items.update(id, { unlock: ['metadata.genres'] }, serverViewer);
    await ingestion.run({ type: 'refresh' });
    expect(await names()).toEqual(ofSources);
  });

  testByNight('ingests thousands of items in batches, each once', async () => {
    const ingestion = await open({ probe: () => read() });
    const paths = Array.from({ length: 700 }, (_, no) => `Film ${no}/f.mkv`);
    await ingestion.scan(paths);

    const job = await ingestion.run();

    expect(job.result).toMatchObject({ settled: 700, failed: 0 });
    const batches = ingestion.calls.filter(({ method }) => method === 'probe.probe');
    const asked = batches.map(({ input }) => (input as { files: object[] }).files.length);
    expect(Math.max(...asked)).toBeLessThanOrEqual(32);
    expect(asked.reduce((sum, count) => sum + count)).toBe(700);
  });

  test('stores fingerprints, by which a scan recognises files that moved', async () => {
    const ingestion = await open();
    await ingestion.scan(['A/a.mkv']);
    await ingestion.run();

    const row = await ingestion.library.storage.database.read('files').first('fingerprint');

    expect(row.fingerprint).toMatch(/^[0-9a-f]{32}$/);
  });

  test('emits the progress of items, and the progress of the job for admins', async () => {
    const ingestion = await open({ probe: () => read() });
    await ingestion.scan(['A/a.mkv']);
    const { id } = await only(ingestion);
    ingestion.library.events.length = 0;

    const job = await ingestion.run();

    const own = { itemId: id, libraryId: ingestion.libraryId };
    const heard = ingestion.library.events.filter(({ type }) => !/^job\.|jobUpdated/.test(type));
    const step = (which: string) => [
      { type: 'pipeline.step.started', data: { ...own, step: which, durationMs: null } },
      {
        type: 'pipeline.step.completed',
        data: { ...own, step: which, durationMs: expect.any(Number) },
      },
    ];
    const state = (which: string) => ({
      type: 'pipeline.item.stateChanged',
      data: { ...own, state: which },
    });
    expect(heard).toEqual([
      { type: 'admin.pipeline.jobCreated', data: expect.objectContaining({ jobId: job.id }) },
      state('probing'),
      ...step('probe'),
      state('identifying'),
      ...step('identify'),
      ...step('commit'),
      state('completed'),
      { type: 'pipeline.item.completed', data: { ...own, state: 'completed' } },
      {
        type: 'admin.pipeline.taskUpdated',
        data: {
          jobId: job.id,
          detail: { task: 'ingest', libraryId: own.libraryId, settled: 1, failed: 0, enriched: 0 },
        },
      },
      { type: 'admin.pipeline.jobDetailUpdated', data: expect.objectContaining({ jobId: job.id }) },
      { type: 'admin.pipeline.jobCompleted', data: expect.objectContaining({ jobId: job.id }) },
    ]);
  });

  test('ends when its library is removed meanwhile', async () => {
    const late: { ingestion?: TestIngestion } = {};
    const opened = await open({
      probe: async () => {
        await late.ingestion?.library.libraries.remove(opened.libraryId, everything);
        return read();
      },
    });
    late.ingestion = opened;
    await opened.scan(['A/a.mkv']);

    const job = await opened.run();

    expect(job).toMatchObject({ status: 'completed', result: { settled: 0 } });
  });
});

describe('a refresh', () => {
  test('ingests only the items that it names', async () => {
    const ingestion = await open({ probe: () => read() });
    await ingestion.scan(['A/a.mkv', 'B/b.mkv']);
    const [first] = await items(ingestion);

    const job = await ingestion.run({ type: 'refresh', payload: { itemIds: [first?.id] } });

    expect(job.result).toMatchObject({ settled: 1 });
    expect((await items(ingestion)).map(({ files }) => files[0]?.fileInfo)).toMatchObject([
      { container: 'matroska' },
      {},
    ]);
  });

  test('of one item is a job with high priority', async () => {
    const ingestion = await open();
    await ingestion.scan(['A/a.mkv']);
    const { id } = await only(ingestion);

    const job = await ingestion.refreshItem(id, everything);
    await ingestion.jobs.idle();

    expect(job).toMatchObject({
      type: 'refresh',
      libraryId: ingestion.libraryId,
      payload: { itemIds: [id] },
      priority: 80,
    });
  });

  test('with an invalid list of ids is refused, with a clear message', async () => {
    const ingestion = await open();

    await expect(
      ingestion.run({ type: 'refresh', payload: { itemIds: 'all' } }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      fields: { what: 'payload.itemIds must be a list of 1 to 1000 ids of items.' },
    });
  });

  test('of items is refused for all libraries, since each item is in one', async () => {
    const { jobs } = await open();

    await expect(
      jobs.enqueue({ type: 'refresh', payload: { itemIds: ['a'] } }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      fields: { what: 'libraryId must be the library of payload.itemIds.' },
    });
  });
});

const picture = (type: string, name: string) =>
  ({ type, uri: `https://example.org/${name}`, source: 'test' }) as const;

async function lastChange({ library }: TestIngestion): Promise<{ readonly seq: number }> {
  const run = library.service.methods['changes']?.run as (
    input: object,
    caller: object,
  ) => Promise<string>;
  return JSON.parse(await run({ seq: 0, limit: 500 }, { reach: 'all', viewer: null })) as {
    seq: number;
  };
}

describe('a file that concerns a whole folder', () => {
  test('is marked as shared for items with others in the folder, unless it is named after them', async () => {
    const seen = new Map<string, readonly (readonly [string, boolean])[]>();
    const ingestion = await open({
      hooks: hooks({
        'pipeline.probe.afterProcess': ({ bundle }) => {
          const [media] = bundle.files.media;
          const shown = bundle.files.auxiliary.map(
            ({ path, isShared = false }) => [path, isShared] as const,
          );
          if (media) seen.set(media.path, shown);
          return null;
        },
      }),
    });

    await ingestion.scan([
      'Box/A/a.mkv',
      'Box/A/poster.jpg',
      'Box/b.mkv',
      'Box/b-poster.jpg',
      'Box/poster.jpg',
      'Lone/l.mkv',
      'Lone/poster.jpg',
    ]);
    await ingestion.run();

    expect(Object.fromEntries(seen)).toEqual({
      'Box/A/a.mkv': [
        ['Box/A/poster.jpg', false],
        ['Box/poster.jpg', true],
      ],
      'Box/b.mkv': [
        ['Box/b-poster.jpg', false],
        ['Box/poster.jpg', true],
      ],
      'Lone/l.mkv': [['Lone/poster.jpg', false]],
    });
  });
});

describe('the stored probe report of a file', () => {
  const whole = {
    duration: 90.5,
    bitrate: 1000,
    chapters: [{ startTime: 0, endTime: 45, title: 'One' }],
    artwork: [{ type: 'cover', mimeType: 'image/png', size: 9 }],
    tags: { title: 'In the file' },
  };
  const probed = ({ calls }: TestIngestion) =>
    calls.flatMap(({ method, input }) =>
      method === 'probe.probe'
        ? (input as { files: { uri: string }[] }).files.map(({ uri }) => uri.slice(root.length + 1))
        : [],
    );

  async function openRead(report: object = whole): Promise<TestIngestion> {
    const ingestion = await open({
      probe: () => read(report),
      // Tags become metadata, so that a test sees whether they were present.
      full: {
        'by-folder': ({ path, tags }) => ({
          title: path,
          metadata: { tagged: tags?.title ?? null },
        }),
      },
    });
    await ingestion.scan(['Heat/h.mkv']);
    await ingestion.run();
    ingestion.calls.length = 0;
    return ingestion;
  }

  test('is used when a sidecar arrives, without loss', async () => {
    const ingestion = await openRead();
    const before = await only(ingestion);

    await ingestion.scan(['Heat/h.mkv', 'Heat/h.nfo']);
    const job = await ingestion.run();

    expect(job.result).toMatchObject({ settled: 1 });
    expect(probed(ingestion)).toEqual([]);
    expect(await only(ingestion)).toEqual(before);
    expect(before.metadata).toMatchObject({ tagged: 'In the file' });
  });

  test('is used to identify the item again, but not for a refresh', async () => {
    const ingestion = await openRead();
    const { id } = await only(ingestion);

    await ingestion.identifyItems([id], everything);
    await ingestion.jobs.idle();
    await ingestion.lookUpLater(ingestion.libraryId, [id], 'by-folder');
    await ingestion.jobs.idle();
    const afterOthers = probed(ingestion);
    await ingestion.refreshItem(id, everything);
    await ingestion.jobs.idle();
    const afterItem = probed(ingestion);
    await ingestion.run({ type: 'refresh' });

    expect(afterOthers).toEqual([]);
    expect(afterItem).toEqual(['Heat/h.mkv']);
    expect(probed(ingestion)).toEqual(['Heat/h.mkv', 'Heat/h.mkv']);
  });

  test('is replaced when the content of the file changes', async () => {
    const ingestion = await openRead();

    await ingestion.scan(['Heat/h.mkv'], 2);
    await ingestion.run();

    expect(probed(ingestion)).toEqual(['Heat/h.mkv']);
  });

  test('is not stored when it is too long', async () => {
    const ingestion = await openRead({ ...whole, tags: { lyrics: 'la '.repeat(6000) } });

    await ingestion.scan(['Heat/h.mkv', 'Heat/h.nfo']);
    await ingestion.run();

    expect(probed(ingestion)).toEqual(['Heat/h.mkv']);
    expect(await ingestion.library.storage.database.read('kept_reports').select('*')).toEqual([]);
  });

  test('is used by a job of the type identify, which asks the indexers again', async () => {
    const ingestion = await openRead();
    const before = probed(ingestion);

    const job = await ingestion.run({ type: 'identify', payload: { media: 'read' } });

    expect(job).toMatchObject({ status: 'completed', result: { settled: 1 } });
    expect(probed(ingestion)).toEqual(before);
  });

  test('is not used when its plugin is not running, or when it is invalid', async () => {
    const ingestion = await openRead();
    const { write } = ingestion.library.storage.database;

    await write((trx) => trx('kept_reports').update({ plugin_id: 'gone' }));
    await ingestion.scan(['Heat/h.mkv', 'Heat/h.nfo']);
    await ingestion.run();
    const afterGone = probed(ingestion);
    await write((trx) =>
      trx('files').where('type', 'media').update({ file_info: '{"streams":1}' }),
    );
    await ingestion.scan(['Heat/h.mkv']);
    await ingestion.run();

    expect(afterGone).toEqual(['Heat/h.mkv']);
    expect(probed(ingestion)).toEqual(['Heat/h.mkv', 'Heat/h.mkv']);
  });

  test('is deleted with its file', async () => {
    const ingestion = await openRead();

    await ingestion.library.libraries.remove(ingestion.libraryId, everything);

    expect(await ingestion.library.storage.database.read('kept_reports').select('*')).toEqual([]);
  });
});

test('a refresh with an unknown value of media is refused', async () => {
  const ingestion = await open();

  await expect(
    ingestion.run({ type: 'refresh', payload: { media: 'perhaps' } }),
  ).rejects.toMatchObject({ fields: { what: 'payload.media must be "read" or "keep".' } });
});

test('a photo is shown before the film that was taken with it, and a film alone is the item', async () => {
  const ingestion = await open({ libraryType: 'photos' });
  await ingestion.scan(['a/IMG_1.MOV', 'a/IMG_1.heic', 'b/IMG_2.mp4']);
  await ingestion.run();

  const shown = (await items(ingestion)).map(({ files }) =>
    files.map(({ filename, classification }) => `${filename} ${classification}`),
  );
  expect(shown.toSorted()).toEqual([
    ['IMG_1.heic primary', 'IMG_1.MOV companion'],
    ['IMG_2.mp4 primary'],
  ]);
});
