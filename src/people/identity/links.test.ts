/** Links between users and identities: section 3.3 of the protocol, and threat 21 of section 6. */
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
  type Told,
} from '../../../test/support/identity/identity-half.ts';
import { fingerprintOf } from './index.ts';
import {
  isSignedObjectBy,
  openRecord,
  type SignedRecord,
} from '../../../packages/lib/identity-protocol/index.ts';

let broker: FakeBroker;
let half: TestIdentity;
let token: string;
let annasKey: KeyOwner;

beforeEach(async () => {
  broker = await openFakeBroker();
  half = await openTestIdentity({ identityUrl: broker.url });
  await makeUser(half.accounts, 'Anna');
  token = (await signIn(half.accounts, 'Anna')).token;
  annasKey = await keyOwner();
});

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly fingerprint: string | null;
  readonly linkUrl: string | null;
  readonly failure: string | null;
}
const linkIn = ({ body }: Told): Shown => body['link'] as Shown;
const post = (route: string, body: unknown, as = token): Promise<Told> =>
  half.ask(`POST ${route}`, body, { token: as });
const beginLink = (as = token): Promise<Told> => post('/api/identity/links', { password }, as);
const look = async (id: string, as = token): Promise<Told> => {
  await half.clock.advance(2000);
  return half.ask(`GET /api/identity/links/${id}`, undefined, { token: as });
};
const confirm = (id: string, fingerprint: string, as = token): Promise<Told> =>
  post(`/api/identity/links/${id}/confirm`, { fingerprint }, as);

/** The latest request of the server to the broker. */
function asked(): SignedRecord<'server-link-request'> {
  const read = openRecord('server-link-request', broker.asked.at(-1));
  if (read) return read.record;
  throw new Error('The server asked with something else.');
}

/** The user approves on the broker; `changes` alter the signed grant. */
async function approve(changes: object = {}, signer = annasKey): Promise<void> {
  const { baseUrl, name, nonce, serverId } = asked();
  const grant = await signer.seal({
    ...{ baseUrl, name, nonce, serverId, kind: 'server-link', v: 1, iat: half.seconds() },
    ...{ userId: 'u_anna', userPubKey: annasKey.publicKey, ...changes },
  });
  broker.answer = { status: 'completed', grant };
}

/** Makes a link from start to confirmation. */
async function link(as = token): Promise<string> {
  const { id } = linkIn(await beginLink(as));
  await approve();
  await look(id, as);
  const told = await confirm(id, fingerprintOf(annasKey.publicKey), as);
  if (told.status !== 200) throw new Error(`It was not linked: ${told.verdict}.`);
  return id;
}

describe('a link', () => {
  test('is requested with a signature of this server, approved, and confirmed', async () => {
    const begun = await beginLink();
    expect(begun.status).toBe(201);
    const { id } = linkIn(begun);
    expect(linkIn(begun)).toMatchObject({
      state: 'pending',
      linkUrl: `${broker.url}/link/request_1`,
    });
    const read = openRecord('server-link-request', broker.asked[0]);
    expect(read && (await isSignedObjectBy(half.serverId, read.opened))).toBe(true);
    expect(read?.record).toMatchObject({
      serverId: half.serverId,
      baseUrl: 'http://192.168.1.10:8360',
      name: 'The attic',
      iat: half.seconds(),
    });
    expect(linkIn(await look(id)).state).toBe('pending');
    await approve();
    const fingerprint = fingerprintOf(annasKey.publicKey);
    expect(fingerprint).toMatch(/^([0-9a-f]{4} ){3}[0-9a-f]{4}$/);
    expect(linkIn(await look(id))).toMatchObject({ state: 'approved', fingerprint });

    const told = await confirm(id, fingerprint);

    expect(told.status).toBe(200);
    expect(linkIn(told)).toMatchObject({
      state: 'active',
      identityUrl: broker.url,
      userPubKey: annasKey.publicKey,
      followRotation: true,
      linkUrl: null,
    });
    const list = await half.ask('GET /api/identity/links', undefined, { token });
    expect(list.body).toEqual({
      links: [linkIn(told)],
      identityUrl: broker.url,
      serverFingerprint: fingerprintOf(half.serverId),
      nextCursor: null,
    });
    expect(await half.audited()).toEqual(
      expect.arrayContaining(['identity.link_begun', 'identity.linked']),
    );
  });

  test('needs the password again, and a session of this server', async () => {
    expect((await post('/api/identity/links', { password: 'wrong password' })).verdict).toBe(
      '403 wrong_password',
    );
    const key = await post('/api/api-keys', { name: 'Key' });
    const told = await beginLink(String(key.body['token']));
    expect(told.status).toBe(403);
    expect(broker.asked).toEqual([]);
  });

  test('is polled once in two seconds, however often a client asks', async () => {
    const { id } = linkIn(await beginLink());
    const polls = () => broker.requests.filter((one) => one.startsWith('GET')).length;
    await Promise.all(
      Array.from({ length: 5 }, () =>
        half.ask(`GET /api/identity/links/${id}`, undefined, { token }),
      ),
    );
    expect(polls()).toBe(1);
    await look(id);
    expect(polls()).toBe(2);
  });

  test('expires after ten minutes', async () => {
    const { id } = linkIn(await beginLink());
    await half.clock.advance(600_000);

    expect((await look(id)).status).toBe(404);
  });

  test('that the user denies on the broker says so, and cannot be confirmed', async () => {
    const { id } = linkIn(await beginLink());
    broker.answer = { status: 'error', error: { code: 'denied' } };

    expect(linkIn(await look(id))).toMatchObject({ state: 'failed', failure: 'denied' });
    expect((await confirm(id, '')).verdict).toBe('409 link_not_ready');
  });

  test('that is not approved yet cannot be confirmed', async () => {
    const { id } = linkIn(await beginLink());

    expect((await confirm(id, fingerprintOf(annasKey.publicKey))).verdict).toBe(
      '409 link_not_ready',
    );
  });

  test.each([
    ['another server', () => ({ serverId: annasKey.publicKey })],
    ['another number', () => ({ nonce: 'ab'.repeat(32) })],
    ['another address', () => ({ baseUrl: 'https://evil.example.org' })],
    ['a time of eleven minutes ago', () => ({ iat: half.seconds() - 660 })],
    ['an invalid key', () => ({ userPubKey: '00'.repeat(32) })],
    ['an extra field', () => ({ more: 1 })],
  ])('whose grant has %s is refused', async (_, changes) => {
    const { id } = linkIn(await beginLink());
    await approve(changes());

    expect(linkIn(await look(id))).toMatchObject({ state: 'failed', failure: 'refused' });
  });

  test('whose grant another key signed is refused', async () => {
    const { id } = linkIn(await beginLink());
    await approve({}, await keyOwner());

    expect(linkIn(await look(id))).toMatchObject({ state: 'failed', failure: 'refused' });
  });

  test('is confirmed once, of two concurrent confirmations', async () => {
    const { id } = linkIn(await beginLink());
    await approve();
    await look(id);
    const fingerprint = fingerprintOf(annasKey.publicKey);

    const told = await Promise.all([confirm(id, fingerprint), confirm(id, fingerprint)]);

    expect(told.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test('of an identity that another user has linked is refused, until that user unlinks it', async () => {
    const annas = await link();
    await makeUser(half.accounts, 'Bert');
    const bert = (await signIn(half.accounts, 'Bert')).token;
    const { id } = linkIn(await beginLink(bert));
    await approve();
    await look(id, bert);

    expect((await confirm(id, fingerprintOf(annasKey.publicKey), bert)).verdict).toBe(
      '409 identity_taken',
    );
    await half.ask(`DELETE /api/identity/links/${annas}`, undefined, { token });
    await link(bert);
  });

  test('of an admin does not pin a new key automatically', async () => {
    await makeUser(half.accounts, 'Root', 'admin');
    const root = (await signIn(half.accounts, 'Root')).token;
    const id = await link(root);

    expect(linkIn(await look(id, root))).toMatchObject({ followRotation: false });
  });

  test('cannot be started while the broker is down, and says why', async () => {
    broker.failure = 500;

    const told = await beginLink();

    expect(told.verdict).toBe('502 broker_unreachable');
    expect(told.body['error']).toBe(
      'The identity broker could not be reached: it answered 500 internal.',
    );
  });

  test('needs a broker, and an address that apps can reach', async () => {
    const without = await openTestIdentity({ identityUrl: null });
    await makeUser(without.accounts, 'Anna');
    const inPlain = await openTestIdentity({
      identityUrl: broker.url,
      serverUrl: () => 'http://media.example.org',
    });
    await makeUser(inPlain.accounts, 'Anna');

    for (const one of [without, inPlain]) {
      const { token: own } = await signIn(one.accounts, 'Anna');
      const told = await one.ask('POST /api/identity/links', { password }, { token: own });
      expect(told.verdict).toBe('409 identity_unavailable');
    }
  });

  test('is refused with a broker in plain http outside the own network', async () => {
    await expect(openTestIdentity({ identityUrl: 'http://broker.example.org' })).rejects.toThrow(
      /--identity-url http:\/\/broker\.example\.org: it must be https/,
    );
  });
});

describe('threat 21: an attacker who has the link’s address', () => {
  test('approves it with his own identity, and the fingerprint reveals it', async () => {
    const { id } = linkIn(await beginLink());
    const attacker = await keyOwner();
    await approve({ userPubKey: attacker.publicKey, userId: 'u_attacker' }, attacker);
    await look(id);

    const told = await confirm(id, fingerprintOf(annasKey.publicKey));

    expect(told.verdict).toBe('409 fingerprint_mismatch');
    expect(await half.database.read('identity_links')).toEqual([]);
  });

  test('cannot confirm from another session, even one of the same user', async () => {
    const { id } = linkIn(await beginLink());
    await approve();
    await look(id);
    const other = (await signIn(half.accounts, 'Anna')).token;
    await makeUser(half.accounts, 'Root', 'admin');
    const root = (await signIn(half.accounts, 'Root')).token;

    for (const as of [other, root]) {
      expect((await look(id, as)).status).toBe(404);
      expect((await confirm(id, fingerprintOf(annasKey.publicKey), as)).status).toBe(404);
      const { status } = await half.ask(`DELETE /api/identity/links/${id}`, undefined, {
        token: as,
      });
      expect(status).toBe(404);
    }
    expect((await confirm(id, fingerprintOf(annasKey.publicKey))).status).toBe(200);
  });
});

describe('unlinking', () => {
  let person: LinkedPerson;
  beforeEach(async () => {
    person = await half.linked('Clara');
  });
  const unlink = (as: string) =>
    half.ask(`DELETE /api/identity/links/${person.linkId}`, undefined, { token: as });

  test('ends the sessions and their streams, and makes all passes invalid', async () => {
    const app = await signInWith(half, person);
    const ended: string[] = [];
    half.identity.sessions.onEnd((ids) => ended.push(...ids));
    const clara = (await signIn(half.accounts, 'Clara')).token;

    expect((await unlink(clara)).status).toBe(204);

    const me = await half.ask('GET /api/auth/identity/me', undefined, { token: app });
    expect(me.verdict).toBe('401 token_invalid');
    expect((await begin(half, await person.pass())).verdict).toBe('401 identity_unknown');
    expect(ended).toHaveLength(1);
    expect(await half.audited()).toContain('identity.unlinked');
    expect(
      (await half.ask('GET /api/identity/links', undefined, { token: clara })).body,
    ).toMatchObject({ links: [] });
  });

  test('is allowed to its user and to admins', async () => {
    expect((await unlink(token)).status).toBe(404);
    await makeUser(half.accounts, 'Root', 'admin');
    const root = (await signIn(half.accounts, 'Root')).token;

    expect((await unlink(root)).status).toBe(204);
  });

  async function linkAgain(): Promise<void> {
    annasKey = person.identity;
    const clara = (await signIn(half.accounts, 'Clara')).token;
    await unlink(clara);
    const { id } = linkIn(await beginLink(clara));
    await approve({ userId: person.userId });
    await look(id, clara);
    expect((await confirm(id, fingerprintOf(annasKey.publicKey), clara)).status).toBe(200);
  }

  test('and linking again restores the access of the app', async () => {
    half.identity.start();

    await linkAgain();

    expect((await complete(half, person)).status).toBe(200);
  });

  test('a new link allows no sign-in before a later read of the whole feed', async () => {
    const stranger = await half.linked('Dora');
    const revocation = (of: LinkedPerson) =>
      of.identity.seal({
        ...{ kind: 'revocation', v: 1, iat: half.seconds(), clientId: of.clientId },
        ...{ userId: of.userId, userPubKey: of.identity.publicKey },
      });
    broker.publish(await revocation(stranger), await revocation(person));
    broker.pageSize = 1;

    await linkAgain();

    const pending = await begin(half, await person.pass());
    expect(pending.verdict).toBe('503 identity_feed_pending');
    expect(pending.headers['retry-after']).toBe('5');
    half.identity.start();
    await half.identity.feed.wake();
    expect((await begin(half, await person.pass())).verdict).toBe('401 identity_revoked');
  });

  test('a new link waits while its broker does not answer, and is active afterwards', async () => {
    half.identity.start();
    await half.identity.feed.wake();
    const clara = (await signIn(half.accounts, 'Clara')).token;
    annasKey = person.identity;
    await unlink(clara);
    const { id } = linkIn(await beginLink(clara));
    await approve({ userId: person.userId });
    await look(id, clara);
    broker.failure = 503;
    await confirm(id, fingerprintOf(annasKey.publicKey), clara);

    expect((await begin(half, await person.pass())).verdict).toBe('503 identity_feed_pending');
    broker.failure = null;
    await half.identity.feed.wake();
    expect((await complete(half, person)).status).toBe(200);
  });
});
