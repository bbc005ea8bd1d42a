import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import {
  makeUser,
  openTestAccounts,
  password,
  signIn,
  type TestAccounts,
} from '../../../test/support/people/accounts.ts';
import { AppError } from '../../platform/errors.ts';
import { createPasswords } from '../credentials/index.ts';
import { serverViewer } from '../viewer/index.ts';

let parts: TestAccounts;

beforeEach(async () => {
  parts = await openTestAccounts();
  await makeUser(parts.accounts, 'Anna', 'admin');
});

const home = '10.0.0.1';
const elsewhere = '192.0.2.7';

const attempt = (name: string, given: string, address = elsewhere) =>
  parts.accounts.signIn.withPassword(
    { name, password: given },
    { name: null, userAgent: null, address },
  );

/** The error code of a sign-in attempt, if any. */
const endOf = (name: string, given: string, address?: string): Promise<string> =>
  attempt(name, given, address).then(
    () => 'signed-in',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

async function failures(count: number, name = 'Anna', address?: string): Promise<string[]> {
  const ends = [];
  for (let done = 0; done < count; done += 1)
    ends.push(await endOf(name, 'a wrong guess', address));
  return ends;
}

describe('guessing passwords', () => {
  test('is free six times, and then waits, doubling up to a quarter of an hour', async () => {
    expect(await failures(7)).toEqual([
      ...Array<string>(6).fill('sign_in_failed'),
      'too_many_attempts',
    ]);

    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      await expect(attempt('Anna', password)).rejects.toMatchObject({
        code: 'too_many_attempts',
        fields: { seconds: String(seconds) },
      });
      await parts.clock.advance(seconds * 1000);
      expect(await failures(1)).toEqual(['sign_in_failed']);
    }
  });

  test('checks no password during a wait, so that it costs nothing and counts nothing', async () => {
    await failures(6);
    const before = parts.hashes();

    expect(new Set(await failures(100))).toEqual(new Set(['too_many_attempts']));

    expect(parts.hashes()).toBe(before);
    await parts.clock.advance(1000);
    expect(await endOf('Anna', password)).toBe('signed-in');
  });

  test('parallel attempts are not all free', async () => {
    const ends = await Promise.all(
      Array.from({ length: 30 }, () => endOf('Anna', 'a wrong guess')),
    );

    expect(ends.filter((end) => end === 'sign_in_failed')).toHaveLength(6);
    expect(ends.filter((end) => end === 'too_many_attempts')).toHaveLength(24);
  });

  test('is forgotten after the right password', async () => {
    await failures(5);
    expect(await endOf('Anna', password)).toBe('signed-in');

    expect(await failures(6)).toEqual(Array(6).fill('sign_in_failed'));
  });

  test('is forgotten after a day without a failure', async () => {
    await failures(6);
    await parts.clock.advance(24 * 60 * 60_000);

    expect(await failures(6)).toEqual(Array(6).fill('sign_in_failed'));
  });

  test('from one address is throttled across all names', async () => {
    const ends = [];
    for (let count = 0; count < 22; count += 1) {
      ends.push(await endOf(`name ${count}`, 'a wrong guess'));
    }

    expect(ends.slice(-2)).toEqual(['sign_in_failed', 'too_many_attempts']);
    expect(await endOf('Anna', password)).toBe('too_many_attempts');
    expect(await endOf('Anna', password, home)).toBe('signed-in');
  });

  test('from the addresses of one IPv6 network counts as one', async () => {
    for (let count = 0; count < 21; count += 1) {
      await endOf(`name ${count}`, 'a wrong guess', `2001:db8:1:2::${count + 1}`);
    }

    expect(await endOf('Anna', password, '2001:db8:1:2:ffff::1')).toBe('too_many_attempts');
    expect(await endOf('Anna', password, '2001:db8:1:3::1')).toBe('signed-in');
  });
});

test('from many IPv6 networks of one site is throttled too', async () => {
  const ends = [];
  for (let count = 0; count < 102; count += 1) {
    ends.push(await endOf(`name ${count}`, 'a wrong guess', `2001:db8:1:${count.toString(16)}::1`));
  }

  expect(ends.slice(-2)).toEqual(['sign_in_failed', 'too_many_attempts']);
  expect(await endOf('Anna', password, '2001:db8:2::1')).toBe('signed-in');
});

describe('while an attacker guesses, the owner', () => {
  test('keeps their sessions', async () => {
    const { token } = await signIn(parts.accounts, 'Anna');

    await failures(7);

    expect(await parts.accounts.authenticate({ authorization: `Bearer ${token}` })).not.toBeNull();
  });

  test('can sign in from an address with an active session', async () => {
    await signIn(parts.accounts, 'Anna');

    expect((await failures(7)).at(-1)).toBe('too_many_attempts');

    expect(await endOf('Anna', password, home)).toBe('signed-in');
    expect((await failures(7, 'Anna', home)).at(-1)).toBe('too_many_attempts');
  });

  test('waits a quarter of an hour at most, however long the attack lasts', async () => {
    for (let round = 0; round < 40; round += 1) {
      await failures(1);
      await parts.clock.advance(15 * 60_000);
    }

    expect(await endOf('Anna', password)).toBe('signed-in');
  });
});

test('attempts that the server was too busy to check do not count', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<undefined>();
  const cost = { memoryKib: 8, passes: 1 };
  const passwords = createPasswords({ cost, onHash: () => isOver });
  parts = await openTestAccounts({ passwords });
  const ends: string[] = [];
  const attempts = Array.from({ length: 30 }, async (_, n) =>
    ends.push(await endOf(`Nobody ${n}`, 'a wrong guess')),
  );
  await eventually('two are checked and two wait', () => ends.length === 26);

  expect(new Set(ends)).toEqual(new Set(['too_many_requests']));
  end(undefined);
  await Promise.all(attempts);
  expect(ends.slice(26)).toEqual(Array(4).fill('sign_in_failed'));
});

describe('an unknown name', () => {
  test('costs the same hashes, and gets the same reply and the same waits', async () => {
    const before = parts.hashes();
    const known = await failures(8, 'Anna', '192.0.2.1');
    const afterKnown = parts.hashes();
    const unknown = await failures(8, 'Nobody', '192.0.2.2');

    expect(unknown).toEqual(known);
    expect(parts.hashes() - afterKnown).toBe(afterKnown - before);
  });

  testByNight('takes as long as a known one, within the noise', async () => {
    parts = await openTestAccounts({
      passwords: createPasswords({ cost: { memoryKib: 4096, passes: 2 } }),
    });
    await makeUser(parts.accounts, 'Anna', 'admin');
    await parts.accounts.users.create({ name: 'Bert', password: null, role: 'user' }, serverViewer);
    const names = ['Anna', 'Bert', 'Nobody'];
    const times = new Map<string, number[]>(names.map((name) => [name, []]));
    // Alternates, so that other load on the machine slows both cases down alike.
    for (let round = 0; round < 31; round += 1) {
      for (const name of names) {
        await parts.clock.advance(60 * 60_000);
        const start = performance.now();
        await endOf(name, 'a wrong guess', `192.0.2.${round}`);
        times.get(name)?.push(performance.now() - start);
      }
    }
    const [known = 0, ...others] = names.map((name) => median(times.get(name) ?? []));
    for (const other of others) expect(Math.max(known / other, other / known)).toBeLessThan(1.5);
  });
});

test('a password that was hashed at another cost is hashed again at the next sign-in', async () => {
  const kept = async (): Promise<unknown> => parts.database.read('users').first('password_hash');
  const before = await kept();
  const passwords = createPasswords({ cost: { memoryKib: 16, passes: 1 } });
  const accounts = parts.restarted({ passwords });

  await attempt('Anna', 'a wrong guess').catch(() => undefined);
  expect(await kept()).toEqual(before);
  await signIn(accounts, 'Anna');

  expect(JSON.stringify(await kept())).toContain('$m=16,t=1,p=1$');
  await expect(signIn(accounts, 'Anna')).resolves.toBeDefined();
});

test('sign-ins and failures are in the audit log, without the names that were tried', async () => {
  await attempt('Anna', password);
  await failures(2, 'my secret password in the wrong field');
  await parts.audit.close();

  const { entries } = await parts.audit.list({ action: ['session.*'] });
  expect(entries.map(({ action }) => action).sort()).toEqual(
    expect.arrayContaining(['session.opened', 'session.refused']),
  );
  expect(JSON.stringify(entries)).not.toContain('secret');
});

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
