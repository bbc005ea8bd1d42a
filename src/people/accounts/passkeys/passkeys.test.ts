import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  password,
  signIn,
  type TestAccounts,
} from '../../../../test/support/people/accounts.ts';
import {
  makePasskey,
  type Algorithm,
  type Behaviour,
  type SoftPasskey,
} from '../../../../test/support/people/authenticator.ts';
import { serverViewer, type Viewer } from '../../viewer/index.ts';

const origin = 'http://localhost:8360';
const device = { name: null, userAgent: 'test', address: '10.0.0.1' };

let parts: TestAccounts;
let anna: Viewer;

beforeEach(async () => {
  parts = await openTestAccounts();
  await makeUser(parts.accounts, 'Anna', 'admin');
  anna = (await signIn(parts.accounts, 'Anna')).viewer;
});

const passkeys = () => parts.accounts.passkeys;

/** Creates a passkey for a user and adds it. */
async function added(
  viewer: Viewer,
  behaviour: Behaviour & { readonly algorithm?: Algorithm } = {},
): Promise<SoftPasskey> {
  const options = await passkeys().beginAdding(viewer, password);
  const made = makePasskey(options, origin, behaviour);
  await passkeys().add(viewer, { name: 'Phone', passkey: made.registration });
  return made;
}

const enter = (passkey: object) => parts.accounts.signIn.withPasskey(passkey, device);

const enterWithBoth = (passkey?: object) =>
  parts.accounts.signIn.withPassword({ name: 'Anna', password, passkey }, device);

const refused = (why: string) => ({
  code: 'passkey_refused',
  message: expect.stringContaining(why),
});

/** A user without a password, as one who accepted an invite with only a passkey. */
const withoutPassword = (viewer: Viewer) =>
  parts.database.write((trx) =>
    trx('users').where('id', viewer.userId).update('password_hash', null),
  );

describe('a passkey', () => {
  test.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'of %s signs in instead of the password',
    async (algorithm) => {
      const passkey = await added(anna, { algorithm });

      const { user, sessionToken } = await enter(passkey.sign(passkeys().beginSignIn('home')));

      expect(user.id).toBe(anna.userId);
      const caller = await parts.accounts.authenticate({ authorization: `Bearer ${sessionToken}` });
      expect(caller?.viewer).toMatchObject({ userId: anna.userId, credentialKind: 'session' });
    },
  );

  test('begins at most sixty sign-ins a minute for one household, and more for others', async () => {
    const begin = (address: string): string => {
      try {
        passkeys().beginSignIn(address);
        return 'begun';
      } catch (error) {
        return (error as { readonly code: string }).code;
      }
    };
    for (let no = 0; no < 60; no += 1) expect(begin('192.0.2.7')).toBe('begun');

    expect(begin('192.0.2.7')).toBe('too_often');
    expect(begin('192.0.2.8')).toBe('begun');
    for (let no = 0; no < 240; no += 1) begin(`192.0.2.${10 + Math.floor(no / 20)}`);
    expect(begin('192.0.2.9')).toBe('too_often');
    expect(begin('198.51.100.1')).toBe('begun');
    await parts.clock.advance(60_000);
    expect(begin('192.0.2.7')).toBe('begun');
  });

  test('is one of several, each with a name and its last use', async () => {
    const phone = await added(anna);
    await parts.clock.advance(1000);
    await added(anna);
    const [first, second] = await passkeys().list(anna);

    await passkeys().rename(second?.id ?? '', 'Key ring', anna);
    await enter(phone.sign(passkeys().beginSignIn('home')));

    expect(await passkeys().list(anna)).toEqual([
      { ...first, name: 'Phone', lastUsedAt: '2026-11-21T07:44:54.000Z' },
      { ...second, name: 'Key ring', lastUsedAt: null },
    ]);
  });

  test('is created and requested for the host name of --public-url', async () => {
    parts = await openTestAccounts({ publicUrl: () => 'https://films.example.org' });
    await makeUser(parts.accounts, 'Anna');
    anna = (await signIn(parts.accounts, 'Anna')).viewer;
    const options = await passkeys().beginAdding(anna, password);
    const made = makePasskey(options, 'https://films.example.org');
    await passkeys().add(anna, { name: 'Phone', passkey: made.registration });

    expect(options.rp.id).toBe('films.example.org');
    await expect(enter(made.sign(passkeys().beginSignIn('home')))).resolves.toBeDefined();
  });

  test.each(['http://192.168.1.4:8360', 'http://films.example.org', 'https://[2001:db8::1]'])(
    'cannot be created at %s: passkeys_unavailable',
    async (url) => {
      parts = await openTestAccounts({ publicUrl: () => url });

      expect(() => passkeys().beginSignIn('home')).toThrow(
        expect.objectContaining({ code: 'passkeys_unavailable' }),
      );
    },
  );
});

describe('signing in with a passkey alone is refused', () => {
  const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

  test.each<[string, Behaviour, string]>([
    ['for another origin', { origin: 'http://localhost:1' }, 'created for another address'],
    ['from another scheme', { origin: 'https://localhost:8360' }, 'created for another address'],
    ['for another RP id', { rpId: 'example.org' }, 'created for another server'],
    ['inside another page', { crossOrigin: true }, 'inside a frame'],
    ['with a challenge of its own', { challenge: 'A'.repeat(75) }, 'challenge was not issued'],
    ['without verifying its user', { isUserVerified: false }, 'did not verify its user'],
    [
      'without user presence',
      { isUserPresent: false, isUserVerified: false },
      'user was not present',
    ],
    ['by another key', { signer: otherKey }, 'signature is not valid'],
    ['as a registration', { type: 'webauthn.create' }, 'created for another purpose'],
    ['for another user', { userHandle: 'c29tZWJvZHk' }, 'not a passkey of that user'],
    ['for no user', { userHandle: null }, 'not a passkey of that user'],
  ])('%s', async (_, lie, why) => {
    const passkey = await added(anna);

    const attempt = enter(passkey.sign(passkeys().beginSignIn('home'), lie));

    await expect(attempt).rejects.toMatchObject(refused(why));
  });

  test('with a challenge that was used before', async () => {
    const passkey = await added(anna);
    const options = passkeys().beginSignIn('home');
    await enter(passkey.sign(options));

    await expect(enter(passkey.sign(options))).rejects.toMatchObject(refused('was used before'));
  });

  test('with a challenge that two requests use at once, except for one of them', async () => {
    const passkey = await added(anna);
    const reply = passkey.sign(passkeys().beginSignIn('home'));

    const both = await Promise.allSettled([enter(reply), enter(reply)]);

    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('with an expired challenge', async () => {
    const passkey = await added(anna);
    const options = passkeys().beginSignIn('home');

    await parts.clock.advance(5 * 60_000);

    await expect(enter(passkey.sign(options))).rejects.toMatchObject(refused('has expired'));
  });

  test('with a challenge that was issued for adding a passkey', async () => {
    const passkey = await added(anna);
    const { challenge } = await passkeys().beginAdding(anna, password);
    const options = { ...passkeys().beginSignIn('home'), challenge };

    await expect(enter(passkey.sign(options))).rejects.toMatchObject(refused('challenge'));
  });

  test('with a challenge of another process', async () => {
    const passkey = await added(anna);
    const options = parts.restarted().passkeys.beginSignIn('home');

    await expect(enter(passkey.sign(options))).rejects.toMatchObject(refused('challenge'));
  });

  test('when its counter does not grow, as that of a copy', async () => {
    const passkey = await added(anna, { counter: 7 });
    await enter(passkey.sign(passkeys().beginSignIn('home')));

    for (const counter of [8, 7, 0]) {
      const reply = passkey.sign(passkeys().beginSignIn('home'), { counter });
      await expect(enter(reply)).rejects.toMatchObject(refused('counter did not grow'));
    }
  });

  test('when no user has it, or it was removed', async () => {
    const passkey = await added(anna);
    await added(anna);
    await passkeys().remove((await passkeys().list(anna))[0]?.id ?? '', anna);

    const attempt = enter(passkey.sign(passkeys().beginSignIn('home')));

    await expect(attempt).rejects.toMatchObject(refused('not registered'));
  });

  test('while its user is disabled', async () => {
    const bert = await makeUser(parts.accounts, 'Bert');
    const passkey = await added((await signIn(parts.accounts, 'Bert')).viewer);
    await parts.accounts.users.update(bert.id, { disabled: true }, anna);

    const attempt = enter(passkey.sign(passkeys().beginSignIn('home')));

    await expect(attempt).rejects.toMatchObject({ code: 'account_disabled' });
  });

  test.each([
    [null],
    ['text'],
    [{}],
    [{ id: 'x', rawId: 'y', type: 'public-key', response: {} }],
    [{ id: 'x', rawId: 'x', type: 'password', response: { clientDataJSON: 'e30' } }],
    [{ id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'bm9uZQ' } }],
    [{ id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'W10' } }],
  ])('as %j, which no browser sends', async (reply) => {
    await expect(parts.accounts.signIn.withPasskey(reply, device)).rejects.toMatchObject(
      refused('toJSON()'),
    );
  });

  test('with a reply that has garbage in any field', async () => {
    const passkey = await added(anna);
    const parse = (reply: object): { response: Record<string, unknown> } =>
      JSON.parse(JSON.stringify(reply)) as never;

    for (const part of ['authenticatorData', 'signature']) {
      for (const garbage of [null, 7, '', 'AAAA', '!', {}, 'A'.repeat(4000)]) {
        const reply = parse(passkey.sign(passkeys().beginSignIn('home')));
        reply.response[part] = garbage;
        await expect(enter(reply)).rejects.toMatchObject({ code: 'passkey_refused' });
      }
    }
  });
});

describe('a passkey as second factor', () => {
  const choose = (requiresPasskey: boolean, given = password) =>
    parts.accounts.signIn.requirePasskey({ requiresPasskey, password: given }, anna);

  test('is needed besides the password once its user requires it', async () => {
    const passkey = await added(anna);
    await choose(true);

    await expect(enterWithBoth()).rejects.toMatchObject({ code: 'passkey_required' });
    await expect(
      enterWithBoth(passkey.sign(passkeys().beginSignIn('home'))),
    ).resolves.toMatchObject({
      user: { requiresPasskey: true },
    });
  });

  test('need not verify its user, because the password is the other factor', async () => {
    const passkey = await added(anna);
    await choose(true);
    const reply = passkey.sign(passkeys().beginSignIn('home'), { isUserVerified: false });

    await expect(enterWithBoth(reply)).resolves.toBeDefined();
  });

  test('must belong to the same user', async () => {
    await added(anna);
    await choose(true);
    await makeUser(parts.accounts, 'Bert');
    const ofBert = await added((await signIn(parts.accounts, 'Bert')).viewer);
    const { sign } = ofBert;
    const annasHandle = Buffer.from(anna.userId).toString('base64url');

    for (const lie of [{}, { userHandle: null }, { userHandle: annasHandle }]) {
      const attempt = enterWithBoth(sign(passkeys().beginSignIn('home'), lie));
      await expect(attempt).rejects.toMatchObject(refused('not a passkey of that user'));
    }
  });

  test('reveals nothing to a caller without the right password', async () => {
    const passkey = await added(anna);
    await choose(true);
    const attempt = parts.accounts.signIn.withPassword(
      {
        name: 'Anna',
        password: 'a wrong guess',
        passkey: passkey.sign(passkeys().beginSignIn('home')),
      },
      device,
    );

    await expect(attempt).rejects.toMatchObject({ code: 'sign_in_failed' });
  });

  test('is required or not required with the password, and only with a passkey', async () => {
    await expect(choose(true)).rejects.toMatchObject({ code: 'conflict' });
    await added(anna);
    await expect(choose(true, 'a wrong guess')).rejects.toMatchObject({ code: 'wrong_password' });
    await choose(true);
    await expect(choose(false, 'a wrong guess')).rejects.toMatchObject({ code: 'wrong_password' });
    expect((await choose(false)).requiresPasskey).toBe(false);
    await expect(enterWithBoth()).resolves.toBeDefined();
  });
});

describe('adding a passkey', () => {
  test('needs the password, and a session', async () => {
    const { token } = await parts.accounts.apiKeys.create({ name: 'Script' }, anna);
    const byKey = await parts.accounts.authenticate({ authorization: `Bearer ${token}` });

    await expect(passkeys().beginAdding(anna, 'a wrong guess')).rejects.toMatchObject({
      code: 'wrong_password',
    });
    await expect(passkeys().beginAdding(anna, null)).rejects.toMatchObject({
      code: 'wrong_password',
    });
    await expect(
      passkeys().beginAdding(byKey?.viewer ?? serverViewer, password),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('needs a recent sign-in of a user without a password', async () => {
    await added(anna);
    await withoutPassword(anna);
    await expect(passkeys().beginAdding(anna, null)).resolves.toBeDefined();

    await parts.clock.advance(15 * 60_000 + 1);

    await expect(passkeys().beginAdding(anna, null)).rejects.toMatchObject({
      code: 'sign_in_again',
    });
  });

  test.each<[string, Behaviour, string]>([
    ['another origin', { origin: 'http://localhost:1' }, 'created for another address'],
    ['another RP id', { rpId: 'example.org' }, 'created for another server'],
    ['no user verification', { isUserVerified: false }, 'did not verify its user'],
    ['a challenge of its own', { challenge: 'A'.repeat(75) }, 'challenge was not issued'],
    ['an assertion in its place', { type: 'webauthn.get' }, 'created for another purpose'],
  ])('is refused with %s', async (_, lie, why) => {
    await expect(added(anna, lie)).rejects.toMatchObject(refused(why));
    expect(await passkeys().list(anna)).toEqual([]);
  });

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('attestation')],
    ['an empty map', Buffer.from([0xa0])],
    ['nested arrays', Buffer.alloc(12_000, 0x81)],
    ['a map of 2^32 entries', Buffer.from('baffffffff6161', 'hex')],
    ['an array of 2^64 entries', Buffer.from('9bffffffffffffffff', 'hex')],
    ['unterminated bytes', Buffer.from('a168617574684461746159ffff00', 'hex')],
    [
      'data that is too short',
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746141ff', 'hex'),
    ],
  ])('is refused immediately with an attestation of %s', async (_, attestation) => {
    const made = makePasskey(await passkeys().beginAdding(anna, password), origin);
    const { response, ...rest } = made.registration as { readonly response: object };
    const attestationObject = attestation.toString('base64url');
    const passkey = { ...rest, response: { ...response, attestationObject } };
    const start = process.cpuUsage();

    await expect(passkeys().add(anna, { name: 'Phone', passkey })).rejects.toMatchObject({
      code: 'passkey_refused',
    });

    expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
    expect(await passkeys().list(anna)).toEqual([]);
  });

  test.each(['packed', 'fido-u2f', 'tpm', 'apple', 'android-key', 'android-safetynet', 'x'])(
    'is refused with certificates of the format %s, which are not parsed',
    async (attestation) => {
      await expect(added(anna, { attestation })).rejects.toMatchObject(
        refused('attestation certificates'),
      );
    },
  );

  test('is refused with the challenge of another session, and a second time', async () => {
    const other = (await signIn(parts.accounts, 'Anna')).viewer;
    const made = makePasskey(await passkeys().beginAdding(anna, password), origin);
    const add = (viewer: Viewer) =>
      passkeys().add(viewer, { name: 'Phone', passkey: made.registration });

    await expect(add(other)).rejects.toMatchObject(refused('challenge'));
    await add(anna);
    await expect(add(anna)).rejects.toMatchObject(refused('used before'));
  });

  test('excludes the passkeys that the user has', async () => {
    const { id } = await added(anna);

    const { excludeCredentials, user } = await passkeys().beginAdding(anna, password);

    expect(excludeCredentials.map((one) => one.id)).toEqual([id]);
    expect(Buffer.from(user.id, 'base64url').toString()).toBe(anna.userId);
  });

  test('is limited to 20, also of those that are added at once', async () => {
    for (let no = 0; no < 17; no += 1) await added(anna);
    const made: SoftPasskey[] = [];
    for (let no = 0; no < 20; no += 1)
      made.push(makePasskey(await passkeys().beginAdding(anna, password), origin));

    const adding = made.map(({ registration }) =>
      passkeys().add(anna, { name: 'Phone', passkey: registration }),
    );

    const ends = await Promise.allSettled(adding);
    const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    expect(refusals).toHaveLength(17);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'conflict' });
    expect(await passkeys().list(anna)).toHaveLength(20);
  });
});

describe('removing a passkey', () => {
  const removeFirst = async () =>
    passkeys().remove((await passkeys().list(anna))[0]?.id ?? '', anna);

  test('is refused when it is the only way to sign in: last_way_in', async () => {
    await added(anna);
    await withoutPassword(anna);

    await expect(removeFirst()).rejects.toMatchObject({ code: 'last_way_in' });
    await added(anna);
    await removeFirst();
    expect(await passkeys().list(anna)).toHaveLength(1);
  });

  test('is refused for the last one while the password alone is not enough', async () => {
    await added(anna);
    await parts.accounts.signIn.requirePasskey({ requiresPasskey: true, password }, anna);

    await expect(removeFirst()).rejects.toMatchObject({ code: 'last_way_in' });
  });

  test('is limited to one’s own', async () => {
    await added(anna);
    await makeUser(parts.accounts, 'Bert', 'admin');
    const { viewer } = await signIn(parts.accounts, 'Bert');
    const id = (await passkeys().list(anna))[0]?.id ?? '';

    await expect(passkeys().remove(id, viewer)).rejects.toMatchObject({ code: 'not_found' });
    await expect(passkeys().rename(id, 'Mine', viewer)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('is in the audit log, like adding', async () => {
    await added(anna);
    await removeFirst();

    const { entries } = await parts.audit.list({ action: ['passkey.*'] });
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['passkey.removed', { name: 'Phone' }],
      ['passkey.added', { name: 'Phone' }],
    ]);
  });
});
