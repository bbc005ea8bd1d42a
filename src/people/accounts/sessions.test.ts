import { beforeEach, describe, expect, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  signIn,
  type TestAccounts,
} from '../../../test/support/people/accounts.ts';
import type { Viewer } from '../viewer/index.ts';

let parts: TestAccounts;
const day = 24 * 60 * 60_000;

beforeEach(async () => {
  parts = await openTestAccounts();
  await makeUser(parts.accounts, 'Anna', 'admin');
});

const who = async (token: string) =>
  (await parts.accounts.authenticate({ authorization: `Bearer ${token}` }))?.viewer ?? null;

/** Waits for pending writes. */
const written = () => parts.accounts.close();

describe('a session', () => {
  test('is vts_ and 43 characters, and only its SHA-256 is kept', async () => {
    const { token, viewer } = await signIn(parts.accounts, 'Anna');

    expect(token).toMatch(/^vts_[\w-]{43}$/);
    const rows: unknown = await parts.database.read('sessions').select('*');
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
    expect(JSON.stringify(await parts.accounts.sessions.list(viewer))).not.toContain(
      token.slice(4),
    );
  });

  test('ends all others with one entry in the audit log, and with none where there are no others', async () => {
    const { accounts, audit } = parts;
    await signIn(accounts, 'Anna');
    const { viewer } = await signIn(accounts, 'Anna');

    await accounts.sessions.removeOthers(viewer);
    await accounts.sessions.removeOthers(viewer);

    const { entries } = await audit.list({ action: ['session.others_revoked'] });
    expect(entries.map(({ details }) => details)).toEqual([{ count: 1 }]);
  });

  test('is what a link acts for, and only while it is there and its user has rights', async () => {
    const { accounts } = parts;
    const links: { readonly token: string; readonly viewer: Viewer }[] = [];
    for (const name of ['Anna', 'Bert', 'Cora']) {
      if (name !== 'Anna') await makeUser(accounts, name, 'user');
      const { viewer } = await signIn(accounts, name);
      const { token } = accounts.linkTokens.create(
        { kind: 'file', id: 'f-1' },
        { ...viewer, profileId: 'p-1' },
        3600,
      );
      links.push({ token, viewer });
    }
    const all = async () => Promise.all(links.map(async ({ token }) => (await who(token))?.userId));
    const [anna, bert, cora] = links.map(({ viewer }) => viewer);
    if (anna === undefined || bert === undefined || cora === undefined) throw new Error('three');
    for (let turn = 0; turn < 2; turn += 1)
      expect(await all()).toEqual([anna.userId, bert.userId, cora.userId]);

    await accounts.sessions.removeOf({ userId: bert.userId, id: bert.credentialId }, anna);
    expect(await all()).toEqual([anna.userId, undefined, cora.userId]);
    await accounts.users.update(cora.userId, { disabled: true }, anna);
    expect(await all()).toEqual([anna.userId, undefined, undefined]);
  });

  test('ends 30 days after it was last used, and not while it is used', async () => {
    const { token } = await signIn(parts.accounts, 'Anna');
    for (let month = 0; month < 3; month += 1) {
      await parts.clock.advance(29 * day);
      expect(await who(token)).not.toBeNull();
      await written();
    }

    await parts.clock.advance(30 * day);

    expect(await who(token)).toBeNull();
    expect(await parts.restarted().authenticate({ authorization: `Bearer ${token}` })).toBeNull();
  });

  test('that is used while the clock is in the past ends no sooner', async () => {
    const { token } = await signIn(parts.accounts, 'Anna');

    parts.clock.set(-3650 * day);
    expect(await who(token)).not.toBeNull();
    await written();
    const [session] = await parts.database.read('sessions').select('expires_at', 'last_seen_at');
    parts.clock.set(3650 * day);

    expect(await who(token)).not.toBeNull();
    expect(Date.parse(session.expires_at)).toBe(parts.clock.now() + 30 * day);
    expect(Date.parse(session.last_seen_at)).toBeLessThan(parts.clock.now());
  });

  test('that has ended is also not valid for connections that outlive a request', async () => {
    const { viewer } = await signIn(parts.accounts, 'Anna');
    expect(await parts.accounts.isValid(viewer.credentialId)).toBe(true);

    await parts.clock.advance(30 * day);

    expect(await parts.accounts.isValid(viewer.credentialId)).toBe(false);
  });

  test('stores its last use, and that of its user, once a minute', async () => {
    const { token, viewer } = await signIn(parts.accounts, 'Anna');
    const seen = async () => {
      await written();
      const [session] = await parts.accounts.sessions.list(viewer);
      const user = await parts.accounts.users.get(viewer.userId, viewer);
      return [session?.lastSeenAt, user.lastSeenAt];
    };

    await parts.clock.advance(59_000);
    await who(token);
    expect(await seen()).toEqual(Array(2).fill('2026-11-21T07:44:53.000Z'));
    await parts.clock.advance(1000);
    await who(token);
    expect(await seen()).toEqual(Array(2).fill('2026-11-21T07:45:53.000Z'));
  });

  test('needs no database query when it was just used', async () => {
    const { token } = await signIn(parts.accounts, 'Anna');
    await who(token);
    let statements = 0;
    parts.database.read.on('query', () => (statements += 1));

    for (let count = 0; count < 100; count += 1) await who(token);

    expect(statements).toBe(0);
  });

  test('beyond the hundredth ends the least recently used one', async () => {
    const first = await signIn(parts.accounts, 'Anna');
    for (let count = 0; count < 100; count += 1) {
      await parts.clock.advance(1);
      await signIn(parts.accounts, 'Anna');
    }

    expect(await who(first.token)).toBeNull();
    expect(await parts.accounts.sessions.list(first.viewer)).toHaveLength(100);
  });

  test.each([
    'vts_',
    'vts_x',
    `vts_${'A'.repeat(43)}`,
    `vts_${'A'.repeat(42)}=`,
    `VTS_${'A'.repeat(43)}`,
  ])('is not %j, which was never issued', async (token) => {
    expect(await who(token)).toBeNull();
  });
});
