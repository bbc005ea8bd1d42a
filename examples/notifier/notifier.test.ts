/**
 * The example notifier on a real server, with a homeserver, a webhook and a topic on the loopback
 * interface.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  sendJson,
  startHttpSource,
  type HttpSource,
} from '../../test/support/servers/http-source.ts';
import { createMediaTree, type MediaTree } from '../../test/support/media/media-tree.ts';
import { jobsOver } from '../../test/support/servers/scan.ts';
import { startServer, until, type TestServer } from '../../test/support/servers/server.ts';

interface Arrived {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const token = 'a-token-that-nobody-may-see';
const webhook = '/api/webhooks/42/a-key-that-nobody-may-see';
const hostile = 'Harbour <b>@everyone *bold* tide (2001)';

let data: string;
let receiver: HttpSource;
let server: TestServer;
let status = 200;
const arrived: Arrived[] = [];
const trees: MediaTree[] = [];
/** The output of all servers of this file. */
const written: string[] = [];

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  await mkdir(path.join(data, 'plugins/notifier'), { recursive: true });
  for (const file of ['manifest.json', 'index.js'])
    await cp(path.join(import.meta.dirname, file), path.join(data, 'plugins/notifier', file));
  receiver = await startHttpSource(receive);
  await start();
  await server.request('PUT', '/api/plugins/notifier/permissions', {
    granted: {
      net: [receiver.host],
      library: 'read',
      kv: { quotaMb: 2 },
      schedule: true,
      hears: ['library', 'jobs', 'plugins', 'server'],
    },
  });
  await configure({ kind: 'matrix', address: receiver.url, room: '!room:example.org', token });
  await running();
});

afterAll(async () => {
  await server.stop();
  await receiver.close();
  for (const tree of trees) await tree.remove();
  await rm(data, { recursive: true });
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const part of request) body += String(part);
  arrived.push({ path: request.url ?? '', headers: request.headers, body });
  sendJson(response, { event_id: '$1' }, {}, status);
}

async function start(): Promise<void> {
  server = await startServer({
    data,
    args: ['--net-allow', receiver.host],
    onLine: (line) => written.push(line),
  });
}

const running = () =>
  until('the plugin runs', async () => {
    const { plugin } = await server.get<{ plugin: { state: string } }>('/api/plugins/notifier');
    return plugin.state === 'running';
  });

async function configure(values: object): Promise<void> {
  const reply = await server.request('PUT', '/api/plugins/notifier/configuration', {
    gatherSeconds: 2,
    ...values,
  });
  expect(reply.status).toBe(200);
}

/** A library with these films, scanned. */
async function scan(name: string, films: readonly string[]): Promise<void> {
  const tree = await createMediaTree(films.map((film) => `${film}/${film}.mkv`));
  trees.push(tree);
  const { body } = await server.request('POST', '/api/libraries', {
    name,
    type: 'movies',
    roots: [tree.path],
  });
  const { id } = (body as { library: { id: string } }).library;
  await server.request('POST', '/api/jobs', { type: 'scan', libraryId: id });
  await jobsOver(server);
}

const about = (text: string): readonly Arrived[] =>
  arrived.filter(({ body, headers }) => (body + String(headers['title'])).includes(text));

const come = (text: string, count = 1) =>
  until(`${count} requests about ${text}`, () => about(text).length >= count);

async function waiting(): Promise<string> {
  const pieces = await server.get<{ id: string; fields?: { key: string; value: string }[] }[]>(
    '/api/plugins/views/ui.settings.sections',
  );
  const pane = pieces.find(({ id }) => id === 'notifier-deliveries');
  return JSON.stringify(pane?.fields ?? []);
}

test('many items of a scan are one message, with the first titles and the number of the others', async () => {
  await scan(
    'Films',
    Array.from({ length: 300 }, (_, at) => `Film ${at} (2001)`),
  );

  await come('300 new in Films');

  expect(arrived).toHaveLength(1);
  const [first] = arrived;
  expect(first?.headers.authorization).toBe(`Bearer ${token}`);
  expect(JSON.parse(first?.body ?? '')).toMatchObject({
    msgtype: 'm.notice',
    body: expect.stringContaining('and 290 more'),
    'm.mentions': {},
  });
});

test('a message that got a 500 is repeated as the same transaction, so Matrix shows it once', async () => {
  status = 500;
  await scan('Failing', ['Late (2001)']);
  await come('1 new in Failing');
  status = 200;

  await come('1 new in Failing', 2);

  const seen = about('1 new in Failing');
  expect(seen.map(({ path: at }) => at)).toEqual([seen[0]?.path, seen[0]?.path]);
  expect(seen[0]?.path).toMatch(
    /^\/_matrix\/client\/v3\/rooms\/!room%3Aexample\.org\/send\/m\.room\.message\/[\w-]+$/,
  );
  await until('it is noted', async () => (await waiting()).includes('sent, attempt 2'));
});

test('a waiting message outlives the server, and arrives once when it is back', async () => {
  status = 500;
  await scan('Restarted', ['Later (2001)']);
  await come('1 new in Restarted');
  await until('it is noted', async () => (await waiting()).includes('Restarted — waiting'));
  await server.kill();
  status = 200;

  await start();
  await come('1 new in Restarted', 2);

  await until('nothing waits', async () => (await waiting()).includes('"value":"nothing"'));
  const seen = about('1 new in Restarted');
  expect(seen).toHaveLength(2);
  expect(new Set(seen.map(({ path: at }) => at)).size).toBe(1);
});

test('a title is shown to Matrix as it is written, and not as HTML', async () => {
  await scan('Hostile', [hostile]);
  await come('1 new in Hostile');

  const body = about('1 new in Hostile')[0]?.body ?? '';

  expect(body).toContain('&lt;b&gt;');
  expect(JSON.parse(body)).toMatchObject({
    formatted_body: expect.not.stringContaining('<b>'),
    body: expect.stringContaining('<b>@everyone *bold*'),
  });
});

test('the same title mentions no one on Discord, and is not markdown', async () => {
  await configure({ address: receiver.url + webhook, libraries: ['chosen'] });
  await scan('Left out', ['Nobody hears of it (2001)']);
  await scan('Chosen', [hostile]);
  await come('1 new in Chosen');

  const [seen] = about('1 new in Chosen');

  expect(seen?.path).toBe(`${webhook}?wait=true`);
  expect(JSON.parse(seen?.body ?? '')).toMatchObject({
    content: expect.stringContaining('\\<b\\>\\@everyone \\*bold\\*'),
    allowed_mentions: { parse: [] },
  });
  expect(about('Left out')).toEqual([]);
});

test('ntfy gets the title as words of RFC 2047 and the lines unchanged', async () => {
  await configure({ kind: 'ntfy', address: `${receiver.url}/topic`, token });
  await scan('Käse & Söhne', ['Über Nacht (2001)']);
  await come('Über Nacht');

  const [seen] = about('Über Nacht');

  expect(seen).toMatchObject({ path: '/topic', headers: { authorization: `Bearer ${token}` } });
  const title = String(seen?.headers['title']);
  expect(title).toMatch(/^[\x20-\x7e]+$/);
  const word = /^=\?UTF-8\?B\?(.+)\?=$/.exec(title)?.[1] ?? '';
  expect(Buffer.from(word, 'base64').toString()).toBe('1 new in Käse & Söhne');
});

test('its action sends a test at once, and names errors without the address', async () => {
  const send = () => server.request('POST', '/api/plugins/notifier/actions/sendTest', {});
  expect((await send()).body).toEqual({ result: { sent: true } });

  await configure({ kind: 'discord', address: `${receiver.url}/no-hook` });
  const { body } = await send();

  expect(body).toEqual({
    result: { sent: false, reason: expect.stringContaining('not a webhook of Discord') },
  });
  expect(await waiting()).toContain('A test of Vitrine — given up');
});

test('neither the token nor the key of the webhook is ever logged or shown', async () => {
  const { body } = await server.request('GET', '/api/plugins/notifier/logs');
  const configured = await server.request('GET', '/api/plugins/notifier');

  const shown = [...written, JSON.stringify(body), JSON.stringify(configured), await waiting()];

  expect(shown.join('\n')).not.toContain('nobody-may-see');
});
