/** A plugin that acts for people who are away, on a server as it is: only for those who agreed, and only so far. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writePlugin } from '../faults/write-plugin.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const id = 'marker';
const password = 'a password that is long';

let data: string;
let films: MediaTree;
let secret: MediaTree;
let server: TestServer;
const items = new Map<string, string>();

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  films = await createMediaTree(['Heat (1995).mkv']);
  secret = await createMediaTree(['Vault (2011).mkv']);
  await writePlugin(data, {
    id,
    permissions: { viewing: 'write', library: 'read', kv: { quotaMb: 1 } },
    capabilityConfig: { jobs: { runs: ['marker.act'] } },
    actions: ['result'],
    definition: `
      methods: {
        'job.run': async ({ payload }, host) => {
          const { profiles } = await host.viewing.profiles({});
          const done = [];
          for (const { profile, level } of profiles) {
            const person = host.as(profile);
            const { items } = await person.media.list({});
            const codes = [];
            for (const id of payload.ids)
              codes.push(await person.viewing.watched({ id, watched: true }).then(() => 'done', ({ code }) => code));
            done.push({ level, titles: items.map(({ title }) => title), codes });
          }
          const stranger = await host.as('somebody').viewing.lists({}).catch(({ code }) => code);
          return { done: true, result: { done, stranger } };
        },
      },
    `,
  });
  server = await startServer({
    data,
    args: [
      ...['--library', `movies:Films:${films.path}`],
      ...['--library', `movies:Secret:${secret.path}`],
    ],
  });
  await until('all items are there', async () => {
    const found = await server.get<{ items: readonly { id: string; title: string }[] }>(
      '/api/items',
    );
    for (const item of found.items) items.set(item.title, item.id);
    return items.size === 2;
  });
  const { asked } = await server.get<{ asked: object }>(`/api/plugins/${id}/permissions`);
  await grant({ ...asked, viewing: 'read' });
});

afterAll(async () => {
  await server.stop();
  await Promise.all([films.remove(), secret.remove(), rm(data, { recursive: true })]);
});

async function grant(granted: object): Promise<void> {
  const reply = await server.request('PUT', `/api/plugins/${id}/permissions`, { granted });
  expect([reply.status, reply.body]).toMatchObject([200, {}]);
  await until('it runs', async () => {
    const { plugin } = await server.get<{ plugin: { state: string } }>(`/api/plugins/${id}`);
    return plugin.state === 'running';
  });
}

/** A user who may see Films alone. */
async function newUser(name: string) {
  const { libraries } = await server.get<{ libraries: readonly { id: string; name: string }[] }>(
    '/api/libraries',
  );
  const films = libraries.find((one) => one.name === 'Films');
  const libraryAccess = [{ libraryId: films?.id, maxRating: null }];
  await server.request('POST', '/api/users', { name, role: 'user', libraryAccess, password });
  const signedIn = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  const { sessionToken: token } = (await signedIn.json()) as { readonly sessionToken: string };
  const ask = async (method: string, route: string, body?: object) => {
    const reply = await fetch(`${server.url}${route}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await reply.json();
    return { status: reply.status, body: answer };
  };
  const { body } = await ask('GET', '/api/profiles');
  const [profile] = (body as { readonly profiles: readonly { readonly id: string }[] }).profiles;
  return { ask, profileId: profile?.id ?? '' };
}

/** What the plugin can do while nobody is there. */
async function act(): Promise<unknown> {
  const { body } = await server.request('POST', '/api/jobs', {
    type: 'marker.act',
    payload: { ids: [items.get('Heat'), items.get('Vault')] },
  });
  const { job } = body as { readonly job: { readonly id: string } };
  let result: unknown;
  await until('it is done', async () => {
    const found = await server.get<{ job: { status: string; result: unknown } }>(
      `/api/jobs/${job.id}`,
    );
    ({ result } = found.job);
    return found.job.status === 'completed';
  });
  return result;
}

test('acts for nobody, then for who agreed as far as that went, and for nobody again', async () => {
  const kid = await newUser('Kid');
  const agreement = `/api/profiles/${kid.profileId}/plugins/${id}/agreement`;
  const asked = await kid.ask('GET', `/api/profiles/${kid.profileId}/plugins`);
  expect(asked.body).toMatchObject({
    plugins: [
      {
        id,
        agreement: {
          asked: 'read',
          agreed: null,
          sentence: expect.stringMatching(/^It may see what you/),
        },
      },
    ],
  });
  expect(await act()).toEqual({ done: [], stranger: 'permission_denied' });

  const denied = ['permission_denied', 'permission_denied'];
  await kid.ask('PUT', agreement, { agrees: true });
  expect(await act()).toMatchObject({ done: [{ level: 'read', titles: ['Heat'], codes: denied }] });

  const { asked: all } = await server.get<{ asked: object }>(`/api/plugins/${id}/permissions`);
  await grant(all);
  expect(await act()).toMatchObject({ done: [{ level: 'read', codes: denied }] });
  const again = await kid.ask('PUT', agreement, { agrees: true });
  expect(again.body).toMatchObject({ plugin: { agreement: { asked: 'write', agreed: 'write' } } });
  expect(await act()).toMatchObject({
    done: [{ level: 'write', titles: ['Heat'], codes: ['done', 'not_found'] }],
  });

  const heat = await kid.ask('GET', `/api/items/${items.get('Heat') ?? ''}/playback`);
  expect(heat.body).toMatchObject({ playback: { completed: true } });
  const other = await newUser('Other');
  expect((await other.ask('PUT', agreement, { agrees: true })).status).toBe(404);
  expect((await kid.ask('PUT', agreement, { agrees: false })).status).toBe(200);
  expect((await kid.ask('PUT', agreement, { agrees: false })).status).toBe(200);
  expect(await act()).toMatchObject({ done: [] });
  const { entries } = await server.get<{ entries: readonly { details: object }[] }>(
    '/api/audit?action=plugin.agreement_changed',
  );
  // What a person does again within an hour is counted, and has no entry yet.
  expect(entries.map(({ details }) => details)).toEqual([
    { profileId: kid.profileId, agrees: true },
  ]);
});
