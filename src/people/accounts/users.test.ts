import { beforeEach, describe, expect, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  password,
  signIn,
  type TestAccounts,
} from '../../../test/support/people/accounts.ts';
import { AppError } from '../../platform/errors.ts';
import { createPasswords, type HashFor } from '../credentials/index.ts';
import { serverViewer, visibilityOfLibraries, type Viewer } from '../viewer/index.ts';
import type { Accounts } from './accounts.ts';
import type { User } from '../../contract/resources/accounts/accounts.ts';

let parts: TestAccounts;
let anna: User;
let asAnna: Viewer;

beforeEach(async () => {
  parts = await openTestAccounts();
  anna = await makeUser(parts.accounts, 'Anna', 'admin');
  asAnna = (await signIn(parts.accounts, 'Anna')).viewer;
});

const users = () => parts.accounts.users;
const who = async (token: string) =>
  (await parts.accounts.authenticate({ authorization: `Bearer ${token}` }))?.viewer ?? null;

describe('a user', () => {
  test('has the fields of the contract, and never shows a password', async () => {
    expect(anna).toEqual({
      id: expect.any(String),
      name: 'Anna',
      role: 'admin',
      disabled: false,
      libraryAccess: null,
      groupIds: [],
      hasPassword: true,
      requiresPasskey: false,
      createdAt: '2026-11-21T07:44:53.000Z',
      updatedAt: '2026-11-21T07:44:53.000Z',
      lastSeenAt: null,
    });
    const rows: unknown = await parts.database.read('users').select('*');
    expect(JSON.stringify(rows)).toContain('$argon2id$v=19$');
    expect(JSON.stringify(rows)).not.toContain(password);
  });

  test.each([
    ['Bert', 'bert'],
    ['Åsa', 'a\u030aSA'],
    ['ﬁn', 'FIN'],
    ['Straße', 'STRASSE'],
    ['Ｗide', 'wide'],
    [' Bert ', 'Bert'],
  ])('named %s makes the name %s taken', async (name, other) => {
    await makeUser(parts.accounts, name);

    await expect(makeUser(parts.accounts, other)).rejects.toMatchObject({ code: 'conflict' });
    await expect(users().update(anna.id, { name: other }, serverViewer)).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test.each(['', ' ', 'a\u0000b', 'a\u202eb', 'a\u200bb', 'x'.repeat(101)])(
    'is never named %j',
    async (name) => {
      await expect(makeUser(parts.accounts, name)).rejects.toMatchObject({
        code: 'invalid_request',
        message: 'name must be 1 to 100 visible characters.',
      });
    },
  );

  test.each([
    ['too short', 'password must be 10 to 1000 characters.'],
    ['é'.repeat(9), 'password must be 10 to 1000 characters.'],
    ['x'.repeat(1001), 'password must be 10 to 1000 characters.'],
    ['ANNABELLE THE FIRST', 'password must not be the name.'],
  ])('is refused the password %j', async (wrong, message) => {
    const fields = { name: 'Annabelle the First', role: 'user', password: wrong } as const;

    await expect(users().create(fields, asAnna)).rejects.toMatchObject({
      code: 'invalid_request',
      message,
    });
  });

  test.each(['x'.repeat(1000), '密码密码密码密码密码', 'with spaces and ünïcödé'])(
    'may have the password %j, and signs in with any Unicode form of it',
    async (right) => {
      await users().create({ name: 'Bert', role: 'user', password: right }, asAnna);
      const device = { name: null, userAgent: null, address: null };
      const attempt = { name: 'Bert', password: right.normalize('NFD') };

      await expect(parts.accounts.signIn.withPassword(attempt, device)).resolves.toBeDefined();
    },
  );

  test('is listed by name, in pages, to admins', async () => {
    await makeUser(parts.accounts, 'bert');
    await makeUser(parts.accounts, 'Åke');

    const first = await users().list(asAnna, { limit: 2 });
    const second = await users().list(asAnna, { limit: 2, cursor: first.nextCursor ?? '' });

    expect(first.users.map(({ name }) => name)).toEqual(['Anna', 'bert']);
    expect(second.users.map(({ name }) => name)).toEqual(['Åke']);
    expect(second.nextCursor).toBeNull();
    expect(await users().count()).toBe(3);
  });

  test('who is an admin sees everything, so limits are refused', async () => {
    const libraryAccess = [{ libraryId: 'films', maxRating: null }];

    await expect(users().update(anna.id, { libraryAccess }, asAnna)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const bert = await makeUser(parts.accounts, 'Bert');
    await users().update(bert.id, { libraryAccess }, asAnna);
    await expect(users().update(bert.id, { role: 'admin' }, asAnna)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const both = { role: 'admin', libraryAccess: null } as const;
    expect((await users().update(bert.id, both, asAnna)).role).toBe('admin');
  });

  test('is created, changed and removed only by full admins', async () => {
    const bert = await makeUser(parts.accounts, 'Bert');
    const viewers = [
      { ...asAnna, role: 'user' as const },
      { ...asAnna, visibility: visibilityOfLibraries(['films']) },
    ];
    for (const viewer of viewers) {
      const refusals = [
        users().list(viewer, {}),
        users().get(bert.id, viewer),
        users().create({ name: 'Carl', role: 'admin', password }, viewer),
        users().update(bert.id, { role: 'admin' }, viewer),
        users().setPassword(bert.id, { password: 'another horse' }, viewer),
        users().remove(bert.id, viewer),
      ];
      for (const refusal of refusals) {
        await expect(refusal).rejects.toMatchObject({ code: 'forbidden' });
      }
    }
    expect(await users().get(bert.id, { ...asAnna, role: 'user', userId: bert.id })).toEqual(bert);
  });
});

describe('the last admin', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['removed', () => users().remove(anna.id, asAnna)],
    ['switched off', () => users().update(anna.id, { disabled: true }, asAnna)],
    ['made a user', () => users().update(anna.id, { role: 'user' }, asAnna)],
  ])('cannot be %s', async (_, act) => {
    await makeUser(parts.accounts, 'Bert');
    const off = await makeUser(parts.accounts, 'Carl', 'admin');
    await users().update(off.id, { disabled: true }, asAnna);

    await expect(act()).rejects.toMatchObject({
      code: 'last_admin',
      message: 'Anna is the only admin who can sign in. Make another user an admin first.',
    });

    await users().update(off.id, { disabled: false }, asAnna);
    await act();
  });

  test('remains when two admins remove each other at the same time', async () => {
    const bert = await makeUser(parts.accounts, 'Bert', 'admin');
    const asBert = (await signIn(parts.accounts, 'Bert')).viewer;

    const both = await Promise.allSettled([
      users().remove(bert.id, asAnna),
      users().remove(anna.id, asBert),
    ]);

    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await users().count()).toBe(1);
  });
});

describe('a change of a user takes effect with the next request', () => {
  test('of the role', async () => {
    const bert = await makeUser(parts.accounts, 'Bert', 'admin');
    const { token } = await signIn(parts.accounts, 'Bert');
    expect(await who(token)).toMatchObject({ role: 'admin' });

    await users().update(bert.id, { role: 'guest' }, asAnna);

    expect(await who(token)).toMatchObject({ role: 'guest' });
  });

  test('that disables them, and ends their sessions for good', async () => {
    const bert = await makeUser(parts.accounts, 'Bert');
    const { token, viewer } = await signIn(parts.accounts, 'Bert');
    expect(await who(token)).not.toBeNull();

    await users().update(bert.id, { disabled: true }, asAnna);
    expect(await who(token)).toBeNull();
    expect(await parts.accounts.isValid(viewer.credentialId)).toBe(false);
    await users().update(bert.id, { disabled: false }, asAnna);
    expect(await who(token)).toBeNull();
  });

  test('while requests of the user are being authenticated', async () => {
    const bert = await makeUser(parts.accounts, 'Bert', 'admin');
    const { token } = await signIn(parts.accounts, 'Bert');

    for (const role of ['user', 'admin', 'guest', 'admin', 'user'] as const) {
      const change = users().update(bert.id, { role }, asAnna);
      const during = Array.from({ length: 20 }, () => who(token));
      await change;
      expect(await who(token)).toMatchObject({ role });
      await Promise.all(during);
      expect(await who(token)).toMatchObject({ role });
    }
  });

  test('of the password by an admin, which ends the user’s sessions', async () => {
    const bert = await makeUser(parts.accounts, 'Bert');
    const { token } = await signIn(parts.accounts, 'Bert');

    await users().setPassword(bert.id, { password: 'another horse' }, asAnna);

    expect(await who(token)).toBeNull();
    await expect(signIn(parts.accounts, 'Bert')).rejects.toMatchObject({ code: 'sign_in_failed' });
  });

  test('of the password, by an admin or the user, ends the user’s API keys on request', async () => {
    const bert = await makeUser(parts.accounts, 'Bert');
    const newKey = async (known: string) => {
      const { viewer } = await signIn(parts.accounts, 'Bert', known);
      return (await parts.accounts.apiKeys.create({ name: 'Script' }, viewer)).token;
    };
    const isGood = async (token: string) =>
      (await parts.accounts.apiKeys.principalOf(token)) !== null;

    const kept = await newKey(password);
    await users().setPassword(bert.id, { password: 'another horse' }, asAnna);
    expect(await isGood(kept)).toBe(true);
    const change = { password: 'another horse', endApiKeys: true };
    await users().setPassword(bert.id, change, asAnna);
    expect(await isGood(kept)).toBe(false);

    const own = await newKey('another horse');
    const { viewer } = await signIn(parts.accounts, 'Bert', 'another horse');
    const ofAnna = (await parts.accounts.apiKeys.create({ name: 'Script' }, asAnna)).token;
    await parts.accounts.signIn.changePassword(
      { currentPassword: 'another horse', newPassword: password, endApiKeys: true },
      viewer,
    );
    expect([await isGood(own), await isGood(ofAnna)]).toEqual([false, true]);
    const { entries } = await parts.audit.list({ action: ['user.password_changed'] });
    expect(entries[0]?.details).toMatchObject({ apiKeysEnded: 1 });
  });

  test.each([
    [
      'a change of the password',
      ({ signIn: { changePassword } }: Accounts, viewer: Viewer) =>
        changePassword({ currentPassword: password, newPassword: 'the horse of a thief' }, viewer),
    ],
    [
      'a choice about passkeys',
      ({ signIn: { requirePasskey } }: Accounts, viewer: Viewer) =>
        requirePasskey({ requiresPasskey: false, password }, viewer),
    ],
  ])('is not undone by %s that began with the old one', async (_name, begin) => {
    let onHash: (of: HashFor) => unknown = () => undefined;
    const cost = { memoryKib: 8, passes: 1 };
    parts = await openTestAccounts({
      passwords: createPasswords({ cost, onHash: (of) => onHash(of) }),
    });
    const { accounts } = parts;
    const bert = await makeUser(accounts, 'Bert');
    const { viewer } = await signIn(accounts, 'Bert');
    const checks = Promise.withResolvers<undefined>();
    const goesOn = Promise.withResolvers<undefined>();
    onHash = () => {
      checks.resolve(undefined);
      return goesOn.promise;
    };

    const late = begin(accounts, viewer).then(
      () => 'done',
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
    await checks.promise;
    // As another server does.
    const another = parts.restarted({ passwords: createPasswords({ cost }) });
    await another.users.setPassword(bert.id, { password: 'the horse of the owner' }, serverViewer);
    goesOn.resolve(undefined);

    expect(await late).toBe('wrong_password');
    await signIn(accounts, 'Bert', 'the horse of the owner');
  });

  test('is not outlived by an API key that was asked for before', async () => {
    const bert = await makeUser(parts.accounts, 'Bert');
    const { viewer } = await signIn(parts.accounts, 'Bert');
    await users().setPassword(bert.id, { password: 'another horse', endApiKeys: true }, asAnna);

    // The request was let in, and waited behind that write.
    const late = parts.accounts.apiKeys.create({ name: 'Script' }, viewer);

    await expect(late).rejects.toMatchObject({ code: 'sign_in_again' });
  });

  test('and is reported to listeners with open connections', async () => {
    const bert = await makeUser(parts.accounts, 'Bert');
    const { viewer } = await signIn(parts.accounts, 'Bert');
    const heard: unknown[] = [];
    parts.accounts.onRevocation((revocation) => heard.push(revocation));

    await users().update(bert.id, { role: 'guest' }, asAnna);
    await parts.accounts.sessions.remove(viewer.credentialId, viewer);
    await users().remove(bert.id, asAnna);

    expect(heard).toEqual([
      { userId: bert.id, credentialIds: [] },
      { userId: null, credentialIds: [viewer.credentialId] },
      { userId: bert.id, credentialIds: [] },
    ]);
  });
});

describe('removing a user', () => {
  test('removes all of the user’s credentials', async () => {
    const bert = await makeUser(parts.accounts, 'Bert');
    const { token, viewer } = await signIn(parts.accounts, 'Bert');
    const key = await parts.accounts.apiKeys.create({ name: 'Script' }, viewer);

    await users().remove(bert.id, asAnna);

    expect([await who(token), await who(key.token)]).toEqual([null, null]);
    for (const table of ['sessions', 'api_keys', 'passkeys']) {
      expect(await parts.database.read(table).where('user_id', bert.id)).toEqual([]);
    }
    await expect(users().remove(bert.id, asAnna)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the data of other domains about a user', () => {
  test('is created, changed and removed in the same transaction as the user', async () => {
    const told: string[] = [];
    let isRefusing = false;
    const emit = async (what: string): Promise<void> => {
      told.push(what);
      if (isRefusing) throw new Error('It cannot be.');
    };
    parts = await openTestAccounts({
      followers: [
        {
          created: (_, { name }) => emit(`+${name}`),
          updated: (_, { name }) => emit(`~${name}`),
          removed: () => emit('-'),
        },
      ],
    });
    await makeUser(parts.accounts, 'Anna', 'admin');
    const bert = await makeUser(parts.accounts, 'Bert');

    await users().update(bert.id, { name: 'Berta' }, serverViewer);
    isRefusing = true;
    await expect(makeUser(parts.accounts, 'Carl')).rejects.toThrow();
    await expect(users().update(bert.id, { name: 'Bob' }, serverViewer)).rejects.toThrow();
    await expect(users().remove(bert.id, serverViewer)).rejects.toThrow();

    expect(told).toEqual(['+Anna', '+Bert', '~Berta', '+Carl', '~Bob', '-']);
    const { users: left } = await users().list(serverViewer, {});
    expect(left.map(({ name }) => name)).toEqual(['Anna', 'Berta']);
  });

  test('can limit the number of users', async () => {
    parts = await openTestAccounts({
      assertRoom: async (_, usersNow) => {
        if (usersNow >= 1) throw new Error('Full.');
      },
    });
    await makeUser(parts.accounts, 'Anna', 'admin');

    await expect(makeUser(parts.accounts, 'Bert')).rejects.toThrow('Full.');
  });
});

test('every change of a user is in the audit log, without secrets', async () => {
  const bert = await users().create({ name: 'Bert', role: 'user', password }, asAnna);
  await users().update(bert.id, { role: 'guest' }, asAnna);
  await users().setPassword(bert.id, { password: 'another horse' }, asAnna);
  await users().remove(bert.id, asAnna);

  const { entries } = await parts.audit.list({ target: bert.id });
  expect(entries.map(({ action, actor }) => [action, actor.userId])).toEqual([
    ['user.removed', anna.id],
    ['user.password_reset', anna.id],
    ['user.updated', anna.id],
    ['user.created', anna.id],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/horse|argon2/);
});
