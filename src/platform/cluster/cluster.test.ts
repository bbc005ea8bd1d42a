/** Servers that share a database: two in one process, on a real PostgreSQL. */
import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { silentLog } from '../../../kernel/index.ts';
import type { SerialisedEvent } from '../../../kernel/call/events/index.ts';
import type { Storage } from '../../../kernel/store/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { administer, hasPostgres } from '../../../test/support/storage/postgres.ts';
import { newDatabaseUrl, openTestStorage } from '../../../test/support/storage/storage.ts';
import { systemClock } from '../clock.ts';
import { migrations } from '../../compose/index.ts';
import { openCluster, type Cluster } from './index.ts';

interface Member {
  readonly cluster: Cluster;
  readonly storage: Storage;
  /** The events that it received, with numbers. */
  readonly heard: string[];
  /** The events that it delivered to plugins. */
  readonly delivered: string[];
  readonly singleton: { state: 'never' | 'kept' | 'left' };
  readonly deaths: string[];
  /** Whether it lacks a plugin that hears events. */
  lacks: boolean;
}

interface JoinOptions {
  readonly keyPrint?: string;
  readonly clock?: typeof systemClock;
  readonly end?: () => void;
}

const version = '1.0.0';

async function join(
  url: string,
  { keyPrint = 'a key', clock = systemClock, end = () => undefined }: JoinOptions = {},
): Promise<Member> {
  const storage = await openTestStorage({ url, migrations, appVersion: version });
  const { shared, database } = storage;
  if (shared === null) throw new Error('PostgreSQL is shared.');
  const cluster = await openCluster({
    shared,
    database,
    keyPrint,
    version,
    whyTooOld: storage.whyTooOld,
    end,
    clock,
    log: silentLog,
  });
  onTestFinished(() => cluster.stop());
  const heard: string[] = [];
  const delivered: string[] = [];
  const deaths: string[] = [];
  const singleton: Member['singleton'] = { state: 'never' };
  const member = { cluster, storage, heard, delivered, singleton, deaths, lacks: false };
  cluster.events.listenFromPast('*.*', ({ type }, _json, number) => {
    heard.push(`${number} ${type}`);
  });
  cluster.addSingleton({
    start: () => void (singleton.state = 'kept'),
    stop: () => void (singleton.state = 'left'),
  });
  cluster.onServerDeath(async (id) => void deaths.push(id));
  await cluster.start({
    deliver: ({ type }) => void delivered.push(type),
    room: async () => undefined,
    facts: () => ({
      ...{ address: '', internal: '', converts: false },
      ...{ roles: ['leader'], plugins: {}, settings: {} },
    }),
    lacks: () => (member.lacks ? { pluginIds: ['tag'], hears: true } : null),
  });
  return member;
}

const event = (name: string): SerialisedEvent => ({
  type: `test.${name}`,
  json: JSON.stringify({ type: `test.${name}`, timestamp: '', data: {} }),
});

const nameIn = (url: string): string => new URL(url.replace('@/', '@host/')).pathname.slice(1);

/** Cuts all connections, as a restart of PostgreSQL does. */
const cutAll = (url: string): Promise<void> =>
  administer(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = '${nameIn(url)}' and pid <> pg_backend_pid()`);

describe.skipIf(!hasPostgres())('servers on one database (needs PostgreSQL)', () => {
  test('receive all events in one order, and plugins get each once, from the leader', async () => {
    const url = await newDatabaseUrl('pg');
    const [first, second] = [await join(url), await join(url)];

    for (let round = 0; round < 20; round++) {
      first.cluster.relay(event(`first${round}`));
      second.cluster.relay(event(`second${round}`));
      if (round % 5 === 0) await new Promise(setImmediate);
    }
    await eventually('both have received all', () =>
      [first, second].every(({ heard }) => heard.length === 40),
    );
    await eventually('plugins have them', () => first.delivered.length === 40);

    expect(second.heard).toEqual(first.heard);
    expect(first.heard.map((one) => Number(one.split(' ')[0]))).toEqual(
      Array.from({ length: 40 }, (_, at) => at + 1),
    );
    expect(first.delivered).toEqual(first.heard.map((one) => one.split(' ')[1]));
    expect(second.delivered).toEqual([]);
  });

  test('end when a newer version left them behind while they could not see it', async () => {
    const url = await newDatabaseUrl('pg');
    const ended = vi.fn<() => void>();
    const first = await join(url, { end: ended });
    // As a migration of version 2.0.0 leaves it.
    await first.storage.database.write((trx) =>
      trx('schema_migrations')
        .where({ name: 'audit' })
        .update({
          ids: '["0001-baseline","0002-gone"]',
          checksum: createHash('sha256').update('["0001-baseline","0002-gone"]').digest('hex'),
          oldest_version: '2.0.0',
        }),
    );

    await cutAll(url);

    await eventually('it ends', () => ended.mock.calls.length > 0);
    await expect(join(url)).rejects.toThrow('this version, 1.0.0, does not know');
  });

  testByNight('lose no event while the connection is cut, and deliver each once', async () => {
    const url = await newDatabaseUrl('pg');
    const [first, second] = [await join(url), await join(url)];
    first.cluster.relay(event('before'));
    await eventually('it is received', () => second.heard.length === 1);

    await cutAll(url);
    first.cluster.relay(event('while'));
    second.cluster.relay(event('away'));

    await eventually('both have received all', () =>
      [first, second].every(({ heard }) => heard.length === 3),
    );
    expect(second.heard).toEqual(first.heard);
    expect([...second.heard].map((one) => one.split(' ')[1]).sort()).toEqual([
      'test.away',
      'test.before',
      'test.while',
    ]);
  });

  test('have one leader; when it stops another one continues at its position', async () => {
    const url = await newDatabaseUrl('pg');
    const [first, second] = [await join(url), await join(url)];
    first.cluster.relay(event('early'));
    await eventually('a plugin has it', () => first.delivered.length === 1);
    const before = [first.singleton.state, second.singleton.state];

    await first.cluster.stop();
    second.cluster.relay(event('late'));
    await eventually('the other one is the leader', () => second.singleton.state === 'kept');
    await eventually('a plugin has the later event', () => second.delivered.length > 0);

    expect([before, first.singleton.state]).toEqual([['kept', 'never'], 'left']);
    expect(second.delivered).toEqual(['test.late']);
    expect(second.deaths).toEqual([]);
  });

  test('replace a leader that gives no sign for ten seconds', async () => {
    const url = await newDatabaseUrl('pg');
    // Its clock stands still, so it does nothing by itself and believes that it leads.
    const frozen = await join(url, { clock: createFakeClock() });
    const second = await join(url);

    await frozen.storage.database.write((trx) =>
      trx('leader').update({ beat_at: trx.raw(`now() - interval '11 seconds'`) }),
    );
    await eventually('the other one leads', () => second.singleton.state === 'kept');
    await eventually('the first one knows', () => frozen.singleton.state === 'left');

    const leaders = (await second.cluster.members()).filter(({ isLeader }) => isLeader);
    expect(leaders.map(({ id }) => id)).toEqual([second.cluster.processId]);
  });

  test('give the lead up while they lack a plugin that hears events, and lead if all lack it', async () => {
    const url = await newDatabaseUrl('pg');
    const [first, second] = [await join(url), await join(url)];

    first.lacks = true;
    second.cluster.relay(event('lacked'));
    await eventually('the other one leads', () => second.singleton.state === 'kept');
    await eventually('it has the event', () => second.delivered.length === 1);
    const left = first.singleton.state;
    const listed = async () =>
      (await second.cluster.members()).flatMap(({ differences }) => differences);
    await eventually('it is listed', async () => (await listed()).length > 0);
    const told = await listed();
    second.lacks = true;
    second.cluster.relay(event('by one of them'));
    const both = (): readonly string[] => [...first.delivered, ...second.delivered];
    await eventually('one of them delivers it', () => both().includes('test.by one of them'));

    expect([left, told]).toEqual(['left', [{ what: 'lacking', detail: 'tag' }]]);
    expect(both()).toEqual(['test.lacked', 'test.by one of them']);
  });

  test('write nothing as the leader after the end of the term, and stop its work then', async () => {
    const url = await newDatabaseUrl('pg');
    const { cluster, storage, singleton } = await join(url, { clock: createFakeClock() });
    await storage.database.write((trx) => trx('leader').update({ term: 99 }));

    const write = cluster.duties.write((trx) => trx('server_processes').update({ roles: 'late' }));

    await expect(write).rejects.toThrow('no longer the leader');
    await eventually('its work has stopped', () => singleton.state === 'left');
    expect((await cluster.members()).map(({ roles }) => roles)).toEqual([['leader']]);
  });

  testByNight(
    'take over from a follower that is frozen, and list it as missing until it is back',
    async () => {
      const url = await newDatabaseUrl('pg');
      const leader = await join(url);
      const frozen = await join(url, { clock: createFakeClock() });
      const { processId: id } = frozen.cluster;
      const shown = async () =>
        (await leader.cluster.members()).find((one) => one.id === id)?.state;
      const before = await shown();

      await leader.storage.database.write((trx) =>
        trx('server_processes')
          .where({ id })
          .update({ heartbeat_at: trx.raw(`now() - interval '11 seconds'`) }),
      );
      await eventually('its jobs are taken over', () => leader.deaths.includes(id));
      await eventually('it is back', async () => (await shown()) === 'present');

      expect([before, leader.deaths]).toEqual(['present', [id]]);
    },
  );

  test('differ from the leader by name', async () => {
    const url = await newDatabaseUrl('pg');
    const leader = await join(url);
    const other = await join(url, {
      clock: { ...systemClock, now: () => Date.now() + 300_000 },
    });
    const facts = { plugins: '{"tag":"1.0.0"}', settings: '{"--country":"a"}' };
    await leader.storage.database.write(async (trx) => {
      await trx('server_processes').update(facts);
      await trx('server_processes')
        .where({ id: other.cluster.processId })
        .update({ version: '0.9.0', plugins: '{"tag":"2.0.0"}', settings: '{"--country":"b"}' });
    });

    const members = await leader.cluster.members();

    expect(members.map(({ differences }) => differences)).toEqual([
      [],
      [
        { what: 'version', detail: '0.9.0' },
        { what: 'settings', detail: '--country' },
        { what: 'plugins', detail: 'tag' },
        { what: 'clock', detail: '300' },
      ],
    ]);
  });

  test('detect one that was killed', async () => {
    const url = await newDatabaseUrl('pg');
    const leader = await join(url);
    const storage = await openTestStorage({ url, migrations });
    await storage.database.write((trx) =>
      trx('server_processes').insert({ no: 999, id: 'vitrine dead', version: '1.0.0' }),
    );

    await eventually('its death is reported', () => leader.deaths.length > 0);
    await eventually('it is listed as missing', async () =>
      (await leader.cluster.members()).some(
        ({ id, state }) => id === 'vitrine dead' && state === 'missing',
      ),
    );

    expect(leader.deaths).toEqual(['vitrine dead']);
  });

  testByNight('see changes that others committed before the check, and not their own', async () => {
    const url = await newDatabaseUrl('pg');
    const [first, second] = [await join(url), await join(url)];
    const told = vi.fn<(keys: readonly string[] | null) => void>();
    const own = vi.fn<(keys: readonly string[] | null) => void>();
    second.cluster.onChange('sources', told);
    first.cluster.onChange('sources', own);
    const source = { id: 'a', url: 'u', mirrors: '[]', publisher_key: 'k', index_text: '{}' };

    await first.storage.database.write((trx) =>
      trx('marketplace_sources').insert({ ...source, fetched_at: '' }),
    );
    await Promise.all([first.cluster.catchUp(), second.cluster.catchUp()]);

    expect([told.mock.calls.length > 0, own.mock.calls]).toEqual([true, []]);
  });

  test('hear of which plugin another one set a secret, first and again', async () => {
    const url = await newDatabaseUrl('pg');
    const [first, second] = [await join(url), await join(url)];
    const plugins: string[] = [];
    second.cluster.onChange('secrets', (ids) => void plugins.push(...(ids ?? [])));
    const secret = { scope: '', name: 'key', sealed: '', hosts: '[]', updated_at: '' };

    await first.storage.database.write((trx) =>
      trx('plugin_secrets').insert({ plugin_id: 'tmdb', ...secret }),
    );
    await second.cluster.catchUp();
    await first.storage.database.write((trx) => trx('plugin_secrets').update({ sealed: 'new' }));
    await second.cluster.catchUp();

    expect(plugins).toEqual(['tmdb', 'tmdb']);
  });

  test('hold a claim exclusively, and release it with the undo', async () => {
    const url = await newDatabaseUrl('pg');
    const [first, second] = [await join(url), await join(url)];

    const undo = await first.cluster.claim('a task');
    const refused = await second.cluster.claim('a task');
    const other = await second.cluster.claim('another task');
    undo?.();
    let again: unknown = null;
    await eventually(
      'it is free',
      async () => (again = await second.cluster.claim('a task')) !== null,
    );

    expect([undo, refused, other, again].map((one) => one !== null)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test('refuse a server with another key while they run, and accept its key when none runs', async () => {
    const url = await newDatabaseUrl('pg');
    const first = await join(url);

    await expect(join(url, { keyPrint: 'another key' })).rejects.toThrow(
      'copy server.key and server-id.key',
    );
    await first.cluster.stop();
    const later = await join(url, { keyPrint: 'another key' });

    expect(later.cluster.feedId).toBe(first.cluster.feedId);
  });
});
