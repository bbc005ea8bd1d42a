import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { EventEnvelope, Webhook, WebhookDelivery } from '../../plugin-api/index.ts';
import { createFakeHost, hostError, type Answer, type FakeHost } from './fake-host.ts';
import { retryDelaysMs } from './retry-plan.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

const start = Date.UTC(2026, 10, 21, 7, 44, 53);
const key = Buffer.alloc(32, 7);
const [second, minute] = [1000, 60_000];

/** The plugin over a clock that stands still, and its calls. */
class Scene {
  readonly fake: FakeHost = createFakeHost((message) =>
    createHmac('sha256', key).update(message).digest('base64'),
  );
  now = start;
  webhooks: Webhooks = this.#fresh();
  #events = 0;

  #fresh(): Webhooks {
    return createWebhooks({
      clock: () => this.now,
      random: () => 0.5,
      warn: () => undefined,
      mostQueued: 1000,
    });
  }

  /** The isolate ended, and starts again. */
  restart(): void {
    this.webhooks = this.#fresh();
  }

  async add(id: string, more: Partial<Webhook> = {}): Promise<void> {
    const at = new Date(start).toISOString();
    const webhook = {
      id,
      name: `Hook ${id}`,
      url: `https://${id}.example/hook?key=1`,
      events: '*',
      enabled: true,
      secretName: `webhook.${id}`,
      createdAt: at,
      updatedAt: at,
      ...more,
    };
    expect(await this.webhooks.admin.create({ webhook }, this.fake.host)).toEqual({ webhook });
  }

  happen(count: number, type = 'library.updated'): readonly string[] {
    return Array.from({ length: count }, () => {
      this.#events += 1;
      const id = `event-${String(this.#events).padStart(6, '0')}`;
      const timestamp = new Date(this.now).toISOString();
      this.fake.logged.push({ id, event: { type, timestamp, data: { n: this.#events } } });
      return id;
    });
  }

  async deliver(): Promise<void> {
    await this.webhooks.takeInAndDeliver({}, this.fake.host);
  }

  /** Moves to the next scheduled time, and wakes the plugin. */
  async wake(): Promise<void> {
    const at = this.fake.wakes.get('deliver') ?? Number.NaN;
    this.fake.wakes.delete('deliver');
    this.now = Math.max(this.now, at);
    await this.webhooks.deliverDue({ name: 'deliver' }, this.fake.host);
  }

  idsSentTo(id: string): readonly string[] {
    return this.fake.sent
      .filter(({ url }) => url.includes(`//${id}.`))
      .map(({ headers = {} }) => headers['webhook-id'] ?? '');
  }

  async deliveries(id: string, more: object = {}): Promise<readonly WebhookDelivery[]> {
    const page = await this.webhooks.listDeliveries({ id, limit: 500, ...more }, this.fake.host);
    return page?.deliveries ?? [];
  }

  async statuses(id: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { status } of await this.deliveries(id)) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }
}

describe('an attempt', () => {
  test('is a POST of the envelope with its id, signed as Standard Webhooks has it', async () => {
    const scene = new Scene();
    await scene.add('a');
    const [id = ''] = scene.happen(1);

    await scene.deliver();

    const [{ headers = {}, body = '', ...sent } = {}] = scene.fake.sent;
    expect(sent).toEqual({
      url: 'https://a.example/hook?key=1',
      method: 'POST',
      timeoutMs: 10_000,
      redirect: 'manual',
      bodyAs: 'none',
      lane: 0,
      pauses: 'own',
    });
    expect(JSON.parse(body)).toEqual({
      id,
      type: 'library.updated',
      timestamp: '2026-11-21T07:44:53.000Z',
      data: { n: 1 },
    });
    expect(headers).toEqual({
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(start / 1000)),
      'webhook-signature': new StandardWebhook(key.toString('base64')).sign(
        id,
        new Date(start),
        body,
      ),
    });
  });

  test.each([200, 201, 204, 299])('is accepted when it is answered with %i', async (status) => {
    const scene = new Scene();
    await scene.add('a');
    scene.happen(1);
    scene.fake.answer = () => status;

    await scene.deliver();

    expect(await scene.deliveries('a')).toMatchObject([
      { status: 'delivered', attempts: 1, responseStatus: status, error: null },
    ]);
    expect(scene.fake.wakes.size).toBe(0);
  });

  test.each<[string, Answer, string]>([
    ['302', 302, 'redirects are not followed'],
    ['404', 404, 'It answered 404.'],
    ['500', 500, 'It answered 500.'],
    ['nothing in time', hostError('net_timeout'), 'net_timeout'],
    ['no connection', hostError('net_unreachable'), 'net_unreachable'],
    ['an address of the own network', hostError('net_refused'), 'net_refused'],
  ])('fails on %s, and is repeated 5 seconds later', async (_, answer, error) => {
    const scene = new Scene();
    await scene.add('a');
    const [id = ''] = scene.happen(1);
    scene.fake.answer = () => answer;
    await scene.deliver();

    expect(await scene.deliveries('a')).toMatchObject([
      { id, status: 'retrying', attempts: 1, error: expect.stringContaining(error) as string },
    ]);
    const wakeAt = scene.fake.wakes.get('deliver') ?? 0;
    expect(wakeAt - start).toBe(5500);

    scene.fake.answer = () => 200;
    await scene.wake();
    expect(scene.idsSentTo('a')).toEqual([id, id]);
    expect(scene.fake.sent[0]?.body).toBe(scene.fake.sent[1]?.body);
    expect(await scene.statuses('a')).toEqual({ delivered: 1 });
  });

  test('that the server itself refuses does not count, and is repeated soon', async () => {
    const scene = new Scene();
    await scene.add('a');
    scene.happen(1);
    scene.fake.answer = () => hostError('quota_exceeded');

    await scene.deliver();

    expect(await scene.deliveries('a')).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect(scene.fake.wakes.get('deliver')).toBe(start + 5 * second);
  });
});

describe('a delivery that fails', () => {
  test('is attempted eight times with growing waits and jitter, then fails with a notification', async () => {
    const scene = new Scene();
    await scene.add('a');
    const [id = ''] = scene.happen(1);
    const at: number[] = [];
    scene.fake.answer = () => {
      at.push(scene.now);
      return 500;
    };

    await scene.deliver();
    while (scene.fake.wakes.size > 0) await scene.wake();

    const waits = at.slice(1).map((moment, index) => moment - (at[index] ?? 0));
    expect(waits).toEqual(retryDelaysMs.map((delay) => Math.round(delay * 1.1)));
    expect(await scene.deliveries('a')).toMatchObject([
      { id, status: 'failed', attempts: 8, responseStatus: 500, nextAttemptAt: null },
    ]);
    expect(scene.fake.notices).toEqual(['The webhook Hook a does not get its events.']);
  });

  test('waits at least as long as a busy receiver asks for', async () => {
    const scene = new Scene();
    await scene.add('a');
    scene.happen(2);
    scene.fake.answer = () => ({ status: 429, headers: { 'retry-after': '120' } });

    await scene.deliver();

    expect(scene.fake.sent).toHaveLength(1);
    expect(scene.fake.wakes.get('deliver')).toBe(start + 2 * minute);
  });

  test('is overtaken by the next one as soon as it is in retry, not before', async () => {
    const scene = new Scene();
    await scene.add('a');
    const [first = '', next = '', last = ''] = scene.happen(3);
    scene.fake.answer = ({ headers }) => (headers?.['webhook-id'] === first ? 500 : 200);

    await scene.deliver();

    expect(scene.idsSentTo('a')).toEqual([first, next, last]);
    expect(await scene.statuses('a')).toEqual({ retrying: 1, delivered: 2 });
  });
});

describe('a receiver', () => {
  test('that fails five times in a row is paused, longer each time, and then gets one request', async () => {
    const scene = new Scene();
    await scene.add('a');
    scene.happen(100);
    scene.fake.answer = () => 500;

    await scene.deliver();
    expect(scene.fake.sent).toHaveLength(5);
    expect(scene.fake.wakes.get('deliver')).toBe(start + 30 * second);

    await scene.wake();
    expect(scene.fake.sent).toHaveLength(6);
    expect(scene.fake.wakes.get('deliver')).toBe(start + 90 * second);

    scene.fake.answer = () => 200;
    await scene.wake();
    for (let rounds = 0; scene.fake.wakes.size > 0 && rounds < 10; rounds += 1) await scene.wake();
    expect(await scene.statuses('a')).toEqual({ delivered: 100 });
  });

  test('that is back gets all waiting deliveries at once, in their order', async () => {
    const scene = new Scene();
    await scene.add('a');
    const ids = scene.happen(10);
    scene.fake.answer = () => 500;
    await scene.deliver();
    for (let failures = 5; failures < 12; failures += 1) await scene.wake();
    const before = scene.fake.sent.length;

    scene.fake.answer = () => 200;
    await scene.wake();
    const at = scene.now;

    const sent = scene.idsSentTo('a').slice(before);
    expect(sent.slice(1)).toEqual(ids.filter((id) => id !== sent[0]));
    expect(scene.now).toBe(at);
    expect(await scene.statuses('a')).toEqual({ delivered: 10 });
  });

  test('that accepts a test gets all waiting deliveries at once, in their order', async () => {
    const scene = new Scene();
    await scene.add('a');
    const ids = scene.happen(10);
    scene.fake.answer = () => hostError('net_refused');
    await scene.deliver();
    for (let failures = 5; failures < 12; failures += 1) await scene.wake();

    scene.fake.answer = () => 200;
    await scene.webhooks.admin.test({ id: 'a', deliveryId: 'test-1' }, scene.fake.host);
    const before = scene.fake.sent.length;
    expect(scene.fake.wakes.get('deliver')).toBe(scene.now + second);
    await scene.wake();

    expect(scene.idsSentTo('a').slice(before)).toEqual(ids);
    expect(await scene.statuses('a')).toEqual({ delivered: 11 });
  });

  test('that refuses one event spends no attempt of it when it accepts another', async () => {
    const scene = new Scene();
    await scene.add('a');
    const [refused] = scene.happen(5);
    scene.fake.answer = ({ headers = {} }) => (headers['webhook-id'] === refused ? 500 : 200);

    await scene.deliver();

    expect(scene.fake.sent).toHaveLength(5);
    expect(scene.fake.wakes.get('deliver')).toBe(start + 5500);
  });

  test('that is slow delays no other, and gets its own deliveries in order', async () => {
    const scene = new Scene();
    await scene.add('slow');
    await scene.add('fast');
    const ids = scene.happen(70);
    const answered = Promise.withResolvers<number>();
    scene.fake.answer = ({ url }) => (url.includes('slow') ? answered.promise : 200);

    const delivering = scene.deliver();
    while (scene.idsSentTo('fast').length < 70) await new Promise(setImmediate);
    expect(scene.idsSentTo('slow')).toEqual(ids.slice(0, 1));
    expect(scene.fake.sent.map(({ lane }) => lane)).toContain(1);

    answered.resolve(200);
    await delivering;
    expect(scene.idsSentTo('slow')).toEqual(ids);
    expect(scene.idsSentTo('fast')).toEqual(ids);
  });

  test('that is gone gets nothing more, and keeps its waiting deliveries until it is enabled', async () => {
    const scene = new Scene();
    await scene.add('a');
    const [, ...rest] = scene.happen(3);
    scene.fake.answer = () => 410;
    await scene.deliver();

    expect(scene.fake.sent).toHaveLength(1);
    expect(scene.fake.notices).toEqual(['The webhook Hook a was switched off.']);
    expect(scene.fake.followed()).toEqual([]);
    expect(await scene.statuses('a')).toEqual({ failed: 1, pending: 2 });

    scene.fake.answer = () => 200;
    const changes = { enabled: true, updatedAt: new Date(start).toISOString() };
    await scene.webhooks.admin.update({ id: 'a', changes }, scene.fake.host);
    await scene.wake();
    expect(scene.idsSentTo('a').slice(1)).toEqual(rest);
  });
});

describe('the way from an event to the outbox', () => {
  test('takes matching events to each webhook, and follows no others', async () => {
    const scene = new Scene();
    await scene.add('jobs', { events: 'job.*, library.deleted,,' });
    await scene.add('scans', { events: 'library.scan.completed' });
    expect(scene.fake.followed()).toEqual(['job.*', 'library.deleted', 'library.scan.completed']);
    scene.happen(1, 'job.failed');
    scene.happen(1, 'library.scan.completed');
    scene.happen(1, 'library.updated');

    await scene.deliver();

    const types = async (id: string) => (await scene.deliveries(id)).map(({ event }) => event);
    expect(await types('jobs')).toEqual(['job.failed']);
    expect(await types('scans')).toEqual(['library.scan.completed']);
    expect(scene.fake.logged).toEqual([]);
  });

  test.each(['kv.batch', 'eventLog.release', 'net.fetch'])(
    'loses nothing when the plugin ends at any call of %s, and repeats only with the same ids',
    async (call) => {
      for (let at = 1; at <= 6; at += 1) {
        const scene = new Scene();
        await scene.add('a');
        const ids = scene.happen(450);
        let calls = 0;
        let isDead = false;
        scene.fake.before = (name) => {
          if (name === call) calls += 1;
          isDead ||= calls === at;
          if (isDead) throw hostError('plugin_gone');
        };
        await scene.deliver().catch(() => undefined);
        scene.fake.before = () => undefined;
        scene.restart();

        await scene.deliver();
        while (scene.fake.wakes.size > 0) await scene.wake();

        expect(new Set(scene.idsSentTo('a'))).toEqual(new Set(ids));
        expect(await scene.statuses('a')).toEqual({ delivered: 450 });
      }
    },
  );

  test('includes a webhook that was made meanwhile', async () => {
    const scene = new Scene();
    await scene.add('a');
    const [, late] = scene.happen(2);
    scene.fake.logged.pop();
    let isMade = false;
    scene.fake.before = async (name) => {
      if (name !== 'kv.scan' || isMade) return;
      isMade = true;
      await scene.add('b');
      const timestamp = new Date(start).toISOString();
      const event = { type: 'library.updated', timestamp, data: {} };
      scene.fake.logged.push({ id: late ?? '', event });
    };

    await scene.deliver();

    expect(scene.idsSentTo('b')).toContain(late);
  });

  test('fails at once deliveries that have no room, so that they can be seen', async () => {
    const scene = new Scene();
    await scene.add('a');
    scene.fake.answer = () => 500;
    scene.happen(1000);
    await scene.deliver();
    scene.restart();
    scene.happen(1000);
    await scene.deliver();
    scene.restart();
    scene.happen(1);

    await scene.deliver();

    const [newest] = await scene.deliveries('a', { limit: 1 });
    expect(newest).toMatchObject({
      status: 'failed',
      attempts: 0,
      error: 'Too many deliveries were waiting for this webhook.',
    });
  });

  test('is limited in time: the rest is for the next call', async () => {
    const scene = new Scene();
    await scene.add('a');
    scene.happen(2000);
    scene.fake.before = (name) => {
      if (name === 'eventLog.read') scene.now += 10 * second;
    };

    await scene.deliver();

    expect(scene.fake.logged.length).toBeGreaterThan(0);
  });
});

describe('a run', () => {
  test('that stopped when its call ended is given up, and another continues', async () => {
    const scene = new Scene();
    await scene.add('a');
    const ids = scene.happen(3);
    scene.fake.before = (name) => (name === 'net.fetch' ? new Promise(() => undefined) : undefined);
    void scene.deliver();
    for (let rounds = 0; rounds < 50; rounds += 1) await new Promise(setImmediate);
    scene.fake.before = () => undefined;

    await scene.webhooks.deliverDue({}, scene.fake.host);
    expect(scene.idsSentTo('a')).toEqual([]);

    scene.now += 31 * second;
    await scene.webhooks.deliverDue({}, scene.fake.host);
    expect(scene.idsSentTo('a')).toEqual(ids);
  });

  test('ends after its time, and schedules the rest', async () => {
    const scene = new Scene();
    await scene.add('a');
    scene.happen(10);
    scene.fake.answer = () => {
      scene.now += 9 * second;
      return 200;
    };

    await scene.deliver();
    expect(scene.fake.sent).toHaveLength(3);
    expect(scene.fake.wakes.get('deliver')).toBe(scene.now + second);

    while (scene.fake.wakes.size > 0) await scene.wake();
    expect(scene.fake.sent).toHaveLength(10);
  });

  test('that ends with the plugin stores what was accepted, and begins nothing else', async () => {
    const scene = new Scene();
    await scene.add('a');
    scene.happen(5);
    const answered = Promise.withResolvers<number>();
    scene.fake.answer = () => (scene.fake.sent.length === 3 ? answered.promise : 200);
    const delivering = scene.deliver();
    while (scene.fake.sent.length < 3) await new Promise(setImmediate);

    await scene.webhooks.stop({}, scene.fake.host);
    expect(await scene.statuses('a')).toEqual({ delivered: 2, pending: 3 });

    answered.resolve(200);
    await delivering;
    expect(scene.fake.sent).toHaveLength(3);
    expect(await scene.statuses('a')).toEqual({ delivered: 3, pending: 2 });
  });
});

describe('the list of deliveries', () => {
  test('is paged with the newest first, of one status or of all', async () => {
    const scene = new Scene();
    await scene.add('a');
    const ids = scene.happen(7);
    scene.fake.answer = ({ headers }) =>
      Number(headers?.['webhook-id']?.slice(-1)) % 2 === 0 ? 500 : 200;
    await scene.deliver();

    const first = await scene.deliveries('a', { limit: 4 });
    const rest = await scene.deliveries('a', { limit: 4, after: first.at(-1)?.id });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(ids.toReversed());
    const retrying = await scene.deliveries('a', { status: 'retrying' });
    expect(retrying.map(({ id }) => id)).toEqual([ids[5], ids[3], ids[1]]);
  });

  test('keeps the last 500 accepted deliveries', async () => {
    const scene = new Scene();
    await scene.add('a');
    scene.happen(900);

    await scene.deliver();

    const page = await scene.webhooks.listDeliveries({ id: 'a', limit: 2000 }, scene.fake.host);
    expect(page?.deliveries.length).toBeGreaterThanOrEqual(500);
    expect(page?.deliveries.length).toBeLessThanOrEqual(600);
  });

  test('of an unknown webhook does not exist', async () => {
    const scene = new Scene();

    expect(await scene.webhooks.listDeliveries({ id: 'x', limit: 1 }, scene.fake.host)).toBeNull();
  });
});

describe('an admin', () => {
  test('redelivers any delivery from the beginning', async () => {
    const scene = new Scene();
    await scene.add('a');
    const [taken = '', refused = ''] = scene.happen(2);
    scene.fake.answer = ({ headers }) => (headers?.['webhook-id'] === refused ? 500 : 200);
    await scene.deliver();

    scene.fake.answer = () => 200;
    for (const deliveryId of [taken, refused]) {
      const { delivery } =
        (await scene.webhooks.admin.redeliver({ id: 'a', deliveryId }, scene.fake.host)) ?? {};
      expect(delivery).toMatchObject({ id: deliveryId, attempts: 0, status: 'retrying' });
    }
    await scene.wake();

    expect(scene.idsSentTo('a').slice(2)).toEqual([taken, refused]);
    expect(await scene.statuses('a')).toEqual({ delivered: 2 });
    const unknown = { id: 'a', deliveryId: 'x' };
    expect(await scene.webhooks.admin.redeliver(unknown, scene.fake.host)).toBeNull();
  });

  test('tests a webhook, also a disabled one, and sees the result', async () => {
    const scene = new Scene();
    await scene.add('a', { enabled: false });
    scene.fake.answer = () => 503;

    const asked = { id: 'a', deliveryId: 'test-1' };
    const { delivery } = (await scene.webhooks.admin.test(asked, scene.fake.host)) ?? {};

    expect(delivery).toMatchObject({ id: 'test-1', event: 'webhook.test', status: 'failed' });
    const { type, data } = JSON.parse(scene.fake.sent[0]?.body ?? '') as EventEnvelope;
    expect({ type, data }).toEqual({
      type: 'webhook.test',
      data: { webhookId: 'a', name: 'Hook a' },
    });
    expect(scene.fake.wakes.size).toBe(0);
  });

  test('removes a webhook with its waiting deliveries', async () => {
    const scene = new Scene();
    await scene.add('a');
    scene.happen(300);
    scene.fake.answer = () => 500;
    await scene.deliver();

    expect(await scene.webhooks.admin.remove({ id: 'a' }, scene.fake.host)).toEqual({
      removed: true,
    });
    expect([...scene.fake.kv.keys()]).toEqual(['taken']);
    expect(scene.fake.followed()).toEqual([]);
    expect(await scene.webhooks.admin.remove({ id: 'a' }, scene.fake.host)).toEqual({
      removed: false,
    });
  });

  test('may have 50 webhooks, each with a lane of its own', async () => {
    const scene = new Scene();
    for (let no = 0; no < 50; no += 1) await scene.add(`hook-${String(no).padStart(2, '0')}`);
    await scene.webhooks.admin.remove({ id: 'hook-07' }, scene.fake.host);
    await scene.add('hook-99');

    const webhook = { ...(await scene.webhooks.admin.list({}, scene.fake.host)).webhooks[0] };
    const more = { webhook: { ...(webhook as Webhook), id: 'hook-aa' } };
    expect(await scene.webhooks.admin.create(more, scene.fake.host)).toBeNull();
    const lanes = [...scene.fake.kv].flatMap(([name, value]) =>
      name.startsWith('hook/') ? [(value as { lane: number }).lane] : [],
    );
    expect(new Set(lanes).size).toBe(50);
    expect(Math.max(...lanes)).toBe(49);
  });
});
