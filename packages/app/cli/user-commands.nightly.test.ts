import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  password,
  signIn,
  type TestAccounts,
} from '../../../test/support/people/accounts.ts';
import { openTestStorage, temporaryFolder } from '../../../test/support/storage/storage.ts';
import { serverViewer } from '../../../src/people/viewer/index.ts';
import { parseProgram } from './program.ts';
import { testByNight } from '../../../test/support/run/test-by-night.ts';

/** Runs `vitrine users …` in a data folder; gives its output and exit code. */
async function vitrine(args: readonly string[], stdin = '') {
  let said = '';
  const asked = parseProgram({
    args: ['users', ...args],
    env: {},
    cwd: '/media',
    version: '1.2.3',
    stdin: Readable.from([stdin]),
    write: (text) => (said += text),
    complain: (text) => (said += text),
  });
  return { code: asked.command === 'task' ? await asked.run() : asked, said };
}

/** The data folder of a running server that has the user Anna. */
async function dataFolder(): Promise<TestAccounts & { readonly data: string }> {
  const data = temporaryFolder();
  const parts = await openTestAccounts({}, { url: `sqlite:${path.join(data, 'vitrine.db')}` });
  await makeUser(parts.accounts, 'Anna', 'admin');
  return { ...parts, data };
}

const device = { name: null, userAgent: null, address: null };
const enter = ({ accounts }: TestAccounts, given: string) =>
  accounts.signIn.withPassword({ name: 'Anna', password: given }, device);

describe('vitrine users reset', () => {
  test('prints a new password, which works while the server keeps running', async () => {
    const parts = await dataFolder();

    const { code, said } = await vitrine(['reset', 'anna', '--data', parts.data]);

    const [, made = ''] = /^The new password of Anna: (\S+)\n$/.exec(said) ?? [];
    expect(code).toBe(0);
    expect(made).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    await expect(enter(parts, password)).rejects.toMatchObject({ code: 'sign_in_failed' });
    await expect(enter(parts, made)).resolves.toBeDefined();
  });

  test('reads the password from standard input, and never prints it', async () => {
    const parts = await dataFolder();

    const reset = ['reset', 'Anna', '--stdin', '--data', parts.data];
    const done = await vitrine(reset, 'another horse\nmore\n');

    expect(done).toEqual({ code: 0, said: 'The new password of Anna is set.\n' });
    await expect(enter(parts, 'another horse')).resolves.toBeDefined();
  });

  test('ends sessions that the running server has cached, within a second', async () => {
    const parts = await dataFolder();
    const { token } = await signIn(parts.accounts, 'Anna');
    const who = () => parts.accounts.authenticate({ authorization: `Bearer ${token}` });
    const ended: unknown[] = [];
    parts.accounts.onRevocation(({ userId }) => ended.push(userId));
    expect(await who()).not.toBeNull();

    await vitrine(['reset', 'Anna', '--data', parts.data]);
    await parts.clock.advance(1000);

    expect(await who()).toBeNull();
    expect(ended).toHaveLength(1);
  });

  testByNight('stops requiring a passkey, and removes passkeys on request', async () => {
    const parts = await dataFolder();
    const passkey = { id: 'p', credential_id: 'c', public_key: '', counter: 0, transports: '[]' };
    await parts.database.write(async (trx) => {
      await trx('users').update('requires_passkey', 1);
      const row = { ...passkey, name: 'Phone', is_synced: 0, created_at: '' };
      const { users } = await parts.accounts.users.list(serverViewer, {});
      await trx('passkeys').insert({ ...row, user_id: users[0]?.id });
    });
    const left = () => parts.database.read('passkeys').select('id');

    await vitrine(['reset', 'Anna', '--stdin', '--data', parts.data], 'another horse');
    expect(await left()).toHaveLength(1);
    await expect(enter(parts, 'another horse')).resolves.toBeDefined();

    await vitrine(['reset', 'Anna', '--remove-passkeys', '--data', parts.data]);
    expect(await left()).toEqual([]);
  });

  test('is in the audit log as an act of the server, without the password', async () => {
    const parts = await dataFolder();

    await vitrine(['reset', 'Anna', '--stdin', '--data', parts.data], 'another horse');

    const { entries } = await parts.audit.list({ action: ['user.password_reset'] });
    expect(entries.map(({ actor }) => actor.userId)).toEqual(['server']);
    expect(JSON.stringify(entries)).not.toContain('horse');
  });

  test.each([
    [['reset', 'Nobody'], '', 'vitrine: A user named "Nobody" does not exist.\n'],
    [['reset', 'Anna', '--stdin'], 'short', 'vitrine: password must be 10 to 1000 characters.\n'],
  ])('refuses %j with %j', async (args, stdin, said) => {
    const { data } = await dataFolder();

    expect(await vitrine([...args, '--data', data], stdin)).toEqual({ code: 1, said });
  });

  test('creates no database where there is none, and does not touch one of an older version', async () => {
    const empty = temporaryFolder();
    expect(await vitrine(['reset', 'Anna', '--data', empty])).toMatchObject({
      code: 2,
      said: expect.stringContaining('vitrine.db'),
    });
    await openTestStorage({ url: `sqlite:${path.join(empty, 'vitrine.db')}` });
    expect(await vitrine(['reset', 'Anna', '--data', empty])).toEqual({
      code: 2,
      said: 'vitrine: An older version wrote the database.\n',
    });
  });
});

describe('vitrine users list', () => {
  test('shows names, roles and exceptions, while a server runs', async () => {
    const { data, accounts } = await dataFolder();
    const bert = await makeUser(accounts, 'Bert', 'guest');
    await accounts.users.update(bert.id, { disabled: true }, serverViewer);

    expect(await vitrine(['list', '--data', data])).toEqual({
      code: 0,
      said: 'Anna\tadmin\tnever seen\nBert\tguest\tswitched off, never seen\n',
    });
  });
});
