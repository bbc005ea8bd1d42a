import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { password } from '../../../../test/support/people/accounts.ts';
import { openTestPeople, type TestPeople } from '../../../../test/support/people/people.ts';
import { createReachability } from '../../../people/invites/index.ts';
import type { User } from '../../../contract/resources/accounts/accounts.ts';
import type { FreshInvite, Invite } from '../../../contract/resources/accounts/invites.ts';

let people: TestPeople;
let call: TestPeople['call'];
let admin: string;
let adminId: string;

beforeEach(async () => {
  people = await openTestPeople();
  ({ call } = people);
  const { user, token } = await people.join('Ada', 'admin');
  [admin, adminId] = [token, user.id];
});

const week = 7 * 24 * 60 * 60_000;

async function make(body: object = {}, as = admin): Promise<FreshInvite> {
  const answer = await call<FreshInvite & { error?: string }>('POST /api/invites', { as, body });
  expect(answer.body.error).toBeUndefined();
  expect(answer.status).toBe(201);
  return answer.body;
}

interface SignedIn {
  readonly user: User;
  readonly sessionToken: string;
  readonly expiresAt: string;
}

const redeem = (token: string, name = 'Ben') =>
  call<SignedIn>(`POST /api/invites/${token}/redeem`, { body: { name, password } });

const list = async (): Promise<readonly Invite[]> =>
  (await call<{ invites: Invite[] }>('GET /api/invites', { as: admin })).body.invites;

const closed = {
  status: 404,
  body: {
    error: 'This invite does not exist, has expired or is used up.',
    code: 'invite_not_open',
  },
};

describe('an invite', () => {
  test('of an empty object is for one user, who sees everything, within a week', async () => {
    const { invite, url } = await make();

    expect(invite).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^vtn_[\w-]{43}$/),
      role: 'user',
      libraryAccess: null,
      groupIds: [],
      maxUses: 1,
      useCount: 0,
      expiresAt: '2026-11-28T07:44:53.000Z',
      createdBy: adminId,
      createdAt: '2026-11-21T07:44:53.000Z',
    });
    expect(url).toBe(`http://127.0.0.1:8360/invite#token=${invite.token}`);
  });

  test('shows its token once; afterwards neither the API nor the database gives it', async () => {
    const { invite } = await make();

    expect(await list()).toEqual([{ ...invite, token: `vtn_…${invite.token.slice(-4)}` }]);
    expect(await people.dump()).not.toContain(invite.token.slice(4));
  });

  test.each([
    [{ role: 'owner' }, 'body.role must be one of'],
    [{ maxUses: 0 }, 'body.maxUses'],
    [{ maxUses: 1.5 }, 'body.maxUses'],
    [{ expiresAt: '2026-11-21T07:44:53.000Z' }, 'expiresAt must be in the future'],
    [{ expiresAt: '2036-01-01T00:00:00.000Z' }, 'at most 366 days'],
    [{ expiresAt: 'tomorrow' }, 'body.expiresAt'],
    [{ libraryAccess: [{ libraryId: 'attic' }] }, 'libraryAccess.0.libraryId'],
    [{ groupIds: ['nobody'] }, 'groupIds.0: there is no group "nobody"'],
    [{ role: 'admin', libraryAccess: [{ libraryId: 'films' }] }, 'An admin sees everything'],
    [{ url: 'https://example.org' }, 'body.url is not a known key'],
  ])('is refused as %j, naming what is wrong', async (body, message) => {
    expect(await call('POST /api/invites', { as: admin, body })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(message) },
    });
    expect(await list()).toEqual([]);
  });

  test('is made, listed and revoked only by admins, who see everything', async () => {
    const { token } = await people.join('Ben');
    const { body } = await call<{ profile: { id: string } }>('POST /api/profiles', {
      as: admin,
      body: { name: 'Kids', libraryAccess: [{ libraryId: 'films' }] },
    });
    const asked = [{ as: token }, { as: admin, profile: body.profile.id }];

    for (const one of asked) {
      expect(await call('POST /api/invites', { ...one, body: {} })).toMatchObject({ status: 403 });
      expect(await call('GET /api/invites', one)).toMatchObject({ status: 403 });
      expect(await call('DELETE /api/invites/x', one)).toMatchObject({ status: 403 });
    }
  });

  test('is listed with the newest first, page by page', async () => {
    for (let count = 0; count < 3; count++) await make({ maxUses: count + 1 });

    const first = await call<{ invites: Invite[]; nextCursor: string }>(
      'GET /api/invites?limit=2',
      { as: admin },
    );
    const rest = await call<{ invites: Invite[]; nextCursor: null }>(
      `GET /api/invites?limit=2&cursor=${first.body.nextCursor}`,
      { as: admin },
    );

    const uses = [...first.body.invites, ...rest.body.invites].map(({ maxUses }) => maxUses);
    expect(uses).toEqual([3, 2, 1]);
    expect(rest.body.nextCursor).toBeNull();
  });
});

describe('an invite whose token is in the body, where no log of a proxy has it', () => {
  test('gives the same answers, and is redeemed too', async () => {
    const { token } = (await make({ role: 'guest' })).invite;

    const seen = await call('POST /api/invites/look', { body: { token } });
    const joined = await call<SignedIn>('POST /api/invites/redeem', {
      body: { token, name: 'Ben', password },
    });

    expect(seen).toEqual(
      expect.objectContaining({
        status: 200,
        body: { invite: expect.objectContaining({ role: 'guest' }) },
      }),
    );
    expect(joined).toMatchObject({ status: 201, body: { user: { name: 'Ben', role: 'guest' } } });
    expect(await call('POST /api/invites/look', { body: { token } })).toMatchObject(closed);
    expect(
      await call('POST /api/invites/redeem', { body: { token, name: 'Eve', password } }),
    ).toMatchObject(closed);
  });

  test('is refused without one, naming the field', async () => {
    for (const route of ['look', 'redeem'])
      expect(
        await call(`POST /api/invites/${route}`, { body: { name: 'Ben', password } }),
      ).toMatchObject({ status: 400, body: { error: expect.stringContaining('body.') } });
  });
});

describe('without a credential an invite', () => {
  test('gives its role, its end and the name of the server, and nothing else', async () => {
    const { invite } = await make({ role: 'guest', libraryAccess: [{ libraryId: 'films' }] });

    const answer = await call(`GET /api/invites/${invite.token}`);

    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      invite: { role: 'guest', serverName: 'The attic', expiresAt: invite.expiresAt },
    });
  });

  test('gets the same answer when it is unknown, revoked, expired, used up or its maker may no longer invite', async () => {
    const { user, token } = await people.join('Eva', 'admin');
    const tokens = {
      unknown: `vtn_${'a'.repeat(43)}`,
      noToken: 'x',
      takenBack: (await make()).invite,
      over: (await make({ expiresAt: '2026-11-21T08:00:00.000Z' })).invite,
      usedUp: (await make()).invite,
      ofEva: (await make({}, token)).invite,
    };
    await call(`DELETE /api/invites/${tokens.takenBack.id}`, { as: admin });
    await redeem(tokens.usedUp.token);
    await call(`PATCH /api/users/${user.id}`, { as: admin, body: { role: 'user' } });
    await people.clock.advance(60 * 60_000);

    for (const one of Object.values(tokens)) {
      const text = typeof one === 'string' ? one : one.token;
      expect(await call(`GET /api/invites/${text}`)).toMatchObject(closed);
      expect(await redeem(text, 'Cleo')).toMatchObject(closed);
    }
  });

  test('cannot be guessed: many wrong tokens wait, longer each time', async () => {
    const { invite } = await make();
    const answers = [];
    for (let count = 0; count < 22; count++)
      answers.push(await call(`GET /api/invites/vtn_${String(count).padStart(43, 'a')}`));

    expect(answers.slice(0, 21).every(({ status }) => status === 404)).toBe(true);
    expect(answers[21]).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(await call(`GET /api/invites/${invite.token}`)).toMatchObject({ status: 429 });
    await people.clock.advance(1000);
    expect(await call(`GET /api/invites/${invite.token}`)).toMatchObject({ status: 200 });
  });
});

describe('a person who redeems an invite', () => {
  test('becomes a user with its rights and a default profile, and is signed in', async () => {
    const { body } = await call<{ group: { id: string } }>('POST /api/groups', {
      as: admin,
      body: { name: 'Family', libraryAccess: [{ libraryId: 'music' }] },
    });
    const rights = {
      role: 'guest',
      libraryAccess: [{ libraryId: 'films', maxRating: 'PG-13' }],
      groupIds: [body.group.id],
    };
    const { invite } = await make(rights);

    const answer = await redeem(invite.token);

    expect(answer).toMatchObject({
      status: 201,
      body: { user: { name: 'Ben', ...rights }, sessionToken: expect.stringMatching(/^vts_/) },
    });
    const as = answer.body.sessionToken;
    expect(await call('GET /api/auth/me', { as })).toMatchObject({
      body: { role: 'guest', libraryIds: ['films', 'music'] },
    });
    expect(await call('GET /api/profiles', { as })).toMatchObject({
      body: { profiles: [{ name: 'Ben', isDefault: true }] },
    });
    expect(await list()).toMatchObject([{ useCount: 1 }]);
    expect(await people.audited()).toEqual(
      expect.arrayContaining(['invite.created', 'invite.redeemed']),
    );
    expect(await people.dump()).not.toContain(invite.token.slice(4));
  });

  test('uses it up as often as it allows; of many concurrent tries for the last use one wins', async () => {
    const { invite } = await make({ maxUses: 3 });

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => redeem(invite.token, `User ${index}`)),
    );

    const won = answers.filter(({ status }) => status === 201);
    expect(won).toHaveLength(3);
    for (const lost of answers.filter(({ status }) => status !== 201))
      expect(lost).toMatchObject(closed);
    expect(await list()).toMatchObject([{ useCount: 3, maxUses: 3 }]);
    expect(await people.accounts.users.count()).toBe(4);
  });

  test.each([
    [{ name: 'Ada', password }, 409],
    [{ name: 'Ben', password: 'short' }, 400],
    [{ name: ' ', password }, 400],
    [{ name: 'Ben' }, 400],
    [{ name: 'Ben', password, role: 'admin' }, 400],
  ])('with %j is refused, and the use is left', async (body, status) => {
    const { invite } = await make();

    expect(await call(`POST /api/invites/${invite.token}/redeem`, { body })).toMatchObject({
      status,
    });

    expect(await list()).toMatchObject([{ useCount: 0 }]);
    expect(await redeem(invite.token)).toMatchObject({ status: 201 });
  });

  test('waits, longer each time, after many tries of names', async () => {
    const { invite } = await make();
    const answers = [];
    for (let count = 0; count < 22; count++) answers.push(await redeem(invite.token, 'Ada'));

    expect(answers.slice(0, 21).every(({ status }) => status === 409)).toBe(true);
    expect(answers[21]).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    await people.clock.advance(1000);
    expect(await redeem(invite.token)).toMatchObject({ status: 201 });
  });

  test('sees nothing of a library that was removed, and not everything instead', async () => {
    const { invite } = await make({ libraryAccess: [{ libraryId: 'films' }] });
    people.libraries.delete('films');

    const { body } = await redeem(invite.token);

    expect(body.user.libraryAccess).toEqual([{ libraryId: 'films', maxRating: null }]);
    expect(await call('GET /api/auth/me', { as: body.sessionToken })).toMatchObject({
      body: { libraryIds: ['films'] },
    });
  });

  test('is refused when its maker was removed, and the invite is removed with them', async () => {
    const { user, token } = await people.join('Eva', 'admin');
    const { invite } = await make({ role: 'admin' }, token);

    await call(`DELETE /api/users/${user.id}`, { as: admin });

    expect(await redeem(invite.token)).toMatchObject(closed);
    expect(await list()).toEqual([]);
  });

  test('is refused after its week', async () => {
    const { invite } = await make();

    await people.clock.advance(week - 1);
    expect(await call(`GET /api/invites/${invite.token}`)).toMatchObject({ status: 200 });
    await people.clock.advance(1);
    expect(await redeem(invite.token)).toMatchObject(closed);
  });
});

/** A server on this machine; it forwards `{answerTo}` to the server under test. */
async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('externallyReachable', () => {
  test('is false, and says why, without a public URL', async () => {
    expect(await make()).toMatchObject({
      externallyReachable: false,
      reason: 'No public URL is configured: start the server with --public-url.',
    });
  });

  test('is true when the server answers its own request at its public URL, and links begin with it', async () => {
    let asked: TestPeople | null = null;
    const publicUrl = await listening(({ url = '' }, response) => {
      void asked?.app.inject({ url }).then(({ statusCode, body }) => {
        response.writeHead(statusCode, { 'content-type': 'application/json' }).end(body);
      });
    });
    asked = await openTestPeople({ publicUrl });
    const { token } = await asked.join('Ada', 'admin');

    const { body } = await asked.call<FreshInvite>('POST /api/invites', { as: token, body: {} });

    expect(body).toMatchObject({ externallyReachable: true, reason: null });
    expect(body.url).toBe(`${publicUrl}/invite#token=${body.invite.token}`);
  });

  test.each([
    ['Another server answered.', 200, {}],
    ['It answered with status 404.', 404, {}],
    ['It answered with status 302.', 302, { location: 'http://127.0.0.1:1/' }],
  ])('is false: %s', async (reason, status, headers) => {
    const publicUrl = await listening((_request, response) => {
      response.writeHead(status, headers).end('{"answer":"yes"}');
    });

    const { check } = createReachability({ publicUrl, clock: people.clock });

    expect(await check()).toEqual({ reachable: false, reason });
  });

  test('is false when nothing listens there', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));

    const { check } = createReachability({
      publicUrl: `http://127.0.0.1:${port}`,
      clock: people.clock,
    });

    expect(await check()).toEqual({ reachable: false, reason: 'The connection was refused.' });
  });

  test('is false after five seconds, also when an answer has no end', async () => {
    const asked: string[] = [];
    const publicUrl = await listening(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(200).write('{"answer":');
    });
    const { check } = createReachability({ publicUrl, clock: people.clock });

    const trying = check();
    await expect.poll(() => asked).toHaveLength(1);
    await people.clock.advance(5000);

    expect(await trying).toEqual({
      reachable: false,
      reason: 'There was no answer within 5 seconds.',
    });
    expect(people.clock.timers()).toBe(0);
  });

  test('is false when the answer never ends', async () => {
    const publicUrl = await listening((_request, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });

    const { check } = createReachability({ publicUrl, clock: people.clock });

    expect(await check()).toMatchObject({
      reachable: false,
      reason: 'Another server answered.',
    });
  });
});

describe('GET /api/reachable/:nonce', () => {
  test('answers while the server asks itself, and no other client at any time', async () => {
    const urls: string[] = [];
    const publicUrl = await listening(({ url = '' }, response) => {
      urls.push(url);
      response.writeHead(200).end('{}');
    });
    const reachability = createReachability({ publicUrl, clock: people.clock });
    await reachability.check();
    const nonce = urls[0]?.split('/').at(-1) ?? '';

    expect(nonce).toMatch(/^[0-9a-f]{48}$/);
    expect(reachability.answerTo(nonce)).toBeNull();
    expect(await call(`GET /api/reachable/${nonce}`)).toMatchObject({ status: 404 });
    expect(await call('GET /api/reachable/__proto__')).toMatchObject({ status: 404 });
  });
});
