/**
 * Every route that changes something leaves an entry in the audit log, or stands here with a reason
 * why not; and what is so already leaves none.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unaudited } from '../support/fuzz/unaudited.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { makePng } from '../support/pictures/made-png.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { isOverPostgres } from '../support/storage/postgres.ts';

/** Routes whose entries are shown by the tests of their own domains: they need a browser, or keys. */
const shownElsewhere: Readonly<Record<string, string>> = {
  'POST /api/auth/login/passkey': 'src/people/accounts: passkeys',
  'POST /api/auth/passkeys': 'src/people/accounts: passkeys',
  'PATCH /api/auth/passkeys/:id': 'src/people/accounts: passkeys',
  'DELETE /api/auth/passkeys/:id': 'src/people/accounts: passkeys',
  'PATCH /api/auth/me': 'src/people/accounts: a passkey is required with one alone',
  'POST /api/auth/identity-session/complete': 'src/people/identity: needs a pass',
  'POST /api/identity/links': 'src/people/identity: needs a broker',
  'POST /api/identity/links/:id/confirm': 'src/people/identity: needs a broker',
  'DELETE /api/identity/links/:id': 'src/people/identity: needs a broker',
  'POST /api/setup': 'test/end-to-end: the first start',
  'POST /api/backups/:filename/restore': 'src/operations/backups: it ends the server',
  'POST /api/plugins/marketplace/install': 'test/end-to-end: the marketplace',
  'POST /api/plugins/packages': 'test/end-to-end: the operations of an admin',
  'POST /api/plugins/marketplace/upgrade': 'test/end-to-end: the marketplace',
  'POST /api/plugins/marketplace/rollback': 'test/end-to-end: the marketplace',
  'POST /api/plugins/marketplace/sources': 'test/end-to-end: the marketplace',
  'DELETE /api/plugins/marketplace/sources/:id': 'test/end-to-end: the marketplace',
  'DELETE /api/plugins/:id': 'test/end-to-end: the marketplace',
  'PUT /api/plugins/:id/secrets/:name': 'test/end-to-end: powers',
  'DELETE /api/plugins/:id/secrets/:name': 'test/end-to-end: powers',
  'PUT /api/profiles/:id/plugins/:pluginId/agreement': 'test/end-to-end: acts for profiles',
  'POST /api/license/activate': 'src/operations/license',
  'DELETE /api/license': 'src/operations/license',
};

let media: MediaTree;
let server: TestServer;
const acts = new Map<string, () => Promise<readonly string[]>>();
let last: { readonly method: string; readonly route: string; readonly body: unknown } | undefined;

beforeAll(async () => {
  media = await createMediaTree(['Heat (1995)/Heat (1995).mkv']);
  server = await startServer({ args: ['--library', `movies:Films:${media.path}`] });
  await jobsOver(server);
});

afterAll(async () => {
  await server.stop();
  await media.remove();
});

/** The body of a request that must be done. */
async function done(method: string, route: string, body?: unknown): Promise<Made> {
  last = { method, route, body };
  const reply = await server.request(method, route, body);
  if (reply.status >= 300)
    throw new Error(`${method} ${route}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body as Made;
}

type Made = Readonly<Record<string, { readonly id: string }>> & { readonly sessionToken: string };

/** What the request left in the log, in order. */
async function entriesOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await server.get<AuditReply>('/api/audit?limit=1');
  await act();
  const { entries } = await server.get<AuditReply>('/api/audit');
  return entries.filter(({ seq }) => seq > before.head.seq).map(({ action }) => action);
}

interface AuditReply {
  readonly head: { readonly seq: number };
  readonly entries: readonly { readonly seq: number; readonly action: string }[];
}

const idIn = async (route: string, list: string): Promise<string> => {
  const reply =
    await server.get<Readonly<Record<string, readonly { readonly id: string }[]>>>(route);
  return reply[list]?.[0]?.id ?? '';
};

const password = 'correct horse battery';
let counter = 0;
const fresh = (what: string): string => `${what} ${(counter += 1)}`;
const madeId = async (route: string, key: string, body: unknown): Promise<string> =>
  (await done('POST', route, body))[key]?.id ?? '';
const newUser = () => madeId('/api/users', 'user', { name: fresh('Ada'), password });
const newGroup = () => madeId('/api/groups', 'group', { name: fresh('Group') });
const newProfile = () => madeId('/api/profiles', 'profile', { name: fresh('Profile') });
const newKey = () => madeId('/api/api-keys', 'apiKey', { name: fresh('Key'), role: 'guest' });

const newBackup = async (): Promise<string> => {
  const { body } = await server.request('POST', '/api/backups', {});
  return (body as { backup: { filename: string } }).backup.filename;
};

/** Made once, since the hash of a password is most of the work. */
const once = (make: () => Promise<string>): (() => Promise<string>) => {
  let made: Promise<string> | undefined;
  return () => (made ??= make());
};
const grace = once(async () => {
  await done('POST', '/api/users', { name: 'Grace', password });
  return 'Grace';
});
/** Somebody else: what a person does again within an hour is counted, and has no entry yet. */
const hedy = once(async () => {
  await done('POST', '/api/users', { name: 'Hedy', password });
  return 'Hedy';
});
/** Somebody who is changed, and deleted at last. */
const someUser = once(newUser);

/** Somebody who is signed in, and asks with that session. */
async function signedIn(whose = grace) {
  const name = await whose();
  const { sessionToken } = await done('POST', '/api/auth/login', { name, password });
  return async (method: string, route: string, body?: unknown): Promise<Response> =>
    fetch(server.url + route, {
      method,
      headers: {
        authorization: `Bearer ${sessionToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

const act = (route: string, run: () => Promise<() => Promise<unknown>>): void =>
  void acts.set(route, async () => entriesOf(await run()));

act('POST /api/auth/login', async () => {
  const name = await grace();
  return () => done('POST', '/api/auth/login', { name, password });
});
act('POST /api/auth/pairings/accept', async () => {
  const ask = await signedIn();
  const { body } = await server.request('POST', '/api/auth/pairings', {});
  const { code } = (body as { readonly pairing: { readonly code: string } }).pairing;
  return () => ask('POST', '/api/auth/pairings/accept', { code });
});
act('POST /api/auth/logout', async () => {
  const ask = await signedIn();
  return () => ask('POST', '/api/auth/logout');
});
act('POST /api/auth/password', async () => {
  const linus = once(async () => {
    await done('POST', '/api/users', { name: 'Linus', password });
    return 'Linus';
  });
  const ask = await signedIn(linus);
  const change = { currentPassword: password, newPassword: `${password} staple` };
  return () => ask('POST', '/api/auth/password', change);
});
act('DELETE /api/auth/sessions', async () => {
  const ask = await signedIn();
  return () => ask('DELETE', '/api/auth/sessions');
});
act('DELETE /api/auth/sessions/:id', async () => {
  const ask = await signedIn(hedy);
  const reply = (await (await ask('GET', '/api/auth/sessions')).json()) as {
    readonly sessions: readonly { readonly id: string }[];
  };
  return () => ask('DELETE', `/api/auth/sessions/${reply.sessions[0]?.id ?? ''}`);
});
act('DELETE /api/users/:id/sessions/:sessionId', async () => {
  const ask = await signedIn();
  const { user } = (await (await ask('GET', '/api/auth/me')).json()) as {
    readonly user: { readonly id: string };
  };
  const { sessions } = await server.get<{ sessions: readonly { readonly id: string }[] }>(
    `/api/users/${user.id}/sessions`,
  );
  return () => done('DELETE', `/api/users/${user.id}/sessions/${sessions[0]?.id ?? ''}`);
});
act('POST /api/users', async () => newUser);
act('PATCH /api/users/:id', async () => {
  const id = await someUser();
  return () => done('PATCH', `/api/users/${id}`, { disabled: true });
});
act('POST /api/users/:id/password', async () => {
  const id = await someUser();
  return () => done('POST', `/api/users/${id}/password`, { password: `${password} staple` });
});
act('DELETE /api/users/:id', async () => {
  const id = await someUser();
  return () => done('DELETE', `/api/users/${id}`);
});
act('POST /api/api-keys', async () => newKey);
act('PUT /api/updates', async () => {
  return () => done('PUT', '/api/updates', { channel: 'beta' });
});
const newWebhook = async (): Promise<string> => {
  const wanted = { name: fresh('Hook'), url: 'https://127.0.0.1:9/hook' };
  const { body } = await server.request('POST', '/api/webhooks', wanted);
  return (body as { readonly id: string }).id;
};
act('POST /api/webhooks', async () => newWebhook);
act('PATCH /api/webhooks/:id', async () => {
  const id = await newWebhook();
  return () => done('PATCH', `/api/webhooks/${id}`, { enabled: false });
});
act('DELETE /api/webhooks/:id', async () => {
  const id = await newWebhook();
  return () => done('DELETE', `/api/webhooks/${id}`);
});
act('POST /api/webhooks/:id/test', async () => {
  const id = await newWebhook();
  return () => done('POST', `/api/webhooks/${id}/test`);
});
act('POST /api/webhooks/:id/deliveries/:deliveryId/redeliver', async () => {
  const id = await newWebhook();
  const { delivery } = await done('POST', `/api/webhooks/${id}/test`);
  const again = `/api/webhooks/${id}/deliveries/${delivery?.id ?? ''}/redeliver`;
  return () => done('POST', again);
});
act('POST /api/backups', async () => newBackup);
act('DELETE /api/backups/:filename', async () => {
  const name = await newBackup();
  return () => done('DELETE', `/api/backups/${name}`);
});
act('POST /api/scheduler/:name/run', async () => {
  return () => done('POST', '/api/scheduler/notifications/run');
});
act('DELETE /api/api-keys/:id', async () => {
  const id = await newKey();
  return () => done('DELETE', `/api/api-keys/${id}`);
});
act('POST /api/groups', async () => newGroup);
act('PATCH /api/groups/:id', async () => {
  const id = await newGroup();
  return () => done('PATCH', `/api/groups/${id}`, { name: fresh('Group') });
});
act('DELETE /api/groups/:id', async () => {
  const id = await newGroup();
  return () => done('DELETE', `/api/groups/${id}`);
});
act('POST /api/profiles', async () => newProfile);
act('PATCH /api/profiles/:id', async () => {
  const id = await newProfile();
  return () => done('PATCH', `/api/profiles/${id}`, { name: fresh('Profile') });
});
act('DELETE /api/profiles/:id', async () => {
  const id = await newProfile();
  return () => done('DELETE', `/api/profiles/${id}`);
});
act('POST /api/invites', async () => () => done('POST', '/api/invites', {}));
act('DELETE /api/invites/:id', async () => {
  await done('POST', '/api/invites', {});
  const id = await idIn('/api/invites', 'invites');
  return () => done('DELETE', `/api/invites/${id}`);
});
act('POST /api/invites/:token/redeem', async () => {
  const text = JSON.stringify(await done('POST', '/api/invites', {}));
  const token = /"token":"([^"]+)"/.exec(text)?.[1];
  const body = { name: fresh('Barbara'), password };
  return () => done('POST', `/api/invites/${token ?? ''}/redeem`, body);
});
act('POST /api/invites/redeem', async () => {
  const text = JSON.stringify(await done('POST', '/api/invites', {}));
  const token = /"token":"([^"]+)"/.exec(text)?.[1];
  const body = { token, name: fresh('Bridget'), password };
  return () => done('POST', '/api/invites/redeem', body);
});
act('POST /api/libraries', async () => () => {
  const body = { name: fresh('More'), type: 'movies', roots: [media.path] };
  return done('POST', '/api/libraries', body);
});
act('PATCH /api/libraries/:id', async () => {
  const id = await idIn('/api/libraries', 'libraries');
  return () => done('PATCH', `/api/libraries/${id}`, { name: fresh('Films') });
});
act('PATCH /api/items/:id', async () => {
  const id = await idIn('/api/items', 'items');
  return () => done('PATCH', `/api/items/${id}`, { title: 'Heat' });
});
const picture = { type: 'poster', image: makePng().toString('base64') };
act('POST /api/items/:id/pictures', async () => {
  const id = await idIn('/api/items', 'items');
  return () => done('POST', `/api/items/${id}/pictures`, picture);
});
act('DELETE /api/items/:id/pictures/:pictureId', async () => {
  const id = await idIn('/api/items', 'items');
  const { body } = await server.request('POST', `/api/items/${id}/pictures`, picture);
  const { id: pictureId } = body as { id: string };
  return () => done('DELETE', `/api/items/${id}/pictures/${pictureId}`);
});
act('DELETE /api/items/:id', async () => {
  const id = await idIn('/api/items', 'items');
  return () => done('DELETE', `/api/items/${id}`);
});
act('POST /api/libraries/:id/removed-files/restore', async () => {
  const id = await idIn('/api/libraries', 'libraries');
  const files = await server.get<{ files: readonly { readonly fileId: string }[] }>(
    `/api/libraries/${id}/removed-files`,
  );
  const fileIds = files.files.map(({ fileId }) => fileId);
  return () => done('POST', `/api/libraries/${id}/removed-files/restore`, { fileIds });
});
act('PUT /api/libraries/:id/sources', async () => {
  const id = await idIn('/api/libraries', 'libraries');
  const body = { order: ['tmdb'], fields: {}, languages: [] };
  return () => done('PUT', `/api/libraries/${id}/sources`, body);
});
act('DELETE /api/libraries/:id', async () => {
  const id = await idIn('/api/libraries', 'libraries');
  return () => done('DELETE', `/api/libraries/${id}`);
});
act(
  'PUT /api/plugins/:id/configuration',
  async () => () => done('PUT', '/api/plugins/musicbrainz/configuration', { languages: ['de'] }),
);
act(
  'PUT /api/plugins/providers/:key',
  async () => () => done('PUT', '/api/plugins/providers/search', { pluginId: 'search' }),
);
act(
  'POST /api/plugins/presets/metadata',
  async () => () =>
    done('POST', '/api/plugins/presets/metadata', { plugins: ['tvmaze'], granted: true }),
);
act('POST /api/plugins/rescan', async () => () => done('POST', '/api/plugins/rescan'));
act('PUT /api/plugins/:id/permissions', async () => {
  const { asked } = await server.get<{ readonly asked: object }>(
    '/api/plugins/scanner/permissions',
  );
  const granted = { ...asked, reasons: undefined };
  await done('PUT', '/api/plugins/scanner/permissions', { granted: {} });
  return () => done('PUT', '/api/plugins/scanner/permissions', { granted });
});
for (const verb of ['disable', 'enable', 'restart'] as const)
  act(
    `POST /api/plugins/:id/${verb}`,
    async () => () => done('POST', `/api/plugins/scanner/${verb}`),
  );

/** The built-ins list no action; those of a plugin are noted in `test/end-to-end/plugin-viewer.nightly.test.ts`. */
const pluginActions = [
  'POST /api/plugins/:id/actions/:rpcMethod',
  'POST /api/plugins/views/actions',
];

/** Routes that say how something shall be: the same words again change nothing. */
const setsState = /^(PUT|PATCH) |\/(enable|disable)$/;

describe('every route that changes something', () => {
  test('is looked at here, or exempt with a reason', async () => {
    const { paths } = await server.get<{
      readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    }>('/api/openapi.json');
    const changing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
        .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const known = [
      ...acts.keys(),
      ...Object.keys(unaudited).map((name) => name.replaceAll(/\{(\w+)\}/g, ':$1')),
      ...Object.keys(shownElsewhere),
    ];

    expect(changing.sort()).toEqual([...known, ...pluginActions].sort());
  });

  // Backups are of SQLite alone.
  const here = [...acts.keys()].filter((route) => !isOverPostgres || !route.includes('/backups'));

  test.each(here)(
    '%s leaves an entry, and none when it was so already',
    { timeout: 120_000 },
    async (route) => {
      last = undefined;
      expect(await acts.get(route)?.()).not.toEqual([]);
      if (!setsState.test(route) || last === undefined) return;
      const { method, route: path, body } = last;
      expect(await entriesOf(() => done(method, path, body))).toEqual([]);
    },
  );
});
