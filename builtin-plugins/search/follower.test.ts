import { describe, expect, test } from 'vitest';
import type { IndexedItem } from '../../plugin-api/index.ts';
import { createFakeHost } from './fake-host.ts';
import { createFollower } from './follower.ts';
import { createLibraryEvents, updateIndex } from './library-events.ts';

const item = (id: string, title: string, entities: IndexedItem['entities'] = []): IndexedItem => ({
  id,
  libraryId: 'films',
  scope: 'films:',
  title,
  metadata: {},
  entities,
});

const added = (at: number) => ({
  type: 'library.item.added',
  timestamp: new Date(at).toISOString(),
  data: {},
});

describe('following the library', () => {
  test('indexes everything, page by page, and counts it', async () => {
    const fake = createFakeHost();
    for (let index = 0; index < 1200; index += 1) fake.save(item(`i${index}`, `Title ${index}`));

    const answer = await updateIndex(createFollower())({}, fake.host);

    expect(answer).toEqual({ indexed: 1200, done: true });
    expect(fake.documents.size).toBe(1200);
    // Three pages, and one more call that tells the server that they are in the index.
    expect(fake.calls.filter((call) => call === 'library.changes')).toHaveLength(4);
    expect(fake.calls.at(-1)).toBe('library.changes');
  });

  test('follows additions, changes and removals from where it stopped', async () => {
    const fake = createFakeHost();
    const follower = createFollower();
    fake.save(item('a', 'Old'));
    fake.save(item('b', 'Gone'));
    await follower.follow(fake.host, 1000);
    fake.save(item('a', 'New'));
    fake.remove('b');
    fake.save(item('c', 'Third'));

    expect(await follower.follow(fake.host, 1000)).toBe(3);

    expect([...fake.documents.values()].map(({ title }) => title).sort()).toEqual(['New', 'Third']);
  });

  test('continues from the stored place in another isolate', async () => {
    const fake = createFakeHost();
    fake.save(item('a', 'A'));
    await createFollower().follow(fake.host, 1000);
    fake.save(item('b', 'B'));

    expect(await createFollower().follow(fake.host, 1000)).toBe(1);
  });

  test('stores the place after the documents, so a crash in between loses nothing', async () => {
    const fake = createFakeHost();
    fake.save(item('a', 'A'));
    const first = createFollower();
    await first.follow(fake.host, 1000);
    fake.save(item('b', 'B'));
    fake.before = (call) => {
      if (call === 'kv.set') throw new Error('the server was killed');
    };
    await expect(first.follow(fake.host, 1000)).rejects.toThrow();
    expect(fake.documents.has('b')).toBe(true);
    fake.before = () => undefined;

    expect(await createFollower().follow(fake.host, 1000)).toBe(1);
    expect(fake.documents.size).toBe(2);
  });

  test('rebuilds an index that is missing', async () => {
    const fake = createFakeHost();
    fake.save(item('a', 'A'));
    await createFollower().follow(fake.host, 1000);
    fake.documents.clear();

    expect(await createFollower().follow(fake.host, 1000)).toBe(1);
    expect(fake.documents.size).toBe(1);
  });

  test('rebuilds an index that another version of it made', async () => {
    const fake = createFakeHost();
    fake.save(item('a', 'A'));
    fake.kv.set('place', { version: 0, seq: 9, removed: 0 });
    fake.documents.set('x', { id: 'x', scope: 's', kind: 'old', title: 'X', body: '' });

    await createFollower().follow(fake.host, 1000);

    expect([...fake.documents.keys()]).toEqual(['a']);
  });

  test('starts with an empty index when asked to rebuild', async () => {
    const fake = createFakeHost();
    const follower = createFollower();
    fake.save(item('a', 'A'));
    await follower.follow(fake.host, 1000);
    fake.documents.set('stale', { id: 'stale', scope: 's', kind: 'item', title: 'S', body: '' });

    expect(await updateIndex(follower)({ rebuild: true }, fake.host)).toMatchObject({ indexed: 1 });
    expect([...fake.documents.keys()]).toEqual(['a']);
  });

  test('runs one pull at a time, and pulls again for changes that came meanwhile', async () => {
    const fake = createFakeHost();
    const follower = createFollower();
    fake.save(item('a', 'A'));
    let others: Promise<number>[] = [];
    fake.before = (call) => {
      if (call !== 'textIndex.put' || others.length > 0) return;
      fake.save(item('b', 'B'));
      others = [follower.follow(fake.host, 1000), follower.follow(fake.host, 1000)];
    };

    expect(await follower.follow(fake.host, 1000)).toBe(2);
    expect(await Promise.all(others)).toEqual([0, 0]);
    expect(fake.documents.size).toBe(2);
  });

  test('stops when its time is over, and continues at the next event', async () => {
    let now = 0;
    const fake = createFakeHost();
    const follower = createFollower(() => now);
    for (let index = 0; index < 1200; index += 1) fake.save(item(`i${index}`, `Title ${index}`));
    fake.before = (call) => {
      if (call === 'textIndex.put') now += 1500;
    };

    const { afterChange } = createLibraryEvents(follower, () => now);
    await afterChange(added(0), fake.host);
    expect(fake.documents.size).toBe(1000);
    await afterChange(added(0), fake.host);
    expect(fake.documents.size).toBe(1200);
  });

  test('skips events that a pull has covered already', async () => {
    let now = 5000;
    const fake = createFakeHost();
    const follower = createFollower(() => now);
    fake.save(item('a', 'A'));
    const { afterChange } = createLibraryEvents(follower, () => now);
    await afterChange(added(5000), fake.host);
    now = 6000;
    fake.calls.length = 0;

    await afterChange(added(4999), fake.host);
    expect(fake.calls).toEqual([]);

    await afterChange(added(5000), fake.host);
    expect(fake.calls).toContain('library.changes');
  });

  test('follows a scan in intervals, and its end at once', async () => {
    let now = 0;
    const fake = createFakeHost();
    const libraryEvents = createLibraryEvents(
      createFollower(() => now),
      () => now,
    );
    const scan = (at: number, jobId = 'scan') => ({ ...added(at), data: { jobId } });
    fake.save(item('a', 'A'));

    await libraryEvents.duringScan(scan(now), fake.host);
    await libraryEvents.afterChange(added(now), fake.host);
    now = 2900;
    await libraryEvents.duringScan(scan(now), fake.host);
    expect(fake.documents.size).toBe(0);

    now = 3000;
    await libraryEvents.duringScan(scan(now), fake.host);
    expect(fake.documents.size).toBe(1);

    fake.save(item('b', 'B'));
    now = 3100;
    await libraryEvents.afterScan(scan(now), fake.host);
    expect(fake.documents.size).toBe(2);
  });

  test('does not wait for a scan that has stopped sending events', async () => {
    let now = 0;
    const fake = createFakeHost();
    const libraryEvents = createLibraryEvents(
      createFollower(() => now),
      () => now,
    );
    await libraryEvents.duringScan({ ...added(now), data: { jobId: 'killed' } }, fake.host);
    fake.save(item('a', 'A'));

    now = 5001;
    await libraryEvents.afterChange(added(now), fake.host);

    expect(fake.documents.size).toBe(1);
  });

  test('gives up a pull that has stopped, and continues from the stored place', async () => {
    let now = 0;
    const fake = createFakeHost();
    const follower = createFollower(() => now);
    fake.save(item('a', 'A'));
    let isFrozen = true;
    fake.before = async (call) => {
      if (call === 'textIndex.put' && isFrozen) await new Promise(() => undefined);
    };
    void follower.follow(fake.host, 1000);
    await Promise.resolve();
    isFrozen = false;

    now = 9000;
    expect(await follower.follow(fake.host, 1000)).toBe(0);
    now = 11_000;
    expect(await follower.follow(fake.host, 1000)).toBe(1);
    expect(fake.documents.size).toBe(1);
  });

  test('writes an entity once, for any number of items that link to it', async () => {
    const fake = createFakeHost();
    const follower = createFollower();
    const entities = [{ id: 'ada', type: 'person', name: 'Ada', role: 'actor' }];
    fake.save(item('a', 'A', entities));
    await follower.follow(fake.host, 1000);
    let written = 0;
    fake.before = (call) => {
      if (call === 'textIndex.put') written += 1;
    };
    fake.save(item('b', 'B', entities));
    await follower.follow(fake.host, 1000);

    expect(written).toBe(1);
    expect([...fake.documents.keys()].sort()).toEqual(['a', 'ada@films', 'b']);
  });

  test('removes an entity that left a library, and writes it again when it is back', async () => {
    const fake = createFakeHost();
    const follower = createFollower();
    const entities = [{ id: 'ada', type: 'person', name: 'Ada', role: 'actor' }];
    fake.save(item('a', 'A', entities));
    await follower.follow(fake.host, 1000);

    fake.save(item('a', 'A'));
    fake.leave('ada', 'films');
    await follower.follow(fake.host, 1000);
    expect([...fake.documents.keys()]).toEqual(['a']);

    fake.save(item('b', 'B', entities));
    await follower.follow(fake.host, 1000);
    expect([...fake.documents.keys()].sort()).toEqual(['a', 'ada@films', 'b']);
  });

  test('applies the last entry of a page in which an entity leaves and comes back', async () => {
    const fake = createFakeHost();
    const entities = [{ id: 'ada', type: 'person', name: 'Ada', role: 'actor' }];
    fake.leave('ada', 'films');
    fake.save(item('a', 'A', entities));

    await createFollower().follow(fake.host, 1000);
    expect([...fake.documents.keys()].sort()).toEqual(['a', 'ada@films']);

    const later = createFakeHost();
    later.save(item('b', 'B', entities));
    later.leave('ada', 'films');
    await createFollower().follow(later.host, 1000);
    expect([...later.documents.keys()]).toEqual(['b']);
  });

  test('finds an entity by its search terms', async () => {
    const fake = createFakeHost();
    const ada = { id: 'ada', type: 'person', name: 'Ada', role: 'actor', searchTerms: 'Lovelace' };
    fake.save(item('a', 'A', [ada]));

    await createFollower().follow(fake.host, 1000);

    expect(fake.documents.get('ada@films')?.body).toContain('Lovelace');
  });

  test('puts an item and its entities into their partition, and moves them when it changes', async () => {
    const fake = createFakeHost();
    const follower = createFollower();
    const scopeOf = (id: string) => fake.documents.get(id)?.scope;
    const ada = { id: 'ada', type: 'person', name: 'Ada', role: 'actor' };
    fake.save({ ...item('a', 'A', [ada]), scope: 'films:PG' });
    await follower.follow(fake.host, 1000);
    expect([scopeOf('a'), scopeOf('ada@films')]).toEqual(['films:PG', 'films']);
    expect(fake.documents.get('a')?.body).toContain('Ada');

    fake.save({ ...item('a', 'A', [{ ...ada, scope: 'films!' }]), scope: 'films:R' });
    await follower.follow(fake.host, 1000);

    expect([scopeOf('a'), scopeOf('ada@films')]).toEqual(['films:R', 'films!']);
    expect(fake.documents.get('a')?.body).not.toContain('Ada');
  });
});
