/** Webhooks of a real server: what it does reaches a receiver, signed, however the server ends. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { WebhookDelivery } from '../../plugin-api/index.ts';
import {
  startHttpSource,
  type HttpSource,
  type SourceHandler,
} from '../support/servers/http-source.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';
import { testByNight } from '../support/run/test-by-night.ts';
import { defaultEvents } from '../../src/contract/resources/plugins/webhooks.ts';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface MadeWebhook {
  readonly id: string;
  readonly secret: string;
  readonly reason: string | null;
}

interface Receiver extends HttpSource {
  readonly received: Received[];
  /** What it answers from now on. */
  answer: (request: IncomingMessage) => number | Promise<number>;
}

let server: TestServer;

let data: string;
let libraryId: string;

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-webhooks-'));
  const media = path.join(data, 'media');
  await mkdir(media);
  server = await startServer({ data: path.join(data, 'server') });
  const made = await server.request('POST', '/api/libraries', {
    name: 'Films',
    type: 'movies',
    roots: [pathToFileURL(media).href],
  });
  libraryId = (made.body as { library: { id: string } }).library.id;
});

afterAll(async () => {
  await server.stop();
  await rm(data, { recursive: true, force: true });
});

async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const handler: SourceHandler = async (request, response) => {
    const body = await text(request);
    received.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(await receiver.answer(request), { location: '/elsewhere' }).end('{}');
  };
  const source = await startHttpSource(handler);
  onTestFinished(() => source.close());
  const receiver: Receiver = { ...source, received, answer: () => 200 };
  return receiver;
}

const allow = (...hosts: readonly string[]) =>
  server.request('PUT', '/api/plugins/webhooks/configuration', { allowedHosts: hosts });

async function makeWebhook(more: object): Promise<MadeWebhook> {
  const { status, body } = await server.request('POST', '/api/webhooks', { name: 'x', ...more });
  expect({ status, body }).toMatchObject({ status: 201 });
  const made = body as MadeWebhook;
  onTestFinished(async () => {
    await server.request('DELETE', `/api/webhooks/${made.id}`);
  });
  return made;
}

/** Something that happens: `library.updated`, with this name in it. */
async function rename(name: string): Promise<void> {
  const { status } = await server.request('PATCH', `/api/libraries/${libraryId}`, { name });
  expect(status).toBe(200);
}

const names = ({ received }: Receiver): readonly string[] =>
  received.map(({ body }) => (JSON.parse(body) as { data: { name: string } }).data.name);

const deliveriesOf = async (id: string, query = ''): Promise<readonly WebhookDelivery[]> =>
  (
    await server.get<{ deliveries: readonly WebhookDelivery[] }>(
      `/api/webhooks/${id}/deliveries${query}`,
    )
  ).deliveries;

test('an admin cannot let a plugin reach this very server', async () => {
  const { port } = new URL(server.url);
  for (const name of ['localhost', '127.1', '[::ffff:7f00:1]', '0.0.0.0'])
    expect(await allow('nas.local', `${name}:${port}`)).toEqual({
      status: 400,
      body: {
        error: expect.stringContaining(`${name}:${port} is this server itself.`) as string,
      },
    });
});

describe('POST /api/webhooks', () => {
  test('answers with the webhook at top level, and with its secret this once', async () => {
    const { status, body } = await server.request('POST', '/api/webhooks', {
      name: 'Chat',
      url: 'https://192.0.2.1/hook?key=1',
    });
    const { id, secret, reason } = body as MadeWebhook;

    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String) as string,
      name: 'Chat',
      url: 'https://192.0.2.1/hook?key=1',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
      events: defaultEvents,
      enabled: true,
      createdAt: expect.stringMatching(/Z$/) as string,
      updatedAt: expect.stringMatching(/Z$/) as string,
      reason:
        '192.0.2.1 leads to an address that is not on the public internet. The operator can allow it with --net-allow 192.0.2.1.',
    });
    const checked = { ...(body as object), secret: 'whsec_***' };
    expect(await server.get(`/api/webhooks/${id}`)).toEqual(checked);
    const { webhooks } = await server.get<{ webhooks: readonly object[] }>('/api/webhooks');
    expect(webhooks.map((one) => ({ ...one, reason }))).toEqual([checked]);
    const patched = await server.request('PATCH', `/api/webhooks/${id}`, { events: 'job.*' });
    expect(patched).toMatchObject({ status: 200, body: { secret: 'whsec_***', events: 'job.*' } });
    expect(server.output()).not.toContain(secret);
    expect(await server.request('DELETE', `/api/webhooks/${id}`)).toMatchObject({ status: 204 });
    expect(await server.request('GET', `/api/webhooks/${id}`)).toEqual({
      status: 404,
      body: { error: `Webhook ${id} does not exist.` },
    });
  });

  test.each([
    [{ name: 'x' }, 'url'],
    [{ url: 'https://example.org' }, 'name'],
    [{ name: 'x', url: 'nowhere' }, 'body.url: it must be an address'],
    [{ name: 'x', url: 'file:///etc/passwd' }, 'body.url: it begins with file:'],
    [{ name: 'x', url: 'https://a:b@example.org' }, 'user name'],
    [{ name: 'x', url: 'https://example.org', events: 'library.item.lost' }, 'library.item.lost'],
    [{ name: 'x', url: 'https://example.org', events: ' , ' }, 'names no event'],
    [{ name: 'x', url: 'https://example.org', secret: 'whsec_c2hvcnQ=' }, 'body.secret'],
    [{ name: 'x', url: 'https://example.org', secret: 'secret' }, 'body.secret'],
  ])('refuses %j, in the body {error}', async (wanted, why) => {
    const { status, body } = await server.request('POST', '/api/webhooks', wanted);

    expect({ status, body }).toEqual({
      status: 400,
      body: { error: expect.stringContaining(why) as string },
    });
  });
});

describe('a webhook', () => {
  test('is told what happens in order, in bodies that the Standard Webhooks library verifies', async () => {
    const receiver = await startReceiver();
    await allow(receiver.host);
    const { id, secret } = await makeWebhook({ url: `${receiver.url}/hook`, events: 'library.*' });

    for (const name of ['a', 'b', 'c']) await rename(name);
    await until('all arrive', () => receiver.received.length >= 3);

    expect(names(receiver)).toEqual(['a', 'b', 'c']);
    const [first] = receiver.received;
    expect(new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})).toEqual({
      id: first?.headers['webhook-id'],
      type: 'library.updated',
      timestamp: expect.stringMatching(/Z$/) as string,
      data: { libraryId, name: 'a' },
    });
    expect(receiver.requests[0]).toMatchObject({ method: 'POST', path: '/hook' });
    await until('it is noted', async () => {
      const found = await deliveriesOf(id, '?status=delivered');
      return found.length === 3;
    });
  });

  test('on the own network is refused on each attempt until an admin allows its host', async () => {
    const receiver = await startReceiver();
    await allow();
    const plain = await server.request('POST', '/api/webhooks', { name: 'x', url: receiver.url });
    expect(plain).toMatchObject({
      status: 201,
      body: {
        reason: `http://${receiver.host} is not encrypted: use https, or let the operator allow the host with --net-allow ${receiver.host}.`,
      },
    });
    await server.request('DELETE', `/api/webhooks/${(plain.body as MadeWebhook).id}`);
    const { id } = await makeWebhook({ url: receiver.url.replace('http:', 'https:') });
    const { id: named } = await makeWebhook({
      url: receiver.url.replace('127.0.0.1', 'localhost'),
    });

    for (const one of [id, named]) {
      const { body } = await server.request('POST', `/api/webhooks/${one}/test`);
      expect(body).toMatchObject({
        delivery: { status: 'failed', error: expect.stringContaining('net_refused') as string },
      });
    }
    expect(receiver.requests).toEqual([]);

    await allow(receiver.host);
    const changed = await server.request('PATCH', `/api/webhooks/${id}`, { url: receiver.url });
    expect(changed).toMatchObject({ status: 200, body: { reason: null } });
    const { body } = await server.request('POST', `/api/webhooks/${id}/test`);
    expect(body).toMatchObject({ delivery: { status: 'delivered', event: 'webhook.test' } });
  });

  test('is not followed to where it redirects, and is tried again later', async () => {
    const receiver = await startReceiver();
    await allow(receiver.host);
    const { id } = await makeWebhook({ url: `${receiver.url}/hook`, events: 'library.updated' });
    receiver.answer = () => 302;

    await rename('d');
    await until('it is in retry', async () => (await deliveriesOf(id)).length > 0);
    await until('the attempt is noted', async () =>
      (await deliveriesOf(id)).some(({ status }) => status === 'retrying'),
    );

    expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook']);
    expect(await deliveriesOf(id)).toEqual([
      expect.objectContaining({
        event: 'library.updated',
        status: 'retrying',
        attempts: 1,
        responseStatus: 302,
        error: 'It answered 302; redirects are not followed.',
        nextAttemptAt: expect.any(String) as string,
      }),
    ]);
    expect(await deliveriesOf(id, '?status=delivered')).toEqual([]);
  });

  test('that answers slowly delays no other one', async () => {
    const [slow, fast] = [await startReceiver(), await startReceiver()];
    await allow(slow.host, fast.host);
    const answered = Promise.withResolvers<number>();
    slow.answer = () => answered.promise;
    await makeWebhook({ url: slow.url, events: 'library.updated' });
    await makeWebhook({ url: fast.url, events: 'library.updated' });

    for (const name of ['e', 'f', 'g']) await rename(name);
    await until('the fast one has all', () => fast.received.length === 3);

    expect(names(fast)).toEqual(['e', 'f', 'g']);
    expect(names(slow)).toEqual(['e']);
    answered.resolve(200);
    await until('the slow one has all', () => slow.received.length === 3);
  });

  test('that answers 410 is switched off, and the admins are told', async () => {
    const receiver = await startReceiver();
    await allow(receiver.host);
    const { id } = await makeWebhook({
      url: receiver.url,
      name: 'Gone',
      events: 'library.updated',
    });
    receiver.answer = () => 410;

    await rename('h');
    await until('it is off', async () => {
      const { enabled } = await server.get<{ enabled: boolean }>(`/api/webhooks/${id}`);
      return !enabled;
    });

    await until('the admins are told', async () => {
      const { notifications } = await server.get<{ notifications: readonly { title: string }[] }>(
        '/api/notifications',
      );
      return notifications.some(({ title }) => title === 'The webhook Gone was switched off.');
    });
    let failed: string | undefined;
    await until('the delivery has failed', async () => {
      failed = (await deliveriesOf(id, '?status=failed'))[0]?.id;
      return failed !== undefined;
    });
    expect(
      await server.request('POST', `/api/webhooks/${id}/deliveries/${failed}/redeliver`),
    ).toMatchObject({ status: 409 });
  });

  test('that is back gets the test of an admin at once, and then all that waits', async () => {
    const receiver = await startReceiver();
    await allow(receiver.host);
    receiver.answer = () => 502;
    const { id } = await makeWebhook({ url: receiver.url, events: 'library.updated' });
    for (const name of ['1', '2', '3', '4', '5']) await rename(name);
    await until('all were refused', () => receiver.received.length === 5);
    receiver.answer = () => 200;
    receiver.received.length = 0;

    expect(await server.request('POST', `/api/webhooks/${id}/test`)).toMatchObject({
      body: { delivery: { status: 'delivered', responseStatus: 200 } },
    });

    await until('it has all', () => receiver.received.length === 6);
    receiver.received.shift();
    expect(names(receiver)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('gets a delivery again that somebody wants delivered again, with the same id', async () => {
    const receiver = await startReceiver();
    await allow(receiver.host);
    const { id } = await makeWebhook({ url: receiver.url, events: 'library.updated' });
    await rename('i');
    await until('it is noted', async () =>
      (await deliveriesOf(id)).some(({ status }) => status === 'delivered'),
    );
    const [delivery] = await deliveriesOf(id);

    const again = `/api/webhooks/${id}/deliveries/${delivery?.id ?? ''}/redeliver`;
    expect(await server.request('POST', again)).toMatchObject({
      status: 200,
      body: { delivery: { id: delivery?.id, attempts: 0 } },
    });
    await until('it arrives again', () => receiver.received.length === 2);

    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
  });

  testByNight('gets every event after a kill, with the ids that they had', async () => {
    const receiver = await startReceiver();
    await allow(receiver.host);
    const { id } = await makeWebhook({ url: receiver.url, events: 'library.updated' });
    const never = new Promise<number>(() => undefined);
    receiver.answer = () => never;
    const sent = Array.from({ length: 40 }, (_, index) => `killed ${index}`);
    for (const name of sent.slice(0, 20)) await rename(name);
    await until('some wait in the outbox', async () => (await deliveriesOf(id)).length >= 10);
    const known = new Map((await deliveriesOf(id)).map((one) => [one.id, one.event]));
    for (const name of sent.slice(20)) await rename(name);
    // The answer to the last change has just been read: what it told is in the journal at least.
    await server.kill();

    receiver.answer = () => 200;
    server = await startServer({ data: server.data });
    await until('all have arrived', () => new Set(names(receiver)).size === sent.length);

    expect([...new Set(names(receiver))]).toEqual(sent);
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(sent.length);
    expect([...known.keys()].filter((one) => !ids.has(one))).toEqual([]);
  });
});
