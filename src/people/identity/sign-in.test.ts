/**
 * Begin, complete and me: the ordered checks of section 3.4 of the identity protocol, and the
 * threats of section 6.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  begin,
  complete,
  keyOwner,
  openTestIdentity,
  signInWith,
  type LinkedPerson,
  type TestIdentity,
} from '../../../test/support/identity/identity-half.ts';
import { serverViewer } from '../viewer/index.ts';
import malformed from '../../../packages/lib/identity-protocol/vectors/malformed.json' with { type: 'json' };
import { sampleOf } from '../../../test/support/run/nightly.ts';

let half: TestIdentity;
let anna: LinkedPerson;

beforeEach(async () => {
  half = await openTestIdentity();
  anna = await half.linked('Anna');
});

const day = 86_400;
const rows = async (table: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  half.database.read(table).select('*');

/** The user revokes the device, through the feed. */
const revoke = (person: LinkedPerson, serverIds: readonly string[] | null = null): Promise<void> =>
  half.database.write(async (trx) => {
    await trx('identity_revocations').insert({
      user_pub_key: person.identity.publicKey,
      client_id: person.clientId,
      payload_hash: String(Math.random()),
      server_ids: serverIds && JSON.stringify(serverIds),
      iat: half.seconds(),
    });
  });

const setState = (person: LinkedPerson, state: string): Promise<void> =>
  half.database.write(async (trx) => {
    await trx('identity_links').where('id', person.linkId).update({ state });
  });

const disable = (person: LinkedPerson) =>
  half.accounts.users.update(person.user.id, { disabled: true }, serverViewer);

describe('a sign-in with a pass', () => {
  test('creates a session for a day, which acts for the linked user', async () => {
    const { status, body, headers } = await complete(half, anna);

    expect(status).toBe(200);
    expect(body).toEqual({
      sessionToken: expect.stringMatching(/^vti_[\w-]{43}$/),
      expiresAt: new Date(half.clock.now() + day * 1000).toISOString(),
    });
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    const token = String(body['sessionToken']);
    const me = await half.ask('GET /api/auth/identity/me', undefined, { token });
    expect(me.body).toEqual({
      userId: anna.userId,
      userPubKey: anna.identity.publicKey,
      clientId: anna.clientId,
      appId: 'app_example',
      deviceName: 'TV',
      scope: ['servers:*'],
      localUserId: anna.user.id,
      role: 'user',
      certExp: anna.claims['exp'],
      expiresAt: body['expiresAt'],
    });
    const own = await half.ask('GET /api/auth/me', undefined, { token });
    expect(own.body).toMatchObject({ role: 'user', credentialKind: 'identity' });
    expect(await half.audited()).toContain('identity.session_opened');
  });

  test('creates one until the pass expires, when that is sooner', async () => {
    const cert = await anna.pass({ exp: half.seconds() + 3600 });

    const { body } = await complete(half, anna, { cert });

    expect(body['expiresAt']).toBe(new Date((half.seconds() + 3600) * 1000).toISOString());
  });

  test('returns a new challenge of 64 hex digits each time', async () => {
    const cert = await anna.pass();

    const [one, other] = [await begin(half, cert), await begin(half, cert)];

    expect(one.body).toEqual({ challenge: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(one.body).not.toEqual(other.body);
  });

  test('accepts a pass for this server alone', async () => {
    const cert = await anna.pass({ scope: [`servers:${half.serverId}`] });

    expect((await complete(half, anna, { cert })).status).toBe(200);
  });
});

/** Faults of a pass, in the order of the checks. */
const faults: readonly {
  readonly verdict: string;
  readonly claims?: () => Readonly<Record<string, unknown>>;
  readonly isForged?: boolean;
  readonly state?: () => Promise<unknown>;
}[] = [
  { verdict: '400 cert_malformed', claims: () => ({ deviceName: 'a\u202eb' }) },
  { verdict: '400 cert_version', claims: () => ({ v: 2 }) },
  { verdict: '401 cert_bad_signature', isForged: true },
  { verdict: '401 identity_unknown', claims: () => ({ userId: 'u_somebody' }) },
  { verdict: '403 account_disabled', state: () => disable(anna) },
  { verdict: '401 identity_revoked', state: () => revoke(anna) },
  { verdict: '401 cert_lifetime', claims: () => ({ iat: half.seconds() - 62 * day }) },
  { verdict: '401 cert_not_yet_valid', claims: () => ({ iat: half.seconds() + 301 }) },
  { verdict: '401 cert_expired', claims: () => ({ exp: half.seconds(), iat: half.seconds() - 5 }) },
  { verdict: '403 scope_denied', claims: () => ({ scope: [`servers:${'ab'.repeat(32)}`] }) },
];

async function withFaults(...some: readonly (typeof faults)[number][]) {
  const claims = Object.assign({}, ...some.toReversed().map((fault) => fault.claims?.())) as object;
  for (const fault of some) await fault.state?.();
  const isForged = some.some((fault) => fault.isForged === true);
  return anna.pass({ ...claims }, isForged ? await keyOwner() : undefined);
}

describe('begin checks a pass in order', () => {
  test.each(faults)('and refuses with $verdict', async (fault) => {
    const told = await begin(half, await withFaults(fault));

    expect(told.verdict).toBe(fault.verdict);
    const { error, message } = told.body;
    expect({ error, message }).toEqual({
      error: { 400: 'bad_request', 401: 'unauthorized', 403: 'forbidden' }[told.status],
      message: expect.any(String),
    });
    expect(told.headers['www-authenticate']).toBe(told.status === 401 ? 'Bearer' : undefined);
    expect(told.headers['access-control-allow-origin']).toBe('*');
  });

  test.each(
    faults.slice(1).map((later, index) => [faults[index]?.verdict, later.verdict, index] as const),
  )('%s comes before %s', async (earlier, _later, index) => {
    const both = faults.slice(index, index + 2);
    // A pass cannot be both not yet valid and expired.
    if (earlier === '401 cert_not_yet_valid') return;

    expect((await begin(half, await withFaults(...both))).verdict).toBe(earlier);
  });

  test('and a malformed body is refused first', async () => {
    const post = (body: unknown) => half.ask('POST /api/auth/identity-session/begin', body);

    expect((await post({})).verdict).toBe('400 invalid_request');
    expect((await post({ cert: 'x' })).verdict).toBe('400 invalid_request');
    expect((await post({ cert: {}, more: 1 })).body).toEqual({
      error: 'bad_request',
      code: 'invalid_request',
      message: 'body.more is not a known key.',
    });
  });

  test('and replies 404 identity_disabled where no identity was ever linked', async () => {
    const alone = await openTestIdentity();

    const told = await begin(alone, {});

    expect(told.verdict).toBe('404 identity_disabled');
    expect(told.body['error']).toBe('not_found');
  });

  test.each([
    ['unlinked', '401 identity_unknown'],
    ['relink_required', '401 identity_relink_required'],
  ])('and a link that is %s answers %s', async (state, verdict) => {
    await setState(anna, state);

    expect((await begin(half, await anna.pass())).verdict).toBe(verdict);
  });

  test('and a revocation applies only on the servers that it names', async () => {
    await revoke(anna, ['cd'.repeat(32)]);
    expect((await begin(half, await anna.pass())).status).toBe(200);
    await revoke(anna, [half.serverId]);
    expect((await begin(half, await anna.pass())).verdict).toBe('401 identity_revoked');
  });

  test.each(sampleOf(malformed.passes, 6))('threat 13: $name is $code', async ({ cert, code }) => {
    // A value that is not an object is not a valid body of this route.
    const isObject = typeof cert === 'object' && !Array.isArray(cert ?? []);

    expect((await begin(half, cert)).verdict).toBe(`400 ${isObject ? code : 'invalid_request'}`);
  });

  test('threat 14: a key of small order is refused as the key of a client', async () => {
    const small = '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05';

    expect((await begin(half, await anna.pass({ clientPubKey: small }))).verdict).toBe(
      '400 cert_malformed',
    );
    expect((await begin(half, await anna.pass({ userPubKey: small }))).verdict).toBe(
      '401 cert_bad_signature',
    );
  });

  test('threat 12: the key of a stranger is unknown', async () => {
    const stranger = await keyOwner();
    const cert = await anna.pass({ userPubKey: stranger.publicKey }, stranger);

    expect((await begin(half, cert)).verdict).toBe('401 identity_unknown');
  });

  test('threat 25: a request with a key from the feed reveals nothing about its user', async () => {
    const bert = { userPubKey: (await keyOwner()).publicKey };
    const forger = await keyOwner();

    for (const claims of [{}, bert])
      expect((await begin(half, await anna.pass(claims, forger))).verdict).toBe(
        '401 cert_bad_signature',
      );
  });
});

describe('complete checks its body in order', () => {
  test('and requires every field, well-formed', async () => {
    const route = 'POST /api/auth/identity-session/complete';
    const body = { cert: {}, serverId: 'x', challenge: 'x', ts: half.clock.now(), sig: 'x' };

    expect((await half.ask(route, { ...body, ts: undefined })).verdict).toBe('400 invalid_request');
    expect((await half.ask(route, { ...body, ts: half.seconds() })).verdict).toBe(
      '400 invalid_request',
    );
    expect((await half.ask(route, { ...body, extra: 1 })).verdict).toBe('400 invalid_request');
    expect((await half.ask(route, body)).verdict).toBe('401 wrong_server');
  });

  test('threat 10: a signature for another server is wrong_server here', async () => {
    const serverId = 'ab'.repeat(32);

    expect((await complete(half, anna, { serverId, ts: 100_000_000_001 })).verdict).toBe(
      '401 wrong_server',
    );
    // Signed for another server, and sent to this one.
    expect((await complete(half, anna, { signed: { serverId } })).verdict).toBe(
      '401 bad_signature',
    );
  });

  test('threat 27: a client with a wrong clock gets the right time, and its second attempt succeeds', async () => {
    const cert = await anna.pass();
    const challenge = String((await begin(half, cert)).body['challenge']);
    const off = { cert, challenge, ts: half.clock.now() + 300_001 };

    const told = await complete(half, anna, off);

    expect(told.verdict).toBe('401 clock_skew');
    expect(told.body['serverTime']).toBe(half.clock.now());
    const ts = Number(told.body['serverTime']);
    expect((await complete(half, anna, { ...off, ts })).status).toBe(200);
    expect((await complete(half, anna, { ts: half.clock.now() - 300_000 })).status).toBe(200);
  });

  test('a challenge that is unknown, used or expired is challenge_invalid', async () => {
    const cert = await anna.pass();
    const challenge = String((await begin(half, cert)).body['challenge']);
    expect((await complete(half, anna, { cert, challenge })).status).toBe(200);

    expect((await complete(half, anna, { cert, challenge })).verdict).toBe('401 challenge_invalid');
    expect((await complete(half, anna, { challenge: '00'.repeat(32) })).verdict).toBe(
      '401 challenge_invalid',
    );
    const old = String((await begin(half, cert)).body['challenge']);
    await half.clock.advance(120_000);
    expect((await complete(half, anna, { cert, challenge: old })).verdict).toBe(
      '401 challenge_invalid',
    );
  });

  test('a challenge is valid only for the pass that requested it, and another pass consumes it', async () => {
    const cert = await anna.pass();
    const other = await anna.pass({ deviceName: 'Another' });
    const challenge = String((await begin(half, cert)).body['challenge']);

    expect((await complete(half, anna, { cert: other, challenge })).verdict).toBe(
      '401 challenge_invalid',
    );
    expect((await complete(half, anna, { cert, challenge })).verdict).toBe('401 challenge_invalid');
  });

  test.each(faults.filter(({ state }) => state))(
    'changes since begin are applied: $verdict',
    async ({ state, verdict }) => {
      const cert = await anna.pass();
      const challenge = String((await begin(half, cert)).body['challenge']);
      await state?.();

      // The challenge is consumed first: it is not valid afterwards.
      expect((await complete(half, anna, { cert, challenge })).verdict).toBe(verdict);
      expect(await rows('identity_sessions')).toEqual([]);
    },
  );

  test('threat 8: a pass without its key is bad_signature', async () => {
    const thief = await keyOwner();

    expect((await complete(half, anna, { signer: thief })).verdict).toBe('401 bad_signature');
    for (const sig of ['AA', 'A'.repeat(86), `${'A'.repeat(85)}=`])
      expect((await complete(half, anna, { sig })).verdict).toBe('401 bad_signature');
    expect((await complete(half, anna)).status).toBe(200);
  });

  test.each(['challenge', 'ts', 'cert'] as const)('the signature covers %s', async (field) => {
    const other = { challenge: '00'.repeat(32), ts: half.clock.now() + 1, cert: { payload: '' } };

    const told = await complete(half, anna, { signed: { [field]: other[field] } });

    expect(told.verdict).toBe('401 bad_signature');
  });

  test('threat 9: of twenty concurrent completions of one challenge one creates a session', async () => {
    const cert = await anna.pass();
    const challenge = String((await begin(half, cert)).body['challenge']);

    const told = await Promise.all(
      Array.from({ length: 20 }, () => complete(half, anna, { cert, challenge })),
    );

    expect(told.map(({ verdict }) => verdict).sort()).toEqual([
      '200',
      ...Array<string>(19).fill('401 challenge_invalid'),
    ]);
    expect(await rows('identity_sessions')).toHaveLength(1);
  });

  test('a revocation during the write of a session wins', async () => {
    const cert = await anna.pass();
    const challenge = String((await begin(half, cert)).body['challenge']);
    // The writer is busy with the revocation when the completion arrives.
    const revoking = revoke(anna);

    const told = await complete(half, anna, { cert, challenge });
    await revoking;

    expect(told.verdict).toBe('401 identity_revoked');
    expect(await rows('identity_sessions')).toEqual([]);
  });
});

describe('threat 24: junk requests', () => {
  test('are refused from the 31st of a minute on, valid or not, with Retry-After', async () => {
    const verdicts: string[] = [];
    for (let count = 0; count < 31; count += 1) verdicts.push((await begin(half, 'junk')).verdict);

    expect(new Set(verdicts.slice(0, 30))).toEqual(new Set(['400 invalid_request']));
    const told = await begin(half, await anna.pass());
    expect(told.verdict).toBe('429 rate_limited');
    expect(told.body['error']).toBe('rate_limited');
    expect(told.headers['retry-after']).toBe('2');
    expect((await begin(half, await anna.pass(), '10.0.0.2')).status).toBe(200);
    await half.clock.advance(2000);
    expect((await begin(half, await anna.pass())).status).toBe(200);
  });

  test('of one IPv6 network count together', async () => {
    const from = (host: number): string => `2001:db8:1:2::${host.toString(16)}`;
    for (let count = 1; count <= 30; count += 1) await begin(half, 'junk', from(count));

    expect((await begin(half, 'junk', from(31))).verdict).toBe('429 rate_limited');
    expect((await begin(half, 'junk', '2001:db8:1:3::1')).status).toBe(400);
  });

  test('of many unknown networks do not lock out a known device', async () => {
    await complete(half, anna, { from: '192.168.1.7' });
    await half.clock.advance(1000);
    for (let count = 0; count < 50; count += 1) await begin(half, 'junk', `10.1.0.${count}`);

    expect((await begin(half, await anna.pass(), '10.2.0.1')).verdict).toBe('429 rate_limited');
    expect((await begin(half, await anna.pass(), '192.168.1.7')).status).toBe(200);
  });

  test('do not evict the challenges of the device at home', async () => {
    const cert = await anna.pass();
    const challenge = String((await begin(half, cert, '192.168.1.7')).body['challenge']);
    for (let count = 0; count < 25; count += 1) await begin(half, cert, '10.0.0.9');

    const told = await complete(half, anna, { cert, challenge, from: '192.168.1.7' });

    expect(told.status).toBe(200);
  });
});

describe('the session of an identity', () => {
  const me = (token?: string) =>
    half.ask('GET /api/auth/me', undefined, token === undefined ? {} : { token });

  test('is refused with the codes of the protocol on every route', async () => {
    const token = await signInWith(half, anna);
    expect((await me()).body).toMatchObject({ code: 'token_missing' });
    expect((await me(`vti_${'A'.repeat(43)}`)).verdict).toBe('401 token_invalid');
    expect((await me('vti_x')).body).toMatchObject({ error: 'unauthorized' });

    await half.clock.advance(day * 1000);
    const told = await me(token);

    expect(told.verdict).toBe('401 token_expired');
    expect(told.headers['www-authenticate']).toBe('Bearer');
  });

  test('is accepted only in the Authorization header', async () => {
    const token = await signInWith(half, anna);

    expect((await half.ask(`GET /api/auth/me?token=${token}&link=${token}`)).status).toBe(401);
    const cookie = `vitrine=${token}`;
    const told = await half.ask('GET /api/auth/me', undefined, { headers: { cookie } });
    expect(told.status).toBe(401);
  });

  test('is distinct from a session of a local sign-in', async () => {
    const { sessionToken } = (
      await half.ask('POST /api/auth/login', { name: 'Anna', password: 'correct horse battery' })
    ).body;

    const told = await half.ask('GET /api/auth/identity/me', undefined, {
      token: String(sessionToken),
    });

    expect(told.verdict).toBe('401 token_invalid');
  });

  test('has the current rights of its user', async () => {
    const token = await signInWith(half, anna);
    await half.accounts.users.update(anna.user.id, { role: 'guest' }, serverViewer);

    expect((await me(token)).body).toMatchObject({ role: 'guest' });
    await disable(anna);
    expect((await me(token)).verdict).toBe('401 token_invalid');
    await half.accounts.users.update(anna.user.id, { disabled: false }, serverViewer);
    expect((await me(token)).verdict).toBe('401 token_invalid');
  });

  test('is removed with its user, like the link', async () => {
    const token = await signInWith(half, anna);
    await half.accounts.users.remove(anna.user.id, serverViewer);

    expect((await me(token)).verdict).toBe('401 token_invalid');
    expect(await rows('identity_sessions')).toEqual([]);
    expect(await rows('identity_links')).toEqual([]);
  });

  test('is limited to twenty per client: the 21st ends the oldest', async () => {
    const tokens: string[] = [];
    const ended: string[] = [];
    half.identity.sessions.onEnd((ids) => ended.push(...ids));
    for (let count = 0; count < 21; count += 1) {
      await half.clock.advance(4000);
      tokens.push(await signInWith(half, anna));
    }

    const [oldest = '', second = ''] = tokens;
    expect((await me(oldest)).verdict).toBe('401 token_invalid');
    expect((await me(second)).status).toBe(200);
    expect(ended).toHaveLength(1);
  });

  test('cannot create API keys, which would outlive it', async () => {
    const token = await signInWith(half, anna);

    const told = await half.ask('POST /api/api-keys', { name: 'For ever' }, { token });

    expect(told.status).toBe(403);
  });

  test('signs out', async () => {
    const token = await signInWith(half, anna);

    expect((await half.ask('POST /api/auth/logout', undefined, { token })).status).toBe(204);
    expect((await me(token)).verdict).toBe('401 token_invalid');
    expect(await half.audited()).toContain('identity.session_signed_out');
  });

  test('threat 22: is in the database only as a hash, and challenges are not stored', async () => {
    const token = await signInWith(half, anna);
    const challenge = String((await begin(half, await anna.pass())).body['challenge']);
    const tables = ['identity_sessions', 'identity_links', 'audit_entries', 'identity_feed'];
    await complete(half, anna, { challenge });
    const dump = JSON.stringify(await Promise.all(tables.map(rows)));

    expect(dump).not.toContain(token.slice(4));
    expect(dump).not.toContain(challenge);
  });
});
