/** Revocations in the feed: sections 3.6 and 3.7 of the protocol. */
import { beforeEach, describe, expect, test } from 'vitest';
import { makeUser, password, signIn } from '../../../test/support/people/accounts.ts';
import { openFakeBroker, type FakeBroker } from '../../../test/support/identity/fake-broker.ts';
import {
  begin,
  complete,
  keyOwner,
  openTestIdentity,
  signInWith,
  type KeyOwner,
  type LinkedPerson,
  type TestIdentity,
} from '../../../test/support/identity/identity-half.ts';
import { serverViewer } from '../viewer/index.ts';
import { fingerprintOf } from './index.ts';
import {
  openRecord,
  toBase64url,
  bytesToSign,
  type SignedObject,
} from '../../../packages/lib/identity-protocol/index.ts';

let broker: FakeBroker;
let half: TestIdentity;
let anna: LinkedPerson;

beforeEach(async () => {
  broker = await openFakeBroker();
  half = await openTestIdentity({ identityUrl: broker.url });
  anna = await half.linked('Anna');
  half.identity.start();
  await read();
});

const read = (): Promise<void> => half.identity.feed.wake();
const day = 86_400;

/** A record of a person, signed with their key unless another is given. */
const record = (
  kind: string,
  fields: object = {},
  { of = anna, signer = of.identity }: { of?: LinkedPerson; signer?: KeyOwner } = {},
): Promise<SignedObject> =>
  signer.seal({
    ...{ kind, v: 1, iat: half.seconds(), userId: of.userId, userPubKey: of.identity.publicKey },
    ...fields,
  });

const revocation = (fields: object = {}, signer?: KeyOwner): Promise<SignedObject> =>
  record('revocation', { clientId: anna.clientId, ...fields }, signer && { signer });

async function rotation(to: KeyOwner, forged?: KeyOwner) {
  const signed = await record('key-rotation', { newPubKey: to.publicKey });
  const bytes = Buffer.from(signed.payload, 'base64url');
  return { ...signed, newSig: toBase64url(await (forged ?? to).sign(bytes)) };
}

const me = async (token: string): Promise<string> =>
  (await half.ask('GET /api/auth/identity/me', undefined, { token })).verdict;
const stored = async () => half.database.read('identity_revocations');
const linkRow = () =>
  half.database.read('identity_links').where('id', anna.linkId).first<Record<string, unknown>>();
const feedRow = () => half.database.read('identity_feed').first<Record<string, unknown>>();

describe('a revocation', () => {
  test('ends the device: its session, its streams and its pass, with identity_revoked', async () => {
    const token = await signInWith(half, anna);
    const ended: string[] = [];
    half.identity.sessions.onEnd((ids) => ended.push(...ids));
    broker.publish(await revocation());

    await read();

    const told = await half.ask('GET /api/auth/me', undefined, { token });
    expect(told.body).toEqual({
      error: 'unauthorized',
      code: 'identity_revoked',
      message: expect.any(String),
    });
    expect(told.headers['www-authenticate']).toBe('Bearer');
    expect((await begin(half, await anna.pass())).verdict).toBe('401 identity_revoked');
    expect(ended).toHaveLength(1);
    expect(await half.audited()).toContain('identity.revoked');
  });

  test('is reported as such even when the session would have expired', async () => {
    const token = await signInWith(half, anna);
    broker.publish(await revocation());
    await read();
    await half.clock.advance(2 * day * 1000);

    expect(await me(token)).toBe('401 identity_revoked');
  });

  test('leaves the other devices of the user alone', async () => {
    broker.publish(await revocation({ clientId: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee' }));
    await read();

    expect((await complete(half, anna)).status).toBe(200);
  });

  test('for other servers does not affect this one', async () => {
    broker.publish(await revocation({ serverIds: ['ab'.repeat(32)] }));
    await read();
    expect((await begin(half, await anna.pass())).status).toBe(200);

    broker.publish(await revocation({ serverIds: [half.serverId, 'ab'.repeat(32)] }));
    await read();
    expect((await begin(half, await anna.pass())).verdict).toBe('401 identity_revoked');
  });

  test.each([
    ['that another key signed', () => keyOwner().then((other) => revocation({}, other))],
    ['of another user id', () => revocation({ userId: 'u_other' })],
    ['with an additional field', () => revocation({ more: 1 })],
    ['with another form', async () => ({ payload: 'AA', sig: 'AA' })],
  ])('%s is discarded, and the records after it apply', async (_, forge) => {
    const token = await signInWith(half, anna);
    broker.publish(await forge());
    await read();
    expect(await me(token)).toBe('200');

    broker.publish(await revocation({ iat: half.seconds() - 1 }));
    await read();
    expect(await me(token)).toBe('401 identity_revoked');
  });

  test('applies once, when it is read several times', async () => {
    broker.publish(await revocation());
    await read();
    const [audited, feed] = [await half.audited(), broker.feed()];
    broker.restore(feed.map((one) => ({ ...one, publishedAt: one.publishedAt + 500 })));
    await read();

    expect(await stored()).toHaveLength(1);
    expect(await half.audited()).toEqual(audited);
  });

  test('from before the link applies as well: the feed is read from its start', async () => {
    const bert = await keyOwner();
    const ofBert = { userId: 'u_bert', userPubKey: bert.publicKey };
    broker.publish(await revocation(ofBert, bert));
    await read();
    expect(await stored()).toEqual([]);
    await makeUser(half.accounts, 'Bert');
    const { token } = await signIn(half.accounts, 'Bert');
    const begun = await half.ask('POST /api/identity/links', { password }, { token });
    const { id } = begun.body['link'] as { readonly id: string };
    const asked = openRecord('server-link-request', broker.asked.at(-1));
    const { baseUrl, name, nonce, serverId } = asked?.record ?? {};
    const grant = { kind: 'server-link', v: 1, iat: half.seconds(), ...ofBert };
    broker.answer = {
      status: 'completed',
      grant: await bert.seal({ ...grant, baseUrl, name, nonce, serverId }),
    };
    const fingerprint = fingerprintOf(bert.publicKey);
    await half.ask(`POST /api/identity/links/${id}/confirm`, { fingerprint }, { token });
    await read();

    const claims = { ...anna.claims, ...ofBert };
    expect((await begin(half, await bert.seal(claims))).verdict).toBe('401 identity_revoked');
  });
});

describe('a server that the user unlinks on the broker', () => {
  test('loses the link and its sessions, and other servers keep theirs', async () => {
    const token = await signInWith(half, anna);
    broker.publish(await record('server-unlink', { serverId: 'ab'.repeat(32) }));
    await read();
    expect(await me(token)).toBe('200');

    broker.publish(await record('server-unlink', { serverId: half.serverId }));
    await read();

    expect(await me(token)).toBe('401 token_invalid');
    expect((await begin(half, await anna.pass())).verdict).toBe('401 identity_unknown');
    expect(await half.audited()).toContain('identity.unlinked');
  });

  test('stays linked when the record is older than a new link', async () => {
    broker.publish(
      await record('server-unlink', { serverId: half.serverId, iat: half.seconds() - 2 * day }),
    );
    await read();

    expect((await begin(half, await anna.pass())).status).toBe(200);
  });
});

describe('a new key', () => {
  test('is pinned, and the old one stays valid for seven days', async () => {
    const token = await signInWith(half, anna);
    const next = await keyOwner();
    broker.publish(await rotation(next));
    await read();

    expect(await linkRow()).toMatchObject({ user_pub_key: next.publicKey, state: 'active' });
    const renewed = await anna.pass({ userPubKey: next.publicKey }, next);
    expect((await complete(half, anna, { cert: renewed })).status).toBe(200);
    expect((await complete(half, anna)).status).toBe(200);
    expect(await me(token)).toBe('200');
    await half.clock.advance(7 * day * 1000);
    expect((await begin(half, await anna.pass())).verdict).toBe('401 identity_rotated');
    expect((await begin(half, renewed)).status).toBe(200);
  });

  test('inherits the revocations of the old one', async () => {
    const next = await keyOwner();
    broker.publish(await revocation(), await rotation(next));
    await read();

    for (const signer of [anna.identity, next]) {
      const pass = await anna.pass({ userPubKey: signer.publicKey }, signer);
      expect((await begin(half, pass)).verdict).toBe('401 identity_revoked');
    }
  });

  test('signs the records after it, on the same page of the feed', async () => {
    const next = await keyOwner();
    broker.publish(await rotation(next), await revocation({ userPubKey: next.publicKey }, next));
    await read();

    expect((await begin(half, await anna.pass())).verdict).toBe('401 identity_revoked');
  });

  test('without its own signature, or that of the old key, is discarded', async () => {
    const [next, other] = [await keyOwner(), await keyOwner()];
    const { payload, sig } = await rotation(next);
    const { payload: forged } = await other.seal({
      ...{ kind: 'key-rotation', v: 1, iat: half.seconds(), userId: anna.userId },
      ...{ userPubKey: anna.identity.publicKey, newPubKey: other.publicKey },
    });
    const newSig = toBase64url(await other.sign(Buffer.from(forged, 'base64url')));
    broker.publish(await rotation(next, other), { payload, sig }, { payload: forged, sig, newSig });
    await read();

    expect(await linkRow()).toMatchObject({ user_pub_key: anna.identity.publicKey });
  });

  test('of an admin is not pinned: the link must be made again', async () => {
    anna = await half.linked('Root', 'admin');
    const token = await signInWith(half, anna);
    const next = await keyOwner();
    broker.publish(await rotation(next));
    await read();

    expect(await me(token)).toBe('401 token_invalid');
    for (const signer of [anna.identity, next]) {
      const pass = await anna.pass({ userPubKey: signer.publicKey }, signer);
      const verdict = signer === next ? '401 identity_unknown' : '401 identity_relink_required';
      expect((await begin(half, pass)).verdict).toBe(verdict);
    }
  });

  test('that belongs to the link of another user is not pinned', async () => {
    const bert = await half.linked('Bert');
    broker.publish(await rotation(bert.identity));
    await read();

    expect(await linkRow()).toMatchObject({ state: 'relink_required' });
    expect((await complete(half, bert)).status).toBe(200);
  });
});

describe('a key that revokes itself', () => {
  test('ends all its sessions, and requires a new link', async () => {
    const token = await signInWith(half, anna);
    broker.publish(await record('key-revoked'));
    await read();

    expect(await me(token)).toBe('401 identity_revoked');
    expect((await begin(half, await anna.pass())).verdict).toBe('401 identity_relink_required');
  });

  test('also revokes the key that replaced it, which a thief may have chosen', async () => {
    const next = await keyOwner();
    broker.publish(await rotation(next), await record('key-revoked'));
    await read();

    const pass = await anna.pass({ userPubKey: next.publicKey }, next);
    expect((await begin(half, pass)).verdict).toBe('401 identity_relink_required');
  });
});

describe('the reader', () => {
  test('continues at its position, page by page', async () => {
    broker.pageSize = 2;
    const clients = Array.from(
      { length: 5 },
      (_, at) => `aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeee${at}`,
    );
    broker.publish(...(await Promise.all(clients.map((clientId) => revocation({ clientId })))));
    await read();

    expect(await stored()).toHaveLength(5);
    expect(await feedRow()).toMatchObject({ epoch: 'first', next: 1005 });
  });

  test('starts again in a new epoch of the feed', async () => {
    broker.publish(await revocation({ clientId: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee' }));
    await read();
    broker.epoch = 'second';
    broker.restore([{ ...(await revocation()), publishedAt: 7 }]);
    await read();

    expect((await begin(half, await anna.pass())).verdict).toBe('401 identity_revoked');
    expect(await feedRow()).toMatchObject({ epoch: 'second', next: 7 });
  });

  test('polls every five minutes, a fifth more or less, and less often while the broker does not answer', async () => {
    const asked = () => broker.requests.length;
    const dueIn = () => ((half.clock.nextAt() ?? 0) - half.clock.now()) / 60_000;
    expect(asked()).toBe(1);
    expect(dueIn()).toBeGreaterThanOrEqual(4);
    expect(dueIn()).toBeLessThanOrEqual(6);
    broker.failure = 503;
    const waits: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      await read();
      waits.push(dueIn());
    }
    const usual = [10, 20, 40, 60, 60, 60];
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual((usual[at] ?? 0) * 0.8);
      expect(wait).toBeLessThanOrEqual((usual[at] ?? 0) * 1.2);
    }
    broker.failure = null;
    broker.publish(await revocation());
    await half.clock.advance(72 * 60_000);
    await read();
    expect(await stored()).toHaveLength(1);
    expect(dueIn()).toBeLessThanOrEqual(6);
  });

  test('keeps working when the broker is down: linked users sign in, and the age is visible', async () => {
    broker.failure = 500;
    await half.clock.advance(3 * day * 1000);
    await read();

    expect((await complete(half, anna)).status).toBe(200);
    expect(half.identity.feed.ageSeconds()).toBe(3 * day);
    broker.failure = null;
    await read();
    expect(half.identity.feed.ageSeconds()).toBe(0);
  });

  test('refuses beyond the maximum age of the operator', async () => {
    const strict = await openTestIdentity({
      identityUrl: broker.url,
      feedSettings: { minutes: 5, maxAgeHours: 24 },
    });
    const bert = await strict.linked('Bert');
    strict.identity.start();
    await strict.identity.feed.wake();
    const token = await signInWith(strict, bert);
    broker.failure = 500;
    await strict.clock.advance(23 * 3_600_000);
    expect((await complete(strict, bert)).status).toBe(200);
    await strict.clock.advance(1_800_000 + 1);
    const younger = await signInWith(strict, bert);
    await strict.clock.advance(1_800_000);

    const told = await begin(strict, await bert.pass());
    expect(told.verdict).toBe('503 identity_feed_stale');
    expect(told.headers['retry-after']).toBe('300');
    const ask = (as: string) => strict.ask('GET /api/auth/me', undefined, { token: as });
    expect((await ask(younger)).verdict).toBe('503 identity_feed_stale');
    expect((await ask(token)).verdict).toBe('401 token_expired');
    broker.failure = null;
    await strict.identity.feed.wake();
    expect((await ask(younger)).status).toBe(200);
  });

  test('refuses a page that is too large or malformed, and applies nothing of it', async () => {
    const revoked = await revocation();
    broker.publish(
      ...Array.from({ length: 400 }, () => ({ ...revoked, newSig: 'A'.repeat(3000) })),
    );
    await read();

    expect(await stored()).toEqual([]);
    expect((await complete(half, anna)).status).toBe(200);
  });

  test('does not verify records of unknown keys', async () => {
    const stranger = await keyOwner();
    const of = { ...anna, identity: stranger, userId: 'u_stranger' };
    const foreign = await record('revocation', { clientId: anna.clientId }, { of });
    broker.publish(...Array.from({ length: 500 }, () => foreign));
    const before = process.cpuUsage();
    await read();
    const { user, system } = process.cpuUsage(before);

    expect(await feedRow()).toMatchObject({ next: 1500 });
    // Five hundred signatures that are not verified: to verify them takes a second or more.
    expect((user + system) / 1000).toBeLessThan(500);
  });

  test('sends the broker a new address or name, once', async () => {
    const moved = await openTestIdentity({
      identityUrl: broker.url,
      database: half.database,
      accounts: half.accounts,
      serverUrl: () => 'https://media.example.org',
      clock: half.clock,
    });
    moved.identity.start();
    await moved.identity.feed.wake();
    await moved.identity.feed.wake();

    const told = broker.asked.map((one) => openRecord('server-link-request', one)?.record);
    expect(told).toEqual([
      expect.objectContaining({ update: true, baseUrl: 'https://media.example.org' }),
    ]);
  });

  test('reads nothing while no user is linked', async () => {
    const alone = await openTestIdentity({ identityUrl: broker.url });
    const asked = broker.requests.length;
    alone.identity.start();
    await alone.identity.feed.wake();

    expect(broker.requests).toHaveLength(asked);
    expect(alone.identity.feed.ageSeconds()).toBeNull();
  });
});

test('a user who was disabled and enabled again still has the link', async () => {
  await half.accounts.users.update(anna.user.id, { disabled: true }, serverViewer);
  expect((await begin(half, await anna.pass())).verdict).toBe('403 account_disabled');
  await half.accounts.users.update(anna.user.id, { disabled: false }, serverViewer);

  expect((await complete(half, anna)).status).toBe(200);
});

test('the signed text of a completion contains exactly its fields', () => {
  const body = { cert: {}, challenge: 'x', serverId: 'x', ts: 1 };
  expect(new TextDecoder().decode(bytesToSign(body))).toBe(
    '{"cert":{},"challenge":"x","serverId":"x","ts":1}',
  );
});
