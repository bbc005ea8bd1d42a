import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTestStorage, temporaryFolder } from '../../test/support/storage/storage.ts';
import { silentLog } from '../../kernel/index.ts';
import type { Database, Queries } from '../../kernel/store/index.ts';
import { createAudit, verifyAudit, type Audit } from '../platform/audit/index.ts';
import { carryOver } from '../operations/backups/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createUuidV7 } from '../platform/uuid-v7.ts';
import { carryOvers, migrations } from './index.ts';

const newId = createUuidV7({ now: Date.now });
const at = '2026-11-21T07:44:53.000Z';
const actor = {
  userId: 'ada',
  credentialId: 'key-1',
  credentialKind: 'api-key',
  role: 'admin',
} as const;

interface Home {
  readonly folder: string;
  readonly file: string;
  readonly database: Database;
  readonly audit: Audit;
  readonly note: (action: string) => Promise<void>;
  readonly insert: (table: string, row: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly change: (
    table: string,
    id: string,
    columns: Readonly<Record<string, unknown>> | null,
  ) => Promise<void>;
}

async function home(): Promise<Home> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'vitrine.db');
  const { database } = await openTestStorage({ url: `sqlite:${file}`, migrations });
  const audit = createAudit({ database, clock: systemClock, log: silentLog });
  return {
    ...{ folder, file, database, audit },
    note: (action) => audit.record({ actor: 'server', action, change: 'event', target: null }),
    insert: (table, row) =>
      database.write(async (trx) => {
        await trx(table).insert(row);
      }),
    change: (table, id, columns) =>
      database.write(async (trx) => {
        const key = table.startsWith('plugin_') ? 'plugin_id' : 'id';
        const rows = trx(table).where({ [key]: id });
        await (columns === null ? rows.delete() : rows.update(columns));
      }),
  };
}

/** The unpacked database of a backup made now. */
async function backupOf({ database }: Home): Promise<string> {
  const folder = temporaryFolder();
  await database.read.raw('vacuum into ?', [path.join(folder, 'database.db')]);
  return folder;
}

/** Restores it, and reads the result. */
async function restore(staged: string, databaseFile: string): Promise<Queries> {
  const wanted = {
    staged: { folder: staged, createdAt: at },
    ...{ filename: 'kept.vbackup', actor, by: 'ada', address: '192.0.2.7' },
  };
  const parts = { databaseFile, migrations, carryOvers, now: Date.now, newId, log: silentLog };
  await carryOver(wanted, parts);
  const storage = await openTestStorage({
    url: `sqlite:${path.join(staged, 'database.db')}`,
    migrations,
  });
  return storage.database.read;
}

const user = (id: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  ...{ id, name: id, name_key: id, role: 'user', disabled: 0, library_access: '[]' },
  ...{ group_ids: '[]', password_hash: 'old', requires_passkey: 0, created_at: at, updated_at: at },
  ...fields,
});
const admin = user('ada', { role: 'admin' });

const profile = (id: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  ...{ id, user_id: 'ada', name: id, is_default: 0, library_access: '[]', pin_hash: 'old pin' },
  ...{ pin_tries: 0, pin_blocked_until: 0, created_at: at, updated_at: at },
  ...fields,
});

const passkey = (id: string, userId: string) => ({
  ...{ id, user_id: userId, credential_id: id, public_key: 'key', counter: 1, transports: '[]' },
  ...{ name: id, is_synced: 0, created_at: at },
});

const link = (id: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  ...{ id, local_user_id: 'ada', user_pub_key: id, user_id: id, identity_url: 'https://id.test' },
  ...{ state: 'active', follow_rotation: 0, link_grant: '{}', grant_iat: 1, linked_at: at },
  ...fields,
});

const settings = (id: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  ...{ plugin_id: id, is_enabled: 1, asked: null, granted: null, configuration: '{}' },
  ...{ secrets: '{}', reach: null },
  ...fields,
});

const plugin = (id: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  ...{ plugin_id: id, version: '1.0.0', sha256: `of ${id}`, publisher_key: 'key', source: null },
  ...{ phase: 'settled', phase_at: 1, revoked: null, earlier: null },
  ...fields,
});

const source = (id: string, updatedAt: string) => ({
  ...{ id, url: `https://${id}.test/index.json`, mirrors: '[]', publisher_key: id },
  ...{ index_text: JSON.stringify({ updatedAt }), etag: null, fetched_at: at, error: null },
});

const column = async (read: Queries, table: string, name: string): Promise<unknown> =>
  Object.fromEntries(
    (await read<Record<string, unknown>>(table).select()).map((row) => [
      String(row['id'] ?? row['plugin_id'] ?? row['client_id']),
      row[name],
    ]),
  );

describe('a restored database', () => {
  test('has the current passwords, PINs and permissions, and lets no removed user in', async () => {
    const own = await home();
    await own.note('setup.done');
    for (const row of [admin, user('kid'), user('rex'), user('dan', { role: 'admin' })])
      await own.insert('users', row);
    for (const row of [profile('open'), profile('changed')]) await own.insert('profiles', row);
    for (const row of [passkey('lost', 'kid'), passkey('kept', 'kid')])
      await own.insert('passkeys', row);
    const staged = await backupOf(own);
    await own.note('user.updated');
    await own.change('users', 'kid', { password_hash: 'new', library_access: '[1]' });
    await own.change('users', 'rex', null);
    await own.change('users', 'dan', { role: 'guest', disabled: 1 });
    await own.change('profiles', 'open', { pin_hash: null });
    await own.change('profiles', 'changed', { pin_hash: 'new pin', library_access: '[2]' });
    await own.change('passkeys', 'lost', null);
    await own.insert('passkeys', passkey('added', 'kid'));
    await own.insert('passkeys', passkey('of a stranger', 'someone new'));

    const read = await restore(staged, own.file);

    const users = ['name', 'role', 'disabled', 'password_hash', 'library_access'];
    expect(await read('users').orderBy('id').select(users)).toEqual([
      { name: 'ada', role: 'admin', disabled: 0, password_hash: 'old', library_access: '[]' },
      { name: 'dan', role: 'guest', disabled: 1, password_hash: 'old', library_access: '[]' },
      { name: 'kid', role: 'user', disabled: 0, password_hash: 'new', library_access: '[1]' },
      { name: 'rex', role: 'user', disabled: 1, password_hash: 'old', library_access: '[]' },
    ]);
    expect(await column(read, 'profiles', 'pin_hash')).toEqual({
      open: 'old pin',
      changed: 'new pin',
    });
    expect(await column(read, 'passkeys', 'user_id')).toEqual({ kept: 'kid', added: 'kid' });
  });

  test('has an admin who can sign in, also when all admins of the backup were removed', async () => {
    const own = await home();
    await own.note('setup.done');
    await own.insert('users', admin);
    const staged = await backupOf(own);
    await own.note('user.removed');
    await own.change('users', 'ada', null);
    await own.insert('users', user('eve', { role: 'admin', name: 'ada', name_key: 'ada' }));
    await own.insert('profiles', profile('of eve', { user_id: 'eve' }));

    const read = await restore(staged, own.file);

    expect(await column(read, 'users', 'disabled')).toEqual({ ada: 1, eve: 0 });
    expect(await column(read, 'users', 'name')).toEqual({ ada: 'ada', eve: 'ada eve' });
    expect(await column(read, 'profiles', 'user_id')).toEqual({ 'of eve': 'eve' });
  });

  test('has no session, and no revoked key, invite, link or device', async () => {
    const own = await home();
    await own.note('setup.done');
    await own.insert('users', admin);
    const session = { user_id: 'ada', created_at: at, last_seen_at: at, expires_at: at };
    await own.insert('sessions', { ...session, id: 'one', token_hash: 'one' });
    await own.insert('profile_unlocks', { profile_id: 'p', credential_id: 'one', until: 1 });
    for (const id of ['gone', 'stays'])
      await own.insert('api_keys', {
        ...{ id, name: id, role: 'user', scopes: '[]', token_hash: id, origin: 'admin' },
        ...{ created_at: at, user_id: 'ada' },
      });
    for (const id of ['gone', 'used'])
      await own.insert('invites', {
        ...{ id, token_hash: id, token_end: id, role: 'user', library_access: '[]' },
        ...{ group_ids: '[]', max_uses: 2, use_count: 0, expires_at: at, created_by: 'ada' },
        created_at: at,
      });
    for (const row of [link('gone'), link('unlinked'), link('moved')])
      await own.insert('identity_links', row);
    const staged = await backupOf(own);
    await own.note('api_key.removed');
    await own.change('api_keys', 'gone', null);
    await own.change('invites', 'gone', null);
    await own.change('invites', 'used', { use_count: 2 });
    await own.change('identity_links', 'gone', null);
    await own.change('identity_links', 'unlinked', { state: 'unlinked' });
    await own.change('identity_links', 'moved', { user_pub_key: 'new key' });
    await own.insert('identity_former_keys', {
      ...{ user_pub_key: 'moved', link_id: 'moved', accepted_until: 5 },
    });
    await own.insert('identity_revocations', {
      ...{ user_pub_key: 'new key', client_id: 'phone', payload_hash: 'x', server_ids: null },
      iat: 1,
    });

    const read = await restore(staged, own.file);

    expect(await read('sessions')).toEqual([]);
    expect(await read('profile_unlocks')).toEqual([]);
    expect(await column(read, 'api_keys', 'name')).toEqual({ stays: 'stays' });
    expect(await column(read, 'invites', 'use_count')).toEqual({ used: 2 });
    expect(await column(read, 'identity_links', 'state')).toEqual({
      ...{ gone: 'unlinked', unlinked: 'unlinked', moved: 'active' },
    });
    expect(await read('identity_former_keys').first()).toMatchObject({ accepted_until: 5 });
    expect(await column(read, 'identity_revocations', 'user_pub_key')).toEqual({
      phone: 'new key',
    });
  });

  test('runs no plugin that was stopped, revoked or limited since, and has the newest index', async () => {
    const own = await home();
    await own.note('setup.done');
    await own.insert('users', admin);
    const all = { net: ['a.test', 'b.test'], files: 'read', kv: { quotaMb: 1 } };
    const grants = { asked: JSON.stringify(all), granted: JSON.stringify(all) };
    for (const id of ['off', 'removed', 'revoked', 'narrowed'])
      await own.insert('plugin_settings', settings(id, grants));
    await own.insert('plugin_packages', plugin('revoked'));
    for (const key of ['search', 'probe:mkv'])
      await own.insert('plugin_providers', { key, plugin_id: 'a-stranger' });
    const agreement = { profile: 'kid here', profile_id: 'kid', level: 'write' };
    for (const id of ['taken-back', 'lowered', 'kept'])
      await own.insert('plugin_profile_agreements', { ...agreement, plugin_id: id });
    for (const id of ['gone', 'newer']) await own.insert('marketplace_sources', source(id, at));
    const seen = { source_key: 'key', index_id: 'an index' };
    const old = { ...seen, sequence: 4, digest: 'four', told_expiry: null };
    await own.insert('marketplace_indexes', old);
    const staged = await backupOf(own);
    await own.database.write(async (trx) => {
      await trx('marketplace_indexes').update({ sequence: 5, digest: 'five' });
      await trx('marketplace_revocations').insert({
        ...{ ...seen, kind: 'package', subject: 'of revoked', plugin_id: 'revoked' },
        ...{ version: '1.0.0', source_name: 'A source', reason: 'It steals.', is_lifted: 0 },
      });
      const left = { from_key: 'old key', source_key: 'key', record: '{}' };
      await trx('marketplace_rotations').insert(left);
    });
    await own.note('plugin.disabled');
    await own.change('plugin_settings', 'off', { is_enabled: 0 });
    await own.change('plugin_settings', 'removed', null);
    await own.change('plugin_packages', 'revoked', { revoked: 'it steals' });
    await own.change('plugin_settings', 'narrowed', {
      granted: JSON.stringify({ net: ['b.test'], kv: { quotaMb: 1 } }),
      reach: '["films"]',
    });
    await own.database.write(async (trx) => {
      await trx('plugin_providers').where({ key: 'search' }).delete();
      await trx('plugin_providers').where({ key: 'probe:mkv' }).update({ plugin_id: 'probe' });
    });
    await own.change('plugin_profile_agreements', 'taken-back', null);
    await own.change('plugin_profile_agreements', 'lowered', { level: 'read' });
    await own.change('marketplace_sources', 'gone', null);
    const index = JSON.stringify({ updatedAt: '2026-11-22T00:00:00.000Z' });
    await own.change('marketplace_sources', 'newer', { index_text: index });

    const read = await restore(staged, own.file);

    expect(await column(read, 'plugin_settings', 'is_enabled')).toEqual({
      ...{ off: 0, removed: 0, revoked: 1, narrowed: 1 },
    });
    expect(await read('plugin_settings').where({ plugin_id: 'narrowed' }).first()).toMatchObject({
      granted: JSON.stringify({ net: ['b.test'], kv: { quotaMb: 1 } }),
      reach: '["films"]',
    });
    expect(await read('plugin_providers').select('key', 'plugin_id')).toEqual([
      { key: 'probe:mkv', plugin_id: 'probe' },
    ]);
    expect(await column(read, 'plugin_profile_agreements', 'level')).toEqual({
      ...{ lowered: 'read', kept: 'write' },
    });
    expect(await column(read, 'plugin_packages', 'revoked')).toEqual({ revoked: 'it steals' });
    expect(await column(read, 'marketplace_sources', 'index_text')).toEqual({ newer: index });
    expect(await read('marketplace_indexes').select('sequence', 'digest')).toEqual([
      { sequence: 5, digest: 'five' },
    ]);
    expect(await read('marketplace_revocations').select('subject', 'is_lifted')).toEqual([
      { subject: 'of revoked', is_lifted: 0 },
    ]);
    expect(await read('marketplace_rotations').select('from_key')).toEqual([
      { from_key: 'old key' },
    ]);
  });

  test('notifies admins of what was carried over', async () => {
    const own = await home();
    await own.note('setup.done');
    for (const row of [admin, user('kid')]) await own.insert('users', row);
    const staged = await backupOf(own);
    await own.change('users', 'kid', { disabled: 1 });

    const read = await restore(staged, own.file);

    expect(await read('notifications').first('level', 'title', 'message')).toEqual({
      level: 'warning',
      title: 'The backup kept.vbackup was restored',
      message:
        'The audit log continues: the replaced one ended at entry 1.\n' +
        'Users with their latest password, role and access; removed ones are disabled: kid.',
    });
  });

  test('keeps only the log of a database without a common past', async () => {
    const [old, fresh] = [await home(), await home()];
    await old.note('setup.done');
    await old.insert('users', admin);
    const staged = await backupOf(old);
    for (const action of ['setup.done', 'user.created']) await fresh.note(action);
    await fresh.insert('users', user('eve', { role: 'admin' }));

    const read = await restore(staged, fresh.file);

    expect(await column(read, 'users', 'disabled')).toEqual({ ada: 0 });
    expect(await actionsIn(read)).toEqual([
      ...['setup.done', 'backup.restored', 'setup.done', 'user.created'],
    ]);
  });

  test('starts when the replaced database is damaged, and says that nothing was carried over', async () => {
    const own = await home();
    await own.note('setup.done');
    const staged = await backupOf(own);
    const damaged = path.join(temporaryFolder(), 'vitrine.db');
    writeFileSync(damaged, 'a letter'.repeat(1000));

    const read = await restore(staged, damaged);

    expect(await actionsIn(read)).toEqual(['setup.done', 'backup.restored']);
    expect(await verifyAudit(read)).toMatchObject({ ok: true, count: 2 });
    expect(await read('notifications').first('message')).toMatchObject({
      message: expect.stringContaining('no readable database') as string,
    });
  });
});

const actionsIn = async (read: Queries): Promise<readonly unknown[]> =>
  (await read('audit_entries').orderBy('seq').select('action')).map(
    ({ action }: { readonly action: unknown }) => action,
  );

const headOf = async ({ audit }: Home) => (await audit.list({})).head;

describe('the audit log of a restored database', () => {
  test('is the one of the replaced database, entry for entry, with a link entry after it', async () => {
    const own = await home();
    await own.note('setup.done');
    const staged = await backupOf(own);
    for (const action of ['backup.created', 'api_key.removed']) await own.note(action);
    const head = await headOf(own);

    const read = await restore(staged, own.file);

    expect(await actionsIn(read)).toEqual([
      ...['setup.done', 'backup.created', 'api_key.removed', 'backup.restored'],
    ]);
    expect(await verifyAudit(read, head.hash)).toMatchObject({ ok: true, count: 4, restores: 1 });
    const link = await read('audit_entries').where({ seq: 4 }).first('details', 'user_id');
    expect(JSON.parse(String(link.details))).toMatchObject({
      ...{ by: 'ada', filename: 'kept.vbackup', oldHeadSeq: 3, oldHeadHash: head.hash },
    });
  });

  test('continues when both databases were written to after the backup, and each restore has a link', async () => {
    const own = await home();
    await own.note('setup.done');
    const early = await backupOf(own);
    await own.note('first.life');
    const parted = await backupOf(own);
    // As after a restore of a version that did not carry the log over.
    const other = await reopened(early);
    for (const action of ['second.life', 'plugin.removed']) await other.note(action);
    const head = await headOf(other);

    const once = await restore(parted, other.file);

    expect(await actionsIn(once)).toEqual([
      ...['setup.done', 'first.life', 'backup.restored', 'second.life', 'plugin.removed'],
    ]);
    expect(await verifyAudit(once, head.hash)).toMatchObject({ ok: true, count: 5, restores: 1 });
    const twice = await restore(await backupOf(own), path.join(parted, 'database.db'));
    expect(await verifyAudit(twice)).toMatchObject({ ok: true, count: 6, restores: 2 });
  });

  test.each([
    [
      'an entry that was carried over is changed',
      "update audit_entries set action = 'x' where seq = 4",
    ],
    ['an entry that was carried over is missing', 'delete from audit_entries where seq = 5'],
    [
      'the link names another head',
      `update audit_entries set details = replace(details, 'oldHeadHash":"', 'oldHeadHash":"0') where seq = 3`,
    ],
  ])(
    'is broken, and verify reports it, when %s and the chain was recomputed',
    async (_, statement) => {
      const own = await home();
      await own.note('setup.done');
      const early = await backupOf(own);
      await own.note('first.life');
      const parted = await backupOf(own);
      const other = await reopened(early);
      for (const action of ['second.life', 'plugin.removed']) await other.note(action);
      const read = await restore(parted, other.file);

      await rechained(path.join(parted, 'database.db'), statement);

      expect(await verifyAudit(read)).toMatchObject({
        ...{
          ok: false,
          seq: 3,
          fault: expect.stringContaining('is incomplete or was changed') as string,
        },
      });
    },
  );

  test('goes on to count what people repeat where the replaced one was, and counts nothing twice', async () => {
    const one = await home();
    const guest = { ...actor, role: 'guest' } as const;
    const act = { actor: guest, action: 'profile.created', change: 'event', target: null } as const;
    for (let no = 0; no < 3; no += 1) await one.audit.record(act);
    const staged = await backupOf(one);
    await one.audit.record(act);

    const read = await restore(staged, one.file);

    expect(await read('audit_repeats').select('action', 'count')).toEqual([
      { action: 'profile.created', count: 3 },
    ]);
    const entries = await read('audit_entries').where({ action: 'profile.created' });
    expect(entries).toHaveLength(1);
    expect(await verifyAudit(read)).toMatchObject({ ok: true });
  });

  test('has what both databases counted where they have no common past', async () => {
    const [one, other] = [await home(), await home()];
    const guest = { ...actor, role: 'guest' } as const;
    for (const [{ audit }, action] of [
      [one, 'profile.created'],
      [other, 'profile.removed'],
    ] as const)
      for (let no = 0; no < 3; no += 1)
        await audit.record({ actor: guest, action, change: 'event', target: null });

    const read = await restore(await backupOf(one), other.file);

    expect(await read('audit_repeats').select('action', 'count')).toEqual([
      { action: 'profile.removed', count: 2 },
    ]);
    const entries = await read('audit_entries').where({ action: 'profile.created' }).orderBy('seq');
    expect(entries.map(({ details }) => JSON.parse(String(details)) as unknown)).toEqual([
      {},
      expect.objectContaining({ count: 2 }),
    ]);
    expect(await verifyAudit(read)).toMatchObject({ ok: true });
  });

  test('stays broken when the log of the replaced database had been changed', async () => {
    const own = await home();
    await own.note('setup.done');
    const staged = await backupOf(own);
    for (const action of ['backup.created', 'api_key.removed']) await own.note(action);
    await tampered(own.file, "update audit_entries set action = 'user.praised' where seq = 2");

    const read = await restore(staged, own.file);

    expect(await actionsIn(read)).toEqual([
      ...['setup.done', 'backup.restored', 'user.praised', 'api_key.removed'],
    ]);
    expect(await verifyAudit(read)).toMatchObject({ ok: false, seq: 2 });
  });
});

/** A database that continues from a backup. */
async function reopened(staged: string): Promise<Home> {
  const one = await home();
  const folder = path.join(one.folder, 'again');
  mkdirSync(folder);
  const file = path.join(folder, 'vitrine.db');
  copyFileSync(path.join(staged, 'database.db'), file);
  const { database } = await openTestStorage({ url: `sqlite:${file}`, migrations });
  const audit = createAudit({ database, clock: systemClock, log: silentLog });
  const note: Home['note'] = (action) =>
    audit.record({ actor: 'server', action, change: 'event', target: null });
  return { ...one, folder, file, database, audit, note };
}

/** Bypasses the triggers, like a person with the file and a tool. */
async function tampered(file: string, statement: string): Promise<Database> {
  const { database } = await openTestStorage({ url: `sqlite:${file}`, migrations });
  await database.write(async (trx) => {
    const triggers = await trx('sqlite_master').where({ type: 'trigger' }).select('name');
    for (const { name } of triggers as readonly { name: string }[])
      await trx.raw(`drop trigger ${name}`);
    await trx.raw(statement);
  });
  return database;
}

/** And with a whole new chain, computed as docs/security.md says. */
async function rechained(file: string, statement: string): Promise<void> {
  const database = await tampered(file, statement);
  await database.write(async (trx) => {
    let [seq, hash] = [0, '0'.repeat(64)];
    for (const row of await trx<Record<string, unknown>>('audit_entries').orderBy('seq')) {
      const names = Object.keys(row).filter((name) => !name.endsWith('hash'));
      const text = JSON.stringify(row, names.sort());
      const previous = hash;
      hash = createHash('sha256').update(`${previous}\n${text}`).digest('hex');
      seq = Number(row['seq']);
      await trx('audit_entries').where({ seq }).update({ previous_hash: previous, hash });
    }
    await trx('audit_head').update({ seq, hash });
  });
}
