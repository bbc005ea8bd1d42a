/** Two servers on one database of PostgreSQL: of what is left once, two requests at once get one. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../support/servers/cluster.ts';
import { adminToken, type TestServer } from '../support/servers/server.ts';
import { hasPostgres } from '../support/storage/postgres.ts';

const password = 'correct horse battery';

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

async function send(
  server: TestServer,
  token: string | null,
  [method, route, body]: readonly [method: string, route: string, body?: unknown],
): Promise<Reply> {
  const reply = await fetch(server.url + route, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
}

/** How often each status came. */
const counted = (replies: readonly Reply[]): Readonly<Record<number, number>> =>
  Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

describe.skipIf(!hasPostgres())('races between two servers (need PostgreSQL)', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster(2, ['--ingest', 'off']);
  });
  afterAll(() => cluster.end());

  const one = (number: number): TestServer => {
    const server = cluster.servers[number % 2];
    if (server === undefined) throw new Error('There is no such server.');
    return server;
  };
  const admin = (...asked: Parameters<typeof send>[2]) => send(one(0), adminToken, asked);

  /** The same request, from the first server and the second one in turn, all at once. */
  const atOnce = (
    count: number,
    ask: (server: TestServer, number: number) => Promise<Reply>,
  ): Promise<readonly Reply[]> =>
    Promise.all(Array.from({ length: count }, (_, number) => ask(one(number), number)));

  async function newUser(role = 'user'): Promise<{ readonly id: string; readonly name: string }> {
    const name = `user-${randomUUID().slice(0, 8)}`;
    const { body } = await admin('POST', '/api/users', { name, password, role });
    return { name, id: (body as { user: { id: string } }).user.id };
  }

  async function signedIn(): Promise<string> {
    const { name } = await newUser();
    const { body } = await send(one(0), null, ['POST', '/api/auth/login', { name, password }]);
    return (body as { sessionToken: string }).sessionToken;
  }

  test('an invite for one person lets one in', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { body } = await admin('POST', '/api/invites', { maxUses: 1 });
      const { invite } = body as { invite: { token: string } };

      const replies = await atOnce(4, (server) =>
        send(server, null, [
          'POST',
          '/api/invites/redeem',
          { token: invite.token, name: `guest-${randomUUID().slice(0, 8)}`, password },
        ]),
      );

      expect(counted(replies)[201]).toBe(1);
    }
  });

  test('a PIN is tried five times', async () => {
    const token = await signedIn();
    const made = await send(one(0), token, ['POST', '/api/profiles', { name: 'K', pin: '2468' }]);
    const { profile } = made.body as { profile: { id: string } };
    const wrong: Reply[] = [];
    for (let round = 0; round < 8; round += 1)
      wrong.push(
        ...(await atOnce(4, (server, number) => {
          const pin = `100${(round * 4 + number) % 10}`;
          return send(server, token, ['POST', `/api/profiles/${profile.id}/unlock`, { pin }]);
        })),
      );
    const right = await send(one(1), token, [
      ...(['POST', `/api/profiles/${profile.id}/unlock`] as const),
      { pin: '2468' },
    ]);

    expect(counted(wrong)[403]).toBe(5);
    expect(right.status).toBe(429);
  });

  test('a code of a device is accepted once', async () => {
    const token = await signedIn();
    for (let round = 0; round < 5; round += 1) {
      const { body } = await send(one(0), null, ['POST', '/api/auth/pairings', {}]);
      const { pairing } = body as { pairing: { code: string; secret: string } };

      const replies = await atOnce(6, (server) =>
        send(server, token, ['POST', '/api/auth/pairings/accept', { code: pairing.code }]),
      );
      const claims = await atOnce(6, (server) =>
        send(server, null, ['POST', '/api/auth/pairings/claim', { secret: pairing.secret }]),
      );

      expect(counted(replies)[204]).toBe(1);
      expect(claims.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  test('a user has at most fifty profiles', async () => {
    const token = await signedIn();
    for (let number = 0; number < 48; number += 1)
      await send(one(0), token, ['POST', '/api/profiles', { name: `P${number}` }]);

    const replies = await atOnce(10, (server, number) =>
      send(server, token, ['POST', '/api/profiles', { name: `Q${number}` }]),
    );

    expect(counted(replies)).toEqual({ 201: 1, 409: 9 });
  });

  test('a session or a key that ends at one is refused at the other at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const token = await signedIn();
      const { body } = await send(one(0), token, ['POST', '/api/api-keys', { name: 'Key' }]);
      const { apiKey, token: key } = body as { apiKey: { id: string }; token: string };
      await send(one(1), key, ['GET', '/api/auth/me']);
      await send(one(0), token, ['DELETE', `/api/api-keys/${apiKey.id}`]);
      const withKey = await send(one(1), key, ['GET', '/api/auth/me']);
      await send(one(0), token, ['POST', '/api/auth/logout']);
      const withSession = await send(one(1), token, ['GET', '/api/auth/me']);

      expect([withKey.status, withSession.status]).toEqual([401, 401]);
    }
  });

  test('a cursor of an admin shows a user nothing more than their own', async () => {
    const token = await signedIn();
    for (const server of [0, 1].map(one))
      for (const name of ['A', 'B', 'C'])
        await send(server, adminToken, ['POST', '/api/profiles', { name }]);
    const lists = ['/api/profiles', '/api/api-keys', '/api/collections', '/api/items', '/api/jobs'];
    const idsIn = (body: unknown): readonly string[] =>
      [...JSON.stringify(body).matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id);
    let tries = 0;
    for (const list of lists) {
      const { body } = await admin('GET', `${list}?limit=1`);
      const { nextCursor } = body as { nextCursor: string | null };
      if (typeof nextCursor !== 'string') continue;
      const own = idsIn((await send(one(1), token, ['GET', `${list}?limit=200`])).body);
      const taken = await send(one(1), token, [
        ...(['GET', `${list}?limit=200&cursor=${encodeURIComponent(nextCursor)}`] as const),
      ]);
      tries += 1;
      expect(idsIn(taken.body).filter((id) => !own.includes(id))).toEqual([]);
    }
    expect(tries).toBeGreaterThan(0);
  });

  test('one of two admins stays when each takes the rights of the other', async () => {
    for (let round = 0; round < 4; round += 1) {
      const two = [await newUser('admin'), await newUser('admin')];
      // Nobody else is one: the admin of the token is a user while they are at it.
      const { body } = await admin('GET', '/api/users?limit=200');
      const { users } = body as { users: { id: string; role: string; name: string }[] };
      const others = users.filter(
        ({ id, role }) => role === 'admin' && two.every((admins) => admins.id !== id),
      );
      expect(others.map(({ name }) => name)).toEqual(['admin']);
      const all = [...two, ...others];

      const replies = await atOnce(2 * all.length, (server, number) =>
        send(server, adminToken, [
          ...(['PATCH', `/api/users/${all[number % all.length]?.id}`] as const),
          { role: 'user' },
        ]),
      );

      const left = await Promise.all(
        all.map(async ({ name }) => {
          const reply = await send(one(1), null, ['POST', '/api/auth/login', { name, password }]);
          return (reply.body as { user?: { role: string } }).user?.role;
        }),
      );
      const isTokenAdmin = (await admin('GET', '/api/users')).status === 200;
      expect(replies.some(({ status }) => status === 409 || status === 403)).toBe(true);
      expect(left.includes('admin') || isTokenAdmin).toBe(true);
      if (!isTokenAdmin) return;
      for (const { id } of two) await admin('DELETE', `/api/users/${id}`);
    }
  });
});

describe.skipIf(!hasPostgres())('the first admin of two servers (needs PostgreSQL)', () => {
  test('is one, at either server', async () => {
    const cluster = await startCluster(2, ['--ingest', 'off'], {}, { VITRINE_ADMIN_TOKEN: '' });
    try {
      const tokens = cluster.servers.map(
        ({ output }) => /#token=([\w-]{43})/.exec(output())?.[1] ?? '',
      );
      const ends = await Promise.all(
        [0, 1, 0, 1].map((number, at) => {
          const server = cluster.servers[number];
          if (server === undefined) throw new Error('There is no such server.');
          const first = { token: tokens[number], name: `admin-${at}`, password };
          return send(server, null, ['POST', '/api/setup', first]);
        }),
      );

      expect(tokens.map(({ length }) => length)).toEqual([43, 43]);
      expect(counted(ends)[201]).toBe(1);
    } finally {
      await cluster.end();
    }
  });
});
