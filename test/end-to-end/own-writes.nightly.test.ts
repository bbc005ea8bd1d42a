/**
 * Everything that a guest or a user may change, from the OpenAPI document of a server: none of it
 * fills the audit log, however often it is sent. A new operation is walked by itself, or named here.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inOrder, walk } from '../support/fuzz/own-writes.ts';
import { operationsOf, type Operation } from '../support/fuzz/requests.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { makePng } from '../support/pictures/made-png.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

/** What is refused here, since it needs more than a request. None of it may end as a 5xx. */
const notReached: Readonly<Record<string, string>> = {
  'POST /api/auth/passkeys': 'needs an authenticator',
  'PATCH /api/auth/passkeys/{id}': 'needs an authenticator',
  'DELETE /api/auth/passkeys/{id}': 'needs an authenticator',
  'POST /api/identity/links': 'needs a broker',
  'POST /api/identity/links/{id}/confirm': 'needs a broker',
  'DELETE /api/identity/links/{id}': 'needs a broker',
  'POST /api/playback/sessions': 'needs a film that can be played, and leaves no entry',
  'PATCH /api/playback/sessions/{id}': 'needs a film that can be played, and leaves no entry',
  'DELETE /api/playback/sessions/{id}': 'needs a film that can be played, and leaves no entry',
  'PUT /api/collections/{id}/items/{itemId}': 'the list is a playlist; leaves no entry',
  'DELETE /api/collections/{id}/items/{itemId}': 'the list is a playlist; leaves no entry',
  'POST /api/plugins/views/actions': 'needs a plugin: plugin-viewer.nightly.test.ts',
  'POST /api/plugins/{id}/actions/{rpcMethod}': 'needs a plugin: plugin-viewer.nightly.test.ts',
  'PUT /api/profiles/{id}/plugins/{pluginId}': 'needs a plugin: plugin-viewer.nightly.test.ts',
  'PUT /api/profiles/{id}/plugins/{pluginId}/agreement':
    'needs a plugin: acts-for-profiles.nightly.test.ts',
};

let media: MediaTree;
let server: TestServer;
let operations: readonly Operation[];
const password = 'correct horse battery';
const image = makePng().toString('base64');
let counter = 0;

beforeAll(async () => {
  media = await createMediaTree(['Heat (1995)/Heat (1995).mkv']);
  await media.write(
    'Heat (1995)/Heat (1995).nfo',
    '<movie><title>Heat</title><actor><name>Al</name></actor></movie>',
  );
  await media.write('Heat (1995)/poster.png', makePng());
  server = await startServer({ args: ['--library', `movies:Films:${media.path}`] });
  await jobsOver(server);
  const all = operationsOf(await server.get('/api/openapi.json'));
  operations = inOrder(
    all.filter(({ method, role }) => method !== 'GET' && (role === 'guest' || role === 'user')),
  );
});

afterAll(async () => {
  await server.stop();
  await media.remove();
});

interface Session {
  readonly sessionToken: string;
}

interface Code {
  readonly code: string;
  readonly secret: string;
}

/** A device that waits for a person. */
async function newCode(): Promise<Code> {
  const { body } = await server.request('POST', '/api/auth/pairings', {});
  return (body as { readonly pairing: Code }).pairing;
}

async function signIn(name: string): Promise<string> {
  const { body } = await server.request('POST', '/api/auth/login', { name, password });
  return (body as Session).sessionToken;
}

/** A further session of the person with that token, without the work of a password. */
async function anotherOf(token: string): Promise<string> {
  const { code, secret } = await newCode();
  await fetch(`${server.url}/api/auth/pairings/accept`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const { body } = await server.request('POST', '/api/auth/pairings/claim', { secret });
  return (body as Session).sessionToken;
}

/** The id of a session of the person that is not the one with that token. */
async function otherSessionId(token: string): Promise<string> {
  await anotherOf(token);
  const reply = await fetch(`${server.url}/api/auth/sessions`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { sessions } = (await reply.json()) as {
    readonly sessions: readonly { readonly id: string; readonly isCurrent: boolean }[];
  };
  return sessions.find(({ isCurrent }) => !isCurrent)?.id ?? '';
}

interface Item {
  readonly id: string;
  readonly files: readonly { readonly id: string }[];
  readonly linkedEntities: readonly { readonly id: string }[];
  readonly assets: Readonly<Record<string, string>>;
}

/** A user, who may do what a guest may do, too. */
async function newWalker() {
  const name = 'Ada';
  const { body } = await server.request('POST', '/api/users', { name, password });
  const { user } = body as { readonly user: { readonly id: string } };
  const main = await signIn(name);
  const { items } = await server.get<{ items: readonly Item[] }>('/api/items');
  const { item } = await server.get<{ item: Item }>(`/api/items/${items[0]?.id ?? ''}`);
  const { profiles } = await server.get<{ profiles: readonly { readonly id: string }[] }>(
    `/api/profiles?userId=${user.id}`,
  );
  const ofItem = (): string => item.id;
  const walker = {
    url: server.url,
    token: async ({ path }: Operation) => (path === '/api/auth/logout' ? anotherOf(main) : main),
    ids: {
      '/api/items': ofItem,
      '/api/collections/{id}/items': ofItem,
      '/api/files': () => item.files[0]?.id ?? '',
      '/api/assets': () => /[^/]+$/.exec(item.assets['poster'] ?? '')?.[0] ?? '',
      '/api/entities': () => item.linkedEntities[0]?.id ?? '',
      '/api/profiles': () => profiles[0]?.id ?? '',
      '/api/auth/sessions': () => otherSessionId(main),
      '/api/plugins': () => 'scanner',
    },
    fields: {
      name: () => `Name ${(counter += 1)}`,
      role: () => 'guest',
      kind: () => 'playlist',
      itemId: ofItem,
      itemIds: () => [item.id],
      pin: ({ path }: Operation) => (path.endsWith('/unlock') ? '1234' : undefined),
      fileId: () => item.files[0]?.id,
      image: () => image,
      code: async () => (await newCode()).code,
      currentPassword: () => password,
      newPassword: () => password,
      password: () => password,
    },
  };
  return { userId: user.id, walker };
}

interface AuditReply {
  readonly entries: readonly {
    readonly action: string;
    readonly target: { readonly type: string } | null;
  }[];
}

test(
  'nothing that a guest or a user may send fills the audit log, however often it is sent',
  { timeout: 300_000 },
  async () => {
    const { userId, walker } = await newWalker();
    const kindsInLog = async () => {
      const { entries } = await server.get<AuditReply>(`/api/audit?actor=${userId}&limit=200`);
      return entries.map(({ action, target }) => `${action} ${target?.type ?? ''}`).sort();
    };

    const rounds = [await walk(operations, walker), await walk(operations, walker)];

    const refused = rounds.map((statuses) =>
      [...statuses].filter(([, status]) => status >= 300).map(([name]) => name),
    );
    const expected = Object.keys(notReached).sort();
    expect(refused.map((names) => names.sort())).toEqual([expected, expected]);
    expect(rounds.flatMap((one) => [...one.values()]).filter((status) => status >= 500)).toEqual(
      [],
    );
    const kinds = await kindsInLog();
    expect(kinds.length).toBeGreaterThan(8);
    expect(kinds).toEqual([...new Set(kinds)]);

    const burst = await Promise.all(
      Array.from({ length: 80 }, () => walk(operations.filter(isCheap), walker)),
    );

    const statuses = burst.flatMap((one) => [...one.values()]);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(await kindsInLog()).toEqual(kinds);
  },
);

/** It is sent many times at once. */
const isCheap = ({ method, path }: Operation): boolean =>
  method === 'POST' && path === '/api/profiles';
