import { createHash } from 'node:crypto';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  password,
  type TestAccounts,
} from '../../../test/support/people/accounts.ts';
import { openTestStorage, temporaryFolder } from '../../../test/support/storage/storage.ts';
import { auditMigrations } from '../../platform/audit/index.ts';
import { accountMigrations } from './account-migrations.ts';
import type { Accounts } from './accounts.ts';

const adminToken = `vtk_${'0123456789abcdef'.repeat(4)}`;
const device = { name: 'Laptop', userAgent: 'test', address: '10.0.0.1' };
let parts: TestAccounts;

beforeEach(async () => {
  parts = await openTestAccounts();
});

const complete = (
  token: string | null,
  fields: object = {},
  { setup }: Accounts = parts.accounts,
) => setup.complete({ token: token ?? '', name: 'Anna', password, ...fields }, device);

describe('the first start', () => {
  test('prints a token that creates the first admin and signs them in', async () => {
    const token = await parts.accounts.setup.open(null);

    const { user, sessionToken, expiresAt } = await complete(token);

    expect(token).toMatch(/^[\w-]{43}$/);
    expect(user).toMatchObject({ name: 'Anna', role: 'admin', hasPassword: true });
    expect(expiresAt).toBe('2026-12-21T07:44:53.000Z');
    const caller = await parts.accounts.authenticate({ authorization: `Bearer ${sessionToken}` });
    expect(caller?.viewer).toMatchObject({ userId: user.id, role: 'admin' });
    const { entries } = await parts.audit.list({});
    expect(entries.map(({ action, actor }) => [action, actor.userId])).toEqual([
      ['user.created', user.id],
    ]);
  });

  test('refuses another token, and one of an earlier start: wrong_setup_token', async () => {
    const earlier = await parts.accounts.setup.open(null);
    const accounts = parts.restarted();
    const token = await accounts.setup.open(null);

    for (const wrong of ['', 'A'.repeat(43), earlier]) {
      await expect(complete(wrong, {}, accounts)).rejects.toMatchObject({
        code: 'wrong_setup_token',
      });
    }
    await expect(complete(token, {}, accounts)).resolves.toBeDefined();
  });

  test('accepts its token once', async () => {
    const token = await parts.accounts.setup.open(null);
    await complete(token);

    await expect(complete(token, { name: 'Mallory' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await parts.accounts.users.count()).toBe(1);
  });

  test('creates one admin when two requests come at the same time', async () => {
    const token = await parts.accounts.setup.open(null);

    const both = await Promise.allSettled([complete(token), complete(token, { name: 'Mallory' })]);

    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await parts.accounts.users.count()).toBe(1);
  });

  test('keeps the token valid when the name or the password is refused', async () => {
    const token = await parts.accounts.setup.open(null);

    await expect(complete(token, { password: 'short' })).rejects.toMatchObject({
      code: 'invalid_request',
    });

    await expect(complete(token)).resolves.toBeDefined();
  });

  test('ends when there is a user: no token, and setup is refused', async () => {
    expect(await parts.accounts.setup.isNeeded()).toBe(true);
    await makeUser(parts.accounts, 'Anna', 'admin');

    expect(await parts.accounts.setup.isNeeded()).toBe(false);
    expect(await parts.accounts.setup.open(null)).toBeNull();
    await expect(complete('A'.repeat(43))).rejects.toMatchObject({ code: 'conflict' });
  });

  test('with VITRINE_ADMIN_TOKEN creates the user admin, without a password, who owns the key', async () => {
    expect(await parts.accounts.setup.open(adminToken)).toBeNull();

    const caller = await parts.accounts.authenticate({ authorization: `Bearer ${adminToken}` });
    expect(caller?.viewer).toMatchObject({ role: 'admin', credentialKind: 'api-key' });
    const user = await parts.accounts.users.find(caller?.viewer.userId ?? '');
    expect(user).toMatchObject({ name: 'admin', role: 'admin', hasPassword: false });
    for (const guess of ['', 'admin', password]) {
      const attempt = { name: 'admin', password: guess };
      await expect(parts.accounts.signIn.withPassword(attempt, device)).rejects.toMatchObject({
        code: 'sign_in_failed',
      });
    }
  });

  test('on a database older than user accounts finds its keys without owners', async () => {
    const url = `sqlite:${path.join(temporaryFolder(), 'old.db')}`;
    const [first] = accountMigrations.migrations;
    const before = { name: 'accounts', migrations: first ? [first] : [] };
    const old = await openTestStorage({ url, migrations: [auditMigrations, before] });
    await old.database.write((trx) =>
      trx('api_keys').insert({
        id: 'old',
        name: 'first start',
        role: 'admin',
        scopes: '[]',
        token_hash: createHash('sha256').update(adminToken).digest('hex'),
        origin: 'first-start',
        created_at: '2026-01-01T00:00:00.000Z',
      }),
    );
    await old.close();
    const { accounts } = await openTestAccounts({}, { url });
    const token = await accounts.setup.open(null);
    const authorization = `Bearer ${adminToken}`;
    expect(await accounts.authenticate({ authorization })).toBeNull();

    await complete(token, {}, accounts);

    expect(await accounts.authenticate({ authorization })).toMatchObject({
      viewer: { role: 'admin', credentialId: 'old' },
    });
  });

  test('gives keys older than user accounts to the first admin', async () => {
    await parts.accounts.setup.open(adminToken);
    await parts.database.write(async (trx) => {
      await trx('users').delete();
      await trx('api_keys').update('user_id', null);
    });
    const accounts = parts.restarted();
    const token = await accounts.setup.open(null);
    expect(await accounts.authenticate({ authorization: `Bearer ${adminToken}` })).toBeNull();

    const { user } = await complete(token, {}, accounts);

    const caller = await accounts.authenticate({ authorization: `Bearer ${adminToken}` });
    expect(caller?.viewer).toMatchObject({ userId: user.id, role: 'admin' });
  });
});
