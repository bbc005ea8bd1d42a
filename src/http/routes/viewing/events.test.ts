import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../../../test/support/servers/http.ts';
import { silentLog } from '../../../../kernel/index.ts';
import { createEventBus, type EventBus } from '../../../../kernel/call/events/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createEventFeed } from '../../../viewing/live-events/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { eventRoutes } from './events.ts';

async function open(): Promise<{
  readonly app: HttpApp;
  readonly bus: EventBus;
  readonly url: string;
}> {
  const nobody = {
    dispatch: () => Promise.reject(new Error('no plugin')),
    unknownHandlers: () => 0,
    isRunning: () => false,
  };
  const bus = createEventBus({ dispatcher: nobody, log: silentLog });
  const feed = createEventFeed({
    events: bus,
    clock: systemClock,
    feedId: 'life',
    isValid: async () => true,
    access: { visibilityIn: () => 'all', filterVisible: async (_viewer, ids) => new Set(ids) },
  });
  const app = await createTestApp([mount(eventRoutes, { feed })]);
  onTestFinished(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { app, bus, url: `http://127.0.0.1:${port}/api/events` };
}

/** Reads the stream until it holds a text. */
async function readUntil(reply: Response, text: string): Promise<string> {
  const reader = reply.body?.getReader();
  let read = '';
  while (!read.includes(text)) {
    const part = await reader?.read();
    if (!part || part.done) throw new Error(`The stream ended without ${text}: ${read}`);
    read += new TextDecoder().decode(part.value);
  }
  await reader?.cancel();
  return read;
}

describe('GET /api/events', () => {
  test('is a stream of server-sent events, which starts at once and sends events as they happen', async () => {
    const { bus, url } = await open();

    const reply = await fetch(`${url}?types=library.item.*`, { headers: bearer('guest') });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    bus.emit('library.created', { libraryId: 'films', name: 'Films' });
    bus.emit('library.item.added', { itemId: 'i', libraryId: 'films', title: 'Film' });

    const text = await readUntil(reply, 'id: life.2');
    expect(text).toContain('data: {"type":"library.item.added"');
    expect(text).not.toContain('library.created');
  });

  test('replays the events after Last-Event-ID', async () => {
    const { bus, url } = await open();
    for (let count = 0; count < 3; count += 1) bus.emit('job.started', { count });

    const reply = await fetch(url, { headers: { ...bearer('admin'), 'last-event-id': 'life.1' } });

    const text = await readUntil(reply, 'id: life.3');
    expect(text).toContain('id: life.2\n');
    expect(text).not.toContain('id: life.1\n');
  });

  test('ends when the server stops, so that a stop does not wait for clients', async () => {
    const { app, url } = await open();
    const reply = await fetch(url, { headers: bearer('admin') });

    await app.close();

    expect(await reply.text()).toBe('retry: 2000\n\n');
  });

  test('answers 400 to a type that is not an event, and 401 without a credential', async () => {
    const { url } = await open();

    const wrong = await fetch(`${url}?types=no.such`, { headers: bearer('admin') });
    const nobody = await fetch(url);

    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toEqual({ error: expect.stringContaining('"no.such"') });
    expect(nobody.status).toBe(401);
  });
});
