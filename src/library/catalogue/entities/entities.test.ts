import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  admin,
  openMentionLibrary,
  type MentionLibrary,
} from '../../../../test/support/library/mentions.ts';
import { visibilityOfLibraries, type Viewer } from '../../../people/viewer/index.ts';
import type { EntityDetail } from './entity-detail.ts';
import type { Entity } from '../../../contract/resources/library/catalogue.ts';

let library: MentionLibrary;

beforeEach(async () => {
  library = await openMentionLibrary();
  onTestFinished(() => library.close());
});

async function find(type: string, name: string): Promise<Entity> {
  const { entities } = await library.entities.list(admin, { type, limit: 500 });
  const entity = entities.find((one) => one.name === name);
  if (!entity) throw new Error(`There is no ${type} ${name}.`);
  return entity;
}

async function detail(type: string, name: string): Promise<EntityDetail> {
  return library.entities.get((await find(type, name)).id, admin);
}

async function titlesOf(id: string, role?: string): Promise<readonly string[]> {
  const { items } = await library.items.ofEntity(id, admin, { role });
  return items.map(({ title }) => title);
}

describe('the identity of an entity', () => {
  test('the same id of a provider is the same person, even with another name; other names become search terms', async () => {
    await library.say('A', { actor: [{ name: 'Ladislav Krejčí', ids: { imdb: 'nm1' } }] });
    await library.say('B', { actor: [{ name: 'L. Krejci', ids: { imdb: 'nm1', tmdb: '7' } }] });
    await library.say('C', { actor: [{ name: 'L. Krejci' }] });

    const person = await detail('person', 'Ladislav Krejčí');
    expect(await library.named('person')).toEqual(['Ladislav Krejčí']);
    expect(person).toMatchObject({
      status: 'complete',
      searchTerms: 'L. Krejci',
      ids: { imdb: 'nm1', tmdb: '7' },
      itemCount: 3,
    });
  });

  test('the same name is the same artist, in every spelling', async () => {
    await library.say('A', { artist: [{ name: 'The Beatles' }, { name: 'AC/DC' }] });
    await library.say('B', { artist: [{ name: 'Beatles, The' }, { name: 'AC-DC' }] });
    await library.say('C', { artist: [{ name: 'Beyoncé' }] });
    await library.say('D', { artist: [{ name: 'BEYONCE' }] });

    expect(await library.named('artist')).toEqual(['AC/DC', 'The Beatles', 'Beyoncé']);
  });

  test('two people of one name with different ids of a provider are two', async () => {
    await library.say('A', { actor: [{ name: 'John Smith', ids: { imdb: 'nm1' } }] });
    await library.say('B', { actor: [{ name: 'John Smith', ids: { imdb: 'nm2' } }] });
    await library.say('C', { actor: [{ name: 'John Smith', ids: { imdb: 'nm2' } }] });

    const { entities } = await library.entities.list(admin, { type: 'person' });
    const counts = await Promise.all(
      entities.map(async ({ id }) => (await library.entities.get(id, admin)).itemCount),
    );
    expect(entities.map(({ name }) => name)).toEqual(['John Smith', 'John Smith']);
    expect(counts.sort()).toEqual([1, 2]);
  });

  test('two shows of one name are distinguished by their year, with their own seasons', async () => {
    const episode = (year: number) => ({
      show: [{ name: 'Battlestar Galactica', metadata: { year } }],
      season: [{ name: 'Season 1', metadata: { show: 'Battlestar Galactica', season: 1 } }],
    });
    await library.say('A', episode(1978));
    await library.say('B', episode(2004));
    await library.say('C', { show: [{ name: 'Battlestar Galactica (2003)' }] });

    expect(await library.named('show')).toEqual([
      'Battlestar Galactica',
      'Battlestar Galactica (2004)',
    ]);
    expect(await library.named('season')).toEqual(['Season 1', 'Season 1']);
    expect((await detail('show', 'Battlestar Galactica (2004)')).itemCount).toBe(2);
  });

  test('an album belongs to its artist, under any name of the artist', async () => {
    const album = (artist: string, ids = {}) => ({
      albumArtist: [{ name: artist, ids }],
      album: [{ name: 'Greatest Hits' }],
    });
    await library.say('A', album('Prince', { musicbrainz: 'p' }));
    await library.say('B', album('The Artist Formerly Known as Prince', { musicbrainz: 'p' }));
    await library.say('C', album('Queen'));

    expect(await library.named('album')).toEqual(['Greatest Hits', 'Greatest Hits']);
  });

  test('an album of two artists is one album, of both', async () => {
    const said = (artist: string) => ({
      artist: [{ name: artist }],
      albumArtist: [{ name: 'Jon' }, { name: 'Kay' }],
      album: [{ name: 'Piers', metadata: { artist: 'Jon, Kay' } }],
    });
    await library.say('A', said('Jon'));
    await library.say('B', said('Kay'));

    expect(await library.named('album')).toEqual(['Piers']);
    expect(await library.named('artist')).toEqual(['Jon', 'Kay']);
    expect(await titlesOf((await find('artist', 'Kay')).id, 'albumArtist')).toEqual(['A', 'B']);
    const { entities: albums } = await library.entities.list(admin, { type: 'album', limit: 9 });
    expect(albums.map(({ artists }) => artists.map(({ name }) => name))).toEqual([['Jon', 'Kay']]);
  });

  test('a featured artist is an artist, and A & B are two only when both are known separately', async () => {
    await library.say('A', { artist: [{ name: 'Simon & Garfunkel' }] });
    await library.say('B', { artist: [{ name: 'Gorillaz feat. De La Soul' }] });
    await library.say('C', { artist: [{ name: 'Elton John' }] });
    await library.say('D', { artist: [{ name: 'Kiki Dee' }] });
    await library.say('E', { artist: [{ name: 'Elton John & Kiki Dee' }] });

    expect(await library.named('artist')).toEqual([
      'De La Soul',
      'Elton John',
      'Gorillaz',
      'Kiki Dee',
      'Simon & Garfunkel',
    ]);
    expect(await titlesOf((await find('artist', 'Kiki Dee')).id)).toEqual(['D', 'E']);
    expect(await titlesOf((await find('artist', 'De La Soul')).id, 'featuredArtist')).toEqual([
      'B',
    ]);
  });
});

describe('two entities that turn out to be one', () => {
  test('are merged: links, ids, names and children move, and the old id leads to the survivor', async () => {
    const hits = (artist: string, ids: Readonly<Record<string, string>>) => ({
      albumArtist: [{ name: artist, ids }],
      album: [{ name: 'Hits' }],
    });
    await library.say('A', hits('Prince', { musicbrainz: 'p' }));
    await library.say('B', hits('The Symbol', { discogs: 's' }));
    const symbol = await find('artist', 'The Symbol');
    const [, other] = (await library.entities.list(admin, { type: 'album' })).entities;

    await library.say('C', {
      albumArtist: [{ name: 'Prince', ids: { musicbrainz: 'p', discogs: 's' } }],
    });

    const prince = await detail('artist', 'Prince');
    expect(await library.named('artist')).toEqual(['Prince']);
    expect(await library.named('album')).toEqual(['Hits']);
    expect(prince).toMatchObject({
      ids: { musicbrainz: 'p', discogs: 's' },
      searchTerms: 'The Symbol',
      itemCount: 3,
    });
    expect(await library.entities.get(symbol.id, admin)).toEqual(prince);
    expect((await library.entities.get(other?.id ?? '', admin)).itemCount).toBe(2);
    await library.say('D', { artist: [{ name: 'The Symbol' }] });
    expect(await titlesOf(prince.id)).toEqual(['A', 'B', 'C', 'D']);
  });

  test('make indexes learn that one of them left, and that its items name the other', async () => {
    await library.say('A', { actor: [{ name: 'One', ids: { imdb: '1' } }] });
    await library.say('B', { actor: [{ name: 'Two', ids: { tmdb: '2' } }] });
    const two = await find('person', 'Two');
    const { seq } = await changes(0);

    await library.say('C', { actor: [{ name: 'One', ids: { imdb: '1', tmdb: '2' } }] });

    const after = await changes(seq);
    expect(after.changes).toContainEqual(
      expect.objectContaining({
        kind: 'entity-left',
        entityId: two.id,
        libraryId: library.libraryId,
      }),
    );
    const present = after.changes.filter(({ kind }) => kind === 'present');
    expect(present.map(({ item }) => item?.entities[0]?.searchTerms)).toEqual([
      'Two',
      'Two',
      'Two',
    ]);
  });

  test('stay two when their ids contradict', async () => {
    await library.say('A', { actor: [{ name: 'One', ids: { imdb: '1', tmdb: '1' } }] });
    await library.say('B', { actor: [{ name: 'Two', ids: { imdb: '2', tvdb: '2' } }] });
    await library.say('C', { actor: [{ name: 'One', ids: { tmdb: '1', tvdb: '2' } }] });

    expect(await library.named('person')).toEqual(['One', 'Two']);
  });
});

interface Changes {
  readonly seq: number;
  readonly changes: readonly {
    readonly kind: string;
    readonly entityId?: string;
    readonly item?: { readonly entities: readonly { readonly searchTerms?: string }[] };
  }[];
}

async function changes(seq: number): Promise<Changes> {
  const run = library.service.methods['changes']?.run as (
    input: object,
    caller: object,
  ) => Promise<string>;
  return JSON.parse(await run({ seq, limit: 500 }, { reach: 'all', viewer: null })) as Changes;
}

describe('the data of an entity', () => {
  test('grows with each source, with provenance; a better source names it', async () => {
    await library.say('A', { actor: [{ name: 'ladislav', source: 'names' }] });
    await library.say('B', {
      actor: [
        {
          name: 'Ladislav',
          source: 'sidecars',
          ids: { imdb: 'nm1' },
          metadata: { born: 1948, character: 'Himself' },
        },
      ],
    });

    expect(await detail('person', 'Ladislav')).toMatchObject({
      status: 'complete',
      sourcePluginId: 'names',
      metadata: { born: 1948 },
      ids: { imdb: 'nm1' },
      provenance: [
        { pluginId: 'names', path: 'name' },
        { pluginId: 'sidecars', path: 'ids' },
        { pluginId: 'sidecars', path: 'name' },
        { pluginId: 'sidecars', path: 'metadata' },
      ],
    });
  });

  test('of an item has both parts that one person plays in it', async () => {
    await library.say('A', {
      actor: [
        { name: 'Peter Sellers', metadata: { character: 'Dr. Strangelove' } },
        { name: 'Peter Sellers', metadata: { character: 'Merkin Muffley' } },
      ],
    });
    const { items } = await library.items.list(admin, {});

    expect(items[0]?.linkedEntities).toMatchObject([
      {
        name: 'Peter Sellers',
        role: 'actor',
        linkMetadata: { character: 'Dr. Strangelove / Merkin Muffley' },
      },
    ]);
  });

  test('is locked against later scans once an admin edited it', async () => {
    await library.say('A', { actor: [{ name: 'Prince' }] });
    const { id } = await find('person', 'Prince');

    await library.entities.update(
      id,
      {
        name: 'The Artist',
        searchTerms: 'symbol',
        assets: { portrait: 'https://example.org/p.jpg' },
        metadata: { born: 1958 },
      },
      admin,
    );
    await library.say('B', {
      actor: [{ name: 'Prince', ids: { imdb: 'nm2' }, metadata: { born: 1900, died: 2016 } }],
    });
    await library.say('C', { actor: [{ name: 'The Artist' }] });

    expect(await library.entities.get(id, admin)).toMatchObject({
      name: 'The Artist',
      searchTerms: 'symbol',
      assets: { portrait: 'https://example.org/p.jpg' },
      metadata: { born: 1958, died: 2016 },
      ids: { imdb: 'nm2' },
      itemCount: 3,
      lockedFields: ['name', 'searchTerms', 'assets', 'metadata.born'],
    });
  });

  test('has provenance and hidden entities for admins only', async () => {
    await library.say('A', { actor: [{ name: 'Prince', source: 'names' }] });
    const { id } = await find('person', 'Prince');
    const guest: Viewer = { ...admin, role: 'guest' };

    expect((await library.entities.get(id, guest)).provenance).toEqual([]);
    await library.entities.update(id, { hidden: true }, admin);
    await expect(library.entities.get(id, guest)).rejects.toMatchObject({ code: 'not_found' });
    expect(await library.named('person')).toEqual([]);
    await library.entities.update(id, { hidden: false }, admin);
    expect(await library.named('person')).toEqual(['Prince']);
  });
});

describe('the upkeep', () => {
  test('deletes entities without items, and tells indexes which entities left', async () => {
    await library.say('A', { show: [{ name: 'Lost' }], season: [{ name: 'Season 1' }] });
    await library.say('B', { genre: [{ name: 'Drama' }] });
    const lost = await find('show', 'Lost');
    await library.entityUpkeep.sweep();
    const { seq } = await changes(0);

    await library.drop('A');
    await library.entityUpkeep.sweep();

    const after = await changes(seq);
    expect(after.changes.map(({ kind }) => kind)).toEqual([
      'removed',
      'entity-left',
      'entity-left',
    ]);
    expect(after.changes.map(({ entityId }) => entityId)).toContain(lost.id);
    // The item is missing, not deleted: it may return with its links.
    await library.say('A', {});
    expect(await library.named('show')).toEqual(['Lost']);

    const { items } = await library.items.list(admin, {});
    for (const { id } of items) await library.items.remove(id, admin);
    await library.entityUpkeep.sweep();
    const [row] = await library.storage.database
      .read('entities')
      .count<{ total: number }[]>({ total: '*' });
    expect(row?.total).toBe(0);
  });

  test('reads nothing when nothing was touched', async () => {
    await library.say('A', { genre: [{ name: 'Drama' }] });
    expect(await library.entityUpkeep.sweep()).toBe(1);
    expect(await library.entityUpkeep.sweep()).toBe(0);
  });

  test('keeps what an admin edited for the entity’s return', async () => {
    await library.say('A', { genre: [{ name: 'Drama' }] });
    const { id } = await find('genre', 'Drama');
    await library.entities.update(id, { name: 'Plays' }, admin);
    const { items } = await library.items.list(admin, {});
    await library.items.remove(items[0]?.id ?? '', admin);
    await library.entityUpkeep.sweep();

    await library.say('B', { genre: [{ name: 'Drama' }] });

    expect(await library.named('genre')).toEqual(['Plays']);
  });

  test('drops its cache of an entity that was deleted', async () => {
    await library.say('A', { genre: [{ name: 'Drama' }] });
    const { items } = await library.items.list(admin, {});
    await library.items.remove(items[0]?.id ?? '', admin);
    await library.entityUpkeep.sweep();

    await library.say('B', { genre: [{ name: 'Drama' }] });

    expect(await library.named('genre')).toEqual(['Drama']);
  });
});

describe('pictures of an entity', () => {
  const portrait = (uri: string, source = 'sidecars') => ({
    actor: [{ name: 'Ada', source, metadata: { imageUrl: uri } }],
  });

  test('are shown by type and served by id: those of the web to all, those of a library to its viewers', async () => {
    await library.say('A', {
      show: [
        {
          name: 'Lost',
          metadata: {
            assets: {
              poster: { uri: 'file:///movies/poster.jpg', aspect: 'portrait' },
              banner: 'https://example.org/banner.jpg',
              'no type': 'https://example.org/x.jpg',
              cover: 'not an address',
            },
          },
        },
      ],
    });

    const show = await detail('show', 'Lost');
    expect(Object.keys(show.assets).sort()).toEqual(['banner', 'poster']);
    expect(show.assetAspects).toEqual({ poster: 'portrait' });
    expect(show.metadata).toEqual({});
    const served = (type: string) =>
      library.files.asset((show.assets[type] ?? '').replace('/api/assets/', ''), admin);
    expect(await served('poster')).toMatchObject({
      place: { kind: 'library', uri: 'file:///movies/poster.jpg', roots: ['file:///movies'] },
    });
    expect(await served('banner')).toMatchObject({
      place: { kind: 'web', uri: 'https://example.org/banner.jpg', pluginId: 'test' },
    });
    await library.libraries.update(library.libraryId, { hidden: true }, admin);
    await expect(served('banner')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('change only through the plugin that named them, and never replace an admin’s choice', async () => {
    await library.say('A', portrait('https://example.org/1.jpg'));
    const first = await detail('person', 'Ada');
    await library.say('B', portrait('https://example.org/other.jpg', 'network'));
    expect((await detail('person', 'Ada')).assets).toEqual(first.assets);

    await library.say('C', portrait('https://example.org/2.jpg'));
    const second = await detail('person', 'Ada');
    expect(second.assets).not.toEqual(first.assets);
    expect(second.assetAspects).toEqual({ thumbnail: 'portrait' });

    await library.entities.update(second.id, { assets: { thumbnail: null } }, admin);
    await library.say('D', portrait('https://example.org/3.jpg'));
    expect((await detail('person', 'Ada')).assets).toEqual({});
  });

  test('stay with the entity that another is merged into', async () => {
    await library.say('A', { actor: [{ name: 'One', ids: { imdb: '1' } }] });
    await library.say('B', {
      actor: [
        { name: 'Two', ids: { tmdb: '2' }, metadata: { imageUrl: 'https://example.org/2.jpg' } },
      ],
    });
    await library.say('C', { actor: [{ name: 'One', ids: { imdb: '1', tmdb: '2' } }] });

    const { thumbnail = '' } = (await detail('person', 'One')).assets;
    expect(await library.files.asset(thumbnail.replace('/api/assets/', ''), admin)).toMatchObject({
      place: { kind: 'web', uri: 'https://example.org/2.jpg' },
    });
  });
});

describe('linking', () => {
  test('takes as many statements for a hundred items as for ten', async () => {
    const counted = async (from: number, through: number): Promise<number> => {
      const items = Array.from({ length: through - from }, (_, index) => {
        const no = String(from + index);
        const actor = [{ name: `Actor ${no}`, ids: { imdb: `nm${no}` } }];
        return [`Film ${no}`, { actor, genre: [{ name: 'Drama' }] }] as const;
      });
      library.written.splice(0);
      await library.sayAll(items);
      return library.written.length;
    };

    await counted(0, 1);
    const ten = await counted(1, 11);
    const hundred = await counted(11, 111);

    expect(ten).toBeGreaterThan(3);
    expect(hundred).toBeLessThanOrEqual(ten);
    expect(await library.named('person')).toHaveLength(111);
  });

  test('writes nothing for links that exist already', async () => {
    const mentions = { actor: [{ name: 'Ada', ids: { imdb: 'nm1' } }] };
    await library.say('A', mentions);
    library.written.splice(0);

    await library.say('A', mentions);

    expect(library.written.filter((sql) => /entit/.test(sql))).toEqual([]);
  });
});

describe('an uploaded picture of an entity', () => {
  const add = (id: string, uri: string) =>
    library.entities.addPicture(
      id,
      { type: 'photo', mimeType: 'image/webp', bytes: Buffer.from(uri), uri },
      admin,
    );
  const bytesOf = async (pictureId: string): Promise<string> => {
    const { place } = await library.files.asset(pictureId, admin);
    return place.kind === 'uploaded' ? Buffer.from((await place.load()).bytes).toString() : '';
  };
  const shownOf = async (id: string) => (await library.entities.get(id, admin)).assets['photo'];

  test('is shown at once and kept by scans, goes along in a merge, and is gone when it is removed', async () => {
    await library.say('A', { actor: [{ name: 'Ann Lee' }, { name: 'Anne Lee' }] });
    const [ann, anne] = [await find('person', 'Ann Lee'), await find('person', 'Anne Lee')];
    const picture = await add(anne.id, 'upload:one');
    await library.say('B', {
      actor: [{ name: 'Anne Lee', metadata: { assets: { photo: 'https://a.example/1.jpg' } } }],
    });
    expect(await shownOf(anne.id)).toBe(`/api/assets/${picture}`);

    await library.entities.merge(ann.id, [anne.id], admin);
    expect(await shownOf(ann.id)).toBe(`/api/assets/${picture}`);
    expect(await bytesOf(picture)).toBe('upload:one');

    await library.entities.removePicture(ann.id, picture, admin);
    expect(await shownOf(ann.id)).toBeUndefined();
    await expect(bytesOf(picture)).rejects.toMatchObject({ code: 'not_found' });
    await expect(library.entities.removePicture(ann.id, picture, admin)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('stays while it is shown; of others the oldest one makes room', async () => {
    await library.say('A', { actor: [{ name: 'Ann Lee' }] });
    const { id } = await find('person', 'Ann Lee');
    const pictures: string[] = [];
    for (let at = 0; at < 21; at += 1) pictures.push(await add(id, `upload:${at}`));

    await expect(bytesOf(pictures[0] ?? '')).rejects.toMatchObject({ code: 'not_found' });
    expect(await bytesOf(pictures[1] ?? '')).toBe('upload:1');
    expect(await bytesOf(pictures[20] ?? '')).toBe('upload:20');
  });

  test('is for those who see the entity', async () => {
    await library.say('A', { actor: [{ name: 'Ann Lee' }] });
    const picture = await add((await find('person', 'Ann Lee')).id, 'upload:one');
    const visibility = visibilityOfLibraries([]);
    const stranger: Viewer = { ...admin, role: 'user', visibility };

    await expect(library.files.asset(picture, stranger)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
