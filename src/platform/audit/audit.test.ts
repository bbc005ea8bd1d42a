import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { silentLog } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import {
  auditMigrations,
  createAudit,
  runAsRequest,
  verifyAudit,
  type Audit,
  type AuditReport,
} from './index.ts';

let database: Database;
let clock: FakeClock;
let audit: Audit;

beforeEach(async () => {
  ({ database } = await openTestStorage({ migrations: [auditMigrations] }));
  clock = createFakeClock();
  audit = createAudit({ database, clock, log: silentLog });
});

const credential = { userId: 'ada', credentialId: 'key-1', credentialKind: 'api-key' };
const actor = { ...credential, role: 'admin' } as const;
const bob = { userId: 'bob', credentialId: 's', credentialKind: 'session', role: 'user' } as const;
const entry = (action: string, fields: Partial<AuditReport> = {}): AuditReport => ({
  actor,
  action,
  change: 'event',
  target: { type: 'user', id: 'grace' },
  ...fields,
});
const actions = async (query: Parameters<Audit['list']>[0] = {}) =>
  (await audit.list(query)).entries.map(({ action }) => action);

/** Changes the database without the triggers, like an attacker with the file. */
async function tamper(statement: string): Promise<void> {
  await database.write(async (trx) => {
    await dropTriggers(trx);
    await trx.raw(statement);
  });
}

async function dropTriggers(trx: Transaction): Promise<void> {
  if (database.dialect === 'postgres') {
    for (const table of ['audit_entries', 'audit_head'])
      await trx.raw(`alter table ${table} disable trigger user`);
    return;
  }
  const rows: readonly { readonly name: string }[] = await trx('sqlite_master')
    .where({ type: 'trigger' })
    .select('name');
  for (const { name } of rows) await trx.raw(`drop trigger ${name}`);
}

describe('the audit log', () => {
  test('tells of an act when it is stored, and not of one that is rolled back', async () => {
    const heard: string[] = [];
    audit.onRecorded(({ action }) => {
      heard.push(action);
    });
    let heardBefore = -1;

    await audit.record(entry('user.created'));
    await database.write(async (trx) => {
      await audit.inTransaction(trx, entry('user.updated'));
      heardBefore = heard.length;
    });
    const failed = database.write(async (trx) => {
      await audit.inTransaction(trx, entry('user.removed'));
      throw new Error('no');
    });

    await expect(failed).rejects.toThrow('no');
    expect(heardBefore).toBe(1);
    expect(heard).toEqual(['user.created', 'user.updated']);
  });

  test('stores actor, action, target, time and address', async () => {
    await runAsRequest({ address: '192.0.2.7', requestId: 'request-1' }, () =>
      audit.record(entry('user.created', { details: { role: 'guest' } })),
    );

    expect((await audit.list({})).entries).toEqual([
      {
        seq: 1,
        at: '2026-11-21T07:44:53.000Z',
        actor: credential,
        action: 'user.created',
        target: { type: 'user', id: 'grace' },
        details: { role: 'guest' },
        address: '192.0.2.7',
        requestId: 'request-1',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  test('has no entry of an act that was rolled back', async () => {
    const act = database.write(async (trx) => {
      await audit.inTransaction(trx, entry('user.created'));
      throw new Error('The user could not be made.');
    });

    await expect(act).rejects.toThrow('could not be made');
    expect(await actions()).toEqual([]);
    expect(await verifyAudit(database.read)).toMatchObject({ ok: true, count: 0 });
  });

  test('refuses every statement that changes, removes or forks an entry', async () => {
    await audit.record(entry('user.created'));
    await audit.record(entry('user.removed'));
    const statements = [
      "update audit_entries set action = 'user.praised'",
      'delete from audit_entries where seq = 2',
      ...(database.dialect === 'sqlite'
        ? ['insert or replace into audit_entries select * from audit_entries where seq = 2']
        : ['truncate audit_entries']),
      `insert into audit_entries select 3, at, user_id, credential_id, credential_kind, action,
       target_type, target_id, details, address, request_id, previous_hash, hash
       from audit_entries where seq = 2`,
      "update audit_head set seq = 1, hash = 'x'",
      'delete from audit_head',
    ];
    for (const statement of statements) {
      await expect(
        database.write((trx) => trx.raw(statement)),
        statement,
      ).rejects.toThrow(/audit log/);
    }
    expect(await verifyAudit(database.read)).toMatchObject({ ok: true, count: 2 });
  });

  test('writes its last hash to the server’s log, on request and at the end', async () => {
    const told: unknown[] = [];
    const log = { ...silentLog, info: (fields: unknown) => void told.push(fields) };
    const own = createAudit({ database, clock, log });
    await own.record(entry('user.created'));
    const { head } = await own.list({});

    await own.logHead();
    await own.close();

    expect(told).toEqual([head, head]);
  });

  test('is one chain with concurrent writers', async () => {
    await Promise.all(Array.from({ length: 40 }, () => audit.record(entry('session.started'))));

    expect(await verifyAudit(database.read)).toMatchObject({ ok: true, count: 40 });
  });

  test('accepts any text, and its hashes match the stored form', async () => {
    const odd = ['\ud800', 'a\0b', '😀', '__proto__', '\u2028', 'x'.repeat(10_000)];
    for (const text of odd) {
      const details = JSON.parse(`{"__proto__": 1, "10": 1, "9": 1}`) as Record<string, number>;
      await audit.record(
        entry('plugin.configured', {
          target: { type: 'plugin', id: text },
          details: { text, details, list: odd },
        }),
      );
    }

    expect(await verifyAudit(database.read)).toMatchObject({ ok: true, count: odd.length });
    const stored: unknown = await database.read('audit_entries').max('details as longest').first();
    expect(JSON.stringify(stored).length).toBeLessThan(2000);
  });
});

describe('acts that a person repeats', () => {
  const hourMs = 60 * 60_000;
  const profile = (id: string, fields: Partial<AuditReport> = {}) =>
    entry('profile.created', { actor: bob, target: { type: 'profile', id }, ...fields });
  const told = async () =>
    (await audit.list({ limit: 200 })).entries.map(({ action, actor: { userId }, details }) => [
      userId,
      action,
      details['count'] ?? 1,
    ]);

  test('are one entry at once, and one with their count after the hour', async () => {
    await runAsRequest({ address: '192.0.2.7', requestId: 'r' }, async () => {
      await audit.record(profile('one'));
      await clock.advance(1000);
      for (let no = 0; no < 2; no += 1) await audit.record(profile('two'));
      await audit.record(profile('three', { details: { name: 'Kids' } }));
    });
    expect(await told()).toEqual([['bob', 'profile.created', 1]]);
    await clock.advance(hourMs);

    await audit.endHours();
    await audit.endHours();

    const { entries } = await audit.list({});
    expect(entries).toHaveLength(2);
    const act = { at: '2026-11-21T07:44:54.000Z', address: '192.0.2.7', credentialId: 's' };
    expect(entries[0]).toMatchObject({
      actor: { userId: 'bob', credentialId: 's', credentialKind: 'session' },
      action: 'profile.created',
      target: null,
      details: {
        count: 3,
        since: '2026-11-21T07:44:53.000Z',
        acts: [
          { ...act, target: 'two', details: {}, count: 2 },
          { ...act, target: 'three', details: { name: 'Kids' }, count: 1 },
        ],
      },
      address: '192.0.2.7',
      requestId: null,
    });
    expect(await verifyAudit(database.read)).toMatchObject({ ok: true, count: 2 });
  });

  test('are counted apart for each person, action, kind of object and what they say', async () => {
    const cases = [
      profile('one'),
      profile('one', { actor: { ...bob, userId: 'eve' } }),
      profile('one', { action: 'profile.removed' }),
      profile('one', { target: null }),
      profile('one', { countedAs: 'films tidy' }),
    ];
    for (const one of [...cases, ...cases]) await audit.record(one);

    expect(await told()).toHaveLength(cases.length);
  });

  test('are bounded, however many and however long they are', async () => {
    for (let no = 0; no < 300; no += 1)
      await audit.record(
        profile(`p${no}`.padEnd(300, 'x'), { details: { name: 'y'.repeat(240) } }),
      );
    await clock.advance(hourMs);
    await audit.endHours();

    expect(await told()).toEqual([
      ['bob', 'profile.created', 299],
      ['bob', 'profile.created', 1],
    ]);
    const [last] = (await audit.list({ limit: 1 })).entries;
    expect(last?.details).toMatchObject({ acts: expect.any(Array) });
  });

  test('have their entry when the next act comes after the hour, or the clock was set back', async () => {
    await audit.record(profile('one'));
    await audit.record(profile('two'));
    await clock.advance(hourMs);
    await audit.record(profile('three'));
    await audit.record(profile('four'));
    clock.set(-10 * hourMs);
    await audit.record(profile('five'));

    expect((await told()).map(([, , count]) => count)).toEqual([1, 1, 1, 1, 1]);
  });

  test('are counted in the database, so several servers and a restart count alike', async () => {
    const other = createAudit({ database, clock, log: silentLog });
    for (const one of [audit, other, audit, other]) await one.record(profile('one'));
    await clock.advance(hourMs);
    await Promise.all([audit.endHours(), other.endHours()]);

    expect((await told()).map(([, , count]) => count)).toEqual([3, 1]);
  });

  test('are told to listeners one by one, and an act that is rolled back is not counted', async () => {
    const heard: string[] = [];
    audit.onRecorded(({ target }) => void heard.push(target?.id ?? ''));
    for (const id of ['one', 'two']) await audit.record(profile(id));
    const failed = database.write(async (trx) => {
      await audit.inTransaction(trx, profile('three'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await clock.advance(hourMs);
    await audit.endHours();

    expect(heard).toEqual(['one', 'two']);
    expect((await told()).map(([, , count]) => count)).toEqual([1, 1]);
  });

  test('have an entry each when the person is an admin', async () => {
    for (let no = 0; no < 3; no += 1) await audit.record(profile('one', { actor }));

    expect(await told()).toHaveLength(3);
  });
});

test('an act that changed nothing is neither recorded nor told', async () => {
  const heard: unknown[] = [];
  audit.onRecorded((one) => void heard.push(one));
  const before = { name: 'Kids', pinHash: 'secret' };

  await audit.record(entry('profile.updated', { change: { before, after: { ...before } } }));
  await audit.record(entry('profile.updated', { change: { before, after: { name: 'Teens' } } }));

  expect(await actions()).toEqual(['profile.updated']);
  expect(JSON.stringify([heard, (await audit.list({})).entries])).not.toContain('secret');
  expect(heard).toHaveLength(1);
});

describe('a list of entries', () => {
  beforeEach(async () => {
    await audit.record(entry('user.created'));
    await clock.advance(1000);
    await audit.record(entry('userGroup.created', { actor: 'server', target: null }));
    await clock.advance(1000);
    await audit.record(entry('user.removed', { target: { type: 'user', id: 'linus' } }));
  });

  test('is newest first, in pages', async () => {
    const first = await audit.list({ limit: 2 });
    const second = await audit.list({ limit: 2, cursor: String(first.nextCursor) });

    expect(first.entries.map(({ seq }) => seq)).toEqual([3, 2]);
    expect(second.entries.map(({ seq }) => seq)).toEqual([1]);
    expect(second.nextCursor).toBeNull();
    expect(first.head).toEqual({ seq: 3, hash: first.entries[0]?.hash });
  });

  test.each([
    [{ action: ['user.*'] }, ['user.removed', 'user.created']],
    [{ action: ['userGroup.created', 'user.removed'] }, ['user.removed', 'userGroup.created']],
    [{ actor: 'ada' }, ['user.removed', 'user.created']],
    [{ actor: 'server' }, ['userGroup.created']],
    [{ target: 'grace' }, ['user.created']],
    [{ from: '2026-11-21T07:44:54.000Z' }, ['user.removed', 'userGroup.created']],
    [{ to: '2026-11-21T08:44:54+01:00' }, ['userGroup.created', 'user.created']],
    [{ actor: 'ada', target: 'linus', action: ['user.created'] }, []],
  ])('is filtered by %j', async (query, expected) => {
    expect(await actions(query)).toEqual(expected);
  });
});

describe('failures that any caller can cause', () => {
  const failed = (address: string, id = 'ada') =>
    runAsRequest({ address, requestId: 'r' }, () =>
      audit.tally({ actor: 'nobody', action: 'session.failed', target: { type: 'user', id } }),
    );

  test('are at most two entries a minute', async () => {
    for (let count = 0; count < 1000; count += 1) failed(`192.0.2.${count % 200}`);
    await clock.advance(60_000);
    await audit.close();

    const { entries } = await audit.list({});
    expect(entries.map(({ details, address }) => ({ count: details['count'], address }))).toEqual([
      { count: 999, address: null },
      { count: undefined, address: '192.0.2.0' },
    ]);
    expect(entries[0]?.requestId).toBeNull();
    expect(entries[0]?.target).toEqual({ type: 'user', id: 'ada' });
    expect(JSON.stringify(entries[0]?.details).length).toBeLessThan(3000);
  });

  test('are written immediately after a quiet minute, and when the server stops', async () => {
    failed('192.0.2.1');
    failed('192.0.2.1', 'grace');
    await audit.close();

    expect(await actions()).toEqual(['session.failed', 'session.failed']);
    expect(clock.timers()).toBe(0);
  });
});

describe('the verification of the chain', () => {
  beforeEach(async () => {
    for (const action of ['user.created', 'user.changed', 'user.removed']) {
      await audit.record(entry(action));
    }
  });

  test.each([
    ["update audit_entries set user_id = 'mallory' where seq = 2", 2, 'changed after'],
    ["update audit_entries set at = '2020-01-01T00:00:00.000Z' where seq = 1", 1, 'changed after'],
    ['update audit_entries set target_id = null where seq = 3', 3, 'changed after'],
    ['delete from audit_entries where seq = 2', 2, 'the next entry is 3'],
    ['delete from audit_entries where seq = 1', 1, 'the next entry is 2'],
    ['delete from audit_entries where seq = 3', 3, 'the log ends at 2'],
    ['update audit_entries set previous_hash = hash where seq = 2', 2, 'does not follow'],
    ['update audit_head set seq = 2', 4, 'its head has 2'],
  ])('detects %s', async (statement, seq, fault) => {
    await tamper(statement);

    expect(await verifyAudit(database.read)).toEqual({
      ok: false,
      seq,
      fault: expect.stringContaining(fault),
    });
  });

  test('detects a forged log, by a hash that was noted elsewhere', async () => {
    const { head } = await audit.list({});
    expect(await verifyAudit(database.read, head.hash)).toMatchObject({ ok: true });

    const { database: forged } = await openTestStorage({ migrations: [auditMigrations] });
    const other = createAudit({ database: forged, clock, log: silentLog });
    for (let count = 0; count < 5; count += 1) await other.record(entry('user.created'));

    expect(await verifyAudit(forged.read)).toMatchObject({ ok: true });
    expect(await verifyAudit(forged.read, head.hash)).toMatchObject({
      ok: false,
      fault: expect.stringContaining('noted'),
    });
  });
});
