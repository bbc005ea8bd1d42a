/** Plugins that pass notifications on, on a server as it is. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writePlugin } from '../faults/write-plugin.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const ids = ['taker', 'denied', 'thrower', 'narrowed'] as const;
let data: string;
let server: TestServer;
let tree: MediaTree;

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  tree = await createMediaTree(['One (2001).mkv']);
  for (const id of ids)
    await writePlugin(data, {
      id,
      capabilities: ['notifier'],
      permissions: { notifications: true },
      actions: ['taken', 'tell'],
      definition: `
        methods: { 'notifier.deliver': (input) => {
          taken.push(input);
          if (${JSON.stringify(id)} === 'thrower') throw new Error('It passes nothing on.');
        } },
        actions: {
          taken: () => taken,
          tell: ({ title }, host) => host.notifications.tell({ level: 'warning', title }),
        },
        };
        const taken = [];
        void {`,
    });
  server = await startServer({ data, args: ['--library', `movies:Vault:${tree.path}`] });
  for (const id of ids)
    await server.request('PUT', `/api/plugins/${id}/permissions`, {
      granted: { notifications: true, ...(id !== 'denied' && { serves: ['notifier'] }) },
      ...(id === 'narrowed' && { libraries: [] }),
    });
  await until('all run', async () => {
    const { plugins } = await server.get<{ plugins: readonly { id: string; state: string }[] }>(
      '/api/plugins',
    );
    return ids.every((id) => plugins.some((one) => one.id === id && one.state === 'running'));
  });
});

afterAll(async () => {
  await server.stop();
  await tree.remove();
  await rm(data, { recursive: true, force: true });
});

interface Taken {
  readonly notification: { readonly title: string; readonly source: string };
}
const act = (id: string, name: string, body: object = {}) =>
  server.request('POST', `/api/plugins/${id}/actions/${name}`, body);
/** What a plugin was given of other plugins. The server's own notifications of the start come beside them. */
const takenBy = async (id: string): Promise<readonly Taken[]> => {
  const { body } = await act(id, 'taken');
  const { result } = body as { readonly result: readonly Taken[] };
  return result.filter(({ notification }) => notification.source !== 'plugins');
};
const titlesOf = async (id: string) =>
  (await takenBy(id)).map(({ notification }) => notification.title);

test('each that was granted it gets a notification once, also when another one fails', async () => {
  await act('denied', 'tell', { title: 'The disk is full.' });
  await until('it has it', async () => (await titlesOf('taker')).length > 0);
  await until('it has it', async () => (await titlesOf('thrower')).length > 0);

  const { notifications } = await server.get<{ notifications: readonly object[] }>(
    '/api/notifications',
  );
  const kept = notifications.find((one) => 'title' in one && one.title === 'The disk is full.');
  const taken = (await takenBy('taker')).map(({ notification }) => ({ ...notification }));
  expect(taken).toMatchObject([{ level: 'warning', message: '', source: 'plugin denied' }]);
  expect(taken.map((one) => ({ ...one, readAt: null }))).toEqual([kept]);
  expect(taken[0]).not.toHaveProperty('readAt');
  expect(await titlesOf('thrower')).toEqual(['The disk is full.']);
  const { body } = await server.request('GET', '/api/plugins/thrower/logs');
  expect(JSON.stringify(body)).toMatch(/notifier\.deliver.*It passes nothing on\./);
  expect([await titlesOf('denied'), await titlesOf('narrowed')]).toEqual([[], []]);
});

test('notifications are not sent back to their plugin, nor sent when they name a hidden library or come from a plugin that may know it', async () => {
  const { libraries } = await server.get<{ libraries: readonly { id: string }[] }>(
    '/api/libraries',
  );
  const at = `/api/libraries/${libraries[0]?.id ?? ''}`;
  const hid = await server.request('PATCH', at, { hidden: true });
  await act('narrowed', 'tell', { title: 'The job scan of Vault failed.' });
  await act('taker', 'tell', { title: 'The key ran out.' });
  await act('denied', 'tell', { title: 'T l u a V' });
  await act('narrowed', 'tell', { title: 'The last one.' });
  await until('it has it', async () => (await titlesOf('taker')).includes('The last one.'));
  await until('it has it', async () => (await titlesOf('thrower')).includes('The last one.'));

  expect(hid.status).toBe(200);
  expect(await titlesOf('taker')).toEqual(['The disk is full.', 'The last one.']);
  expect(await titlesOf('thrower')).toEqual(['The disk is full.', 'The last one.']);
});
