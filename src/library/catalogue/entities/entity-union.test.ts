import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  admin,
  openMentionLibrary,
  type MentionLibrary,
} from '../../../../test/support/library/mentions.ts';
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

const bob = { name: 'Bob', ids: { imdb: 'nm1' } };
const robert = { name: 'Robert', ids: { imdb: 'nm2' } };

describe('entities that a person says are one', () => {
  test('share their items, names and ids, and the id of the other leads to the one that stays', async () => {
    await library.say('A', { actor: [bob] });
    await library.say('B', { actor: [robert], director: [bob] });
    const [one, other] = [await find('person', 'Bob'), await find('person', 'Robert')];

    const merged = await library.entities.merge(one.id, [other.id], admin);

    expect(merged).toMatchObject({
      id: one.id,
      name: 'Bob',
      searchTerms: 'Robert',
      itemCount: 2,
      lockedFields: ['name'],
    });
    expect(await library.named('person')).toEqual(['Bob']);
    expect((await library.entities.get(other.id, admin)).id).toBe(one.id);
  });

  test('stay one after later scans: by the name, by the id, and by a better name', async () => {
    await library.say('A', { actor: [bob] });
    await library.say('B', { actor: [robert] });
    const [one, other] = [await find('person', 'Bob'), await find('person', 'Robert')];
    await library.entities.merge(one.id, [other.id], admin);

    await library.say('C', { actor: [{ name: 'Robert' }] });
    await library.say('D', { actor: [{ ...robert, name: 'Sir Robert', status: 'complete' }] });
    await library.say('B', { actor: [robert], director: [bob] });

    expect(await library.named('person')).toEqual(['Bob']);
    expect(await library.entities.get(one.id, admin)).toMatchObject({ name: 'Bob', itemCount: 4 });
  });

  test('take their children along, and merge those with one name', async () => {
    const season = (show: string) => [{ name: 'Season 1', metadata: { show, season: 1 } }];
    await library.say('A', { show: [{ name: 'The Office' }], season: season('The Office') });
    await library.say('B', { show: [{ name: 'Office US' }], season: season('Office US') });
    const [one, other] = [await find('show', 'The Office'), await find('show', 'Office US')];

    await library.entities.merge(one.id, [other.id], admin);

    expect(await library.named('show')).toEqual(['The Office']);
    expect(await library.named('season')).toHaveLength(1);
  });

  test('must be other entities of the same type', async () => {
    await library.say('A', { actor: [bob], genre: [{ name: 'Drama' }] });
    const [person, genre] = [await find('person', 'Bob'), await find('genre', 'Drama')];
    const merge = (...ids: readonly string[]) => library.entities.merge(person.id, ids, admin);

    await expect(merge(person.id)).rejects.toThrow('the entity itself');
    await expect(merge(genre.id)).rejects.toThrow('only a person can be this person');
    await expect(merge()).rejects.toThrow('1 to 50');
    await expect(merge('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('items that a person splits off an entity', () => {
  const actor = { actor: [{ name: 'John Smith' }] };

  async function idOf(title: string): Promise<string> {
    const { items } = await library.items.list(admin, { limit: 500 });
    return items.find((item) => item.title === title)?.id ?? '';
  }

  async function split(name?: string): Promise<readonly [whole: string, part: string]> {
    for (const title of ['A', 'B', 'C']) await library.say(title, actor);
    const { id } = await find('person', 'John Smith');
    const itemIds = [await idOf('B'), await idOf('C')];
    const made = await library.entities.split(id, { itemIds, name }, admin);
    return [id, made.id];
  }

  const titlesOf = async (id: string): Promise<readonly string[]> =>
    (await library.items.ofEntity(id, admin, {})).items.map(({ title }) => title);

  test('have the new entity from then on, and the others keep theirs', async () => {
    const [whole, part] = await split('John Smith (born 1950)');

    expect(await library.entities.get(part, admin)).toMatchObject({
      type: 'person',
      name: 'John Smith (born 1950)',
      itemCount: 2,
      lockedFields: ['name'],
    });
    expect([await titlesOf(whole), await titlesOf(part)]).toEqual([['A'], ['B', 'C']]);
  });

  test.each([['John Smith (born 1950)'], [undefined]])(
    'keep it with later mentions, with its name %s',
    async (name) => {
      const [whole, part] = await split(name);

      await library.say('B', { ...actor, director: [{ name: 'Someone' }] });
      await library.say('C', { actor: [{ name: 'John Smith', ids: { imdb: 'nm5' } }] });
      await library.say('D', actor);

      expect([await titlesOf(whole), await titlesOf(part)]).toEqual([
        ['A', 'D'],
        ['B', 'C'],
      ]);
    },
  );

  test('rejoin when the two entities are merged', async () => {
    const [whole, part] = await split();

    await library.entities.merge(whole, [part], admin);
    await library.say('B', { ...actor, director: [{ name: 'Someone' }] });

    expect(await titlesOf(whole)).toEqual(['A', 'B', 'C']);
    expect(await library.storage.database.read('split_links').select('*')).toEqual([]);
  });

  test('must be items of the entity, which must have no children', async () => {
    await library.say('A', { ...actor, show: [{ name: 'The Office' }] });
    await library.say('B', {
      show: [{ name: 'The Office' }],
      season: [{ name: 'Season 1', metadata: { show: 'The Office', season: 1 } }],
    });
    const person = await find('person', 'John Smith');
    const show = await find('show', 'The Office');
    const itemIds = [await idOf('B')];

    await expect(library.entities.split(person.id, { itemIds }, admin)).rejects.toThrow(
      'not an item of John Smith',
    );
    await expect(library.entities.split(show.id, { itemIds }, admin)).rejects.toThrow(
      'parts of its own',
    );
    await expect(library.entities.split(person.id, { itemIds: [] }, admin)).rejects.toThrow(
      '1 to 500',
    );
  });

  test('leave nothing behind when they are deleted', async () => {
    await split();

    await library.items.remove(await idOf('B'), admin);

    expect(await library.storage.database.read('split_links').select('*')).toHaveLength(1);
  });
});

describe('how many items an entity has', () => {
  test('is right after each change, although counts are cached', async () => {
    const count = async (): Promise<number> => {
      const { id } = await find('person', 'Bob');
      return (await library.entities.get(id, admin)).itemCount;
    };
    const counts: number[] = [];
    for (const title of ['A', 'B', 'C']) {
      await library.say(title, { actor: [bob], director: [bob] });
      counts.push(await count(), await count());
    }
    await library.drop('B');
    counts.push(await count());
    await library.items.remove((await library.items.list(admin, {})).items[0]?.id ?? '', admin);
    counts.push(await count());

    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 2, 1]);
  });

  test('does not count what the viewer may not see', async () => {
    await library.say('A', { actor: [bob] });
    const { id } = await find('person', 'Bob');
    const other = await library.libraries.create({ name: 'Other', type: 'movies', roots: ['/o'] });
    const page = { libraryId: other.id, root: 'file:///o', after: null, through: null };
    await library.reconcile({
      ...page,
      files: [{ uri: 'file:///o/A.mkv', size: 1, modifiedAt: 1 }],
      unreadable: [],
    });

    const all = (await library.entities.get(id, admin)).itemCount;
    await library.libraries.update(other.id, { hidden: true }, admin);

    expect([all, (await library.entities.get(id, admin)).itemCount]).toEqual([2, 1]);
  });
});
