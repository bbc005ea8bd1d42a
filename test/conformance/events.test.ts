/** Conformance with the section "Events" of the service interface specification, as far as events go. */
import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { createDispatcher } from '../../kernel/call/dispatch.ts';
import { catalogueNames, createEventBus, parsePattern } from '../../kernel/call/events/index.ts';
import { eventNames, type EventName } from '../../plugin-api/index.ts';
import {
  fakePlugin,
  finder,
  never,
  recordingLog,
  returned,
  threw,
  type FakePlugin,
} from '../support/plugins/fake-plugins.ts';

/** The table of "Event catalog", row by row. */
const eventCatalog = [
  'library.scan.started, library.scan.progress, library.scan.completed',
  'library.item.added, library.item.updated, library.item.removed, library.item.enriched',
  'library.created, library.updated, library.deleted',
  'job.started, job.progress, job.completed, job.failed',
  'transcode.started, transcode.progress, transcode.stopped',
  'plugin.discovered, plugin.started, plugin.stopped, plugin.restarted, plugin.error',
  'notification.created',
  'playback.progress, playback.completed, playback.removed',
  'scheduler.started',
  'pipeline.item.discovered, pipeline.item.stateChanged, pipeline.item.completed',
  'pipeline.step.started, pipeline.step.completed',
  'admin.pipeline.jobCreated, admin.pipeline.jobUpdated, admin.pipeline.jobCompleted, admin.pipeline.jobFailed, admin.pipeline.taskUpdated, admin.pipeline.jobDetailUpdated',
  'server.shutdown',
].flatMap((row) => row.split(', '));

/** The events that belong to routes beyond the specification. */
const furtherEvents = [
  'playback.marked, playback.entityMarked',
  'collection.created, collection.updated, collection.deleted',
  'user.changed',
  'backup.changed',
].flatMap((row) => row.split(', '));

beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 10, 21) }));

afterEach(() => {
  vi.useRealTimers();
});

function busOver(...plugins: readonly FakePlugin[]) {
  const log = recordingLog();
  const dispatcher = createDispatcher({ find: finder(...plugins), log });
  return { bus: createEventBus({ dispatcher, log }), dispatcher, log };
}

describe('### Event catalog', () => {
  test('plugin-api and the kernel know the events of the table, in its order, and after them the further ones', () => {
    const all = [...eventCatalog, ...furtherEvents];
    expect(eventNames).toEqual(all);
    expect([...catalogueNames]).toEqual(all);
    expectTypeOf<(typeof eventNames)[number]>().toEqualTypeOf<EventName>();
  });

  test.each(eventCatalog)('%s is emitted as an envelope {type, timestamp, data}', async (name) => {
    const plugin = fakePlugin('a');
    const { bus } = busOver(plugin);
    bus.subscribePlugin('a', [name]);

    bus.emit(name as EventName, { some: 'data' });
    await vi.advanceTimersByTimeAsync(0);

    expect(plugin.requests.map(({ inputJson }) => JSON.parse(inputJson) as unknown)).toEqual([
      { type: name, timestamp: '2026-11-21T00:00:00.000Z', data: { some: 'data' } },
    ]);
  });
});

describe('### Naming', () => {
  test('every name is made of dot-separated segments, two or three of them', () => {
    for (const name of eventCatalog) expect(name).toMatch(/^[a-zA-Z0-9]+(\.[a-zA-Z0-9]+){1,2}$/);
  });

  test('library.item.* matches library.item.added but not a name with more segments', () => {
    const parsed = parsePattern('library.item.*');

    expect(parsed.ok && parsed.pattern.matches('library.item.added')).toBe(true);
    expect(parsed.ok && parsed.pattern.matches('library.item.added.more')).toBe(false);
    expect(parsed.ok && parsed.pattern.matches('library.item')).toBe(false);
  });

  test.each(['Library item', 'library.item.', '.library', 'library-item.added', 'li*.added'])(
    '%j is not a name for a subscription',
    (text) => {
      expect(parsePattern(text)).toMatchObject({ ok: false });
    },
  );
});

describe('### Subscription types: Events are fire-and-forget, parallel, 5 s, no retry, return nothing', () => {
  test('all subscribers are asked at once, by the RPC method event.dispatch', () => {
    const plugins = ['a', 'b', 'c'].map((id) => fakePlugin(id, () => never));
    const { bus } = busOver(...plugins);
    for (const { pluginId } of plugins) bus.subscribePlugin(pluginId, ['*.*']);

    bus.emit('library.created', { libraryId: 'l', name: 'Films' });

    for (const { requests } of plugins) {
      expect(requests).toMatchObject([{ method: 'event.dispatch', timeoutMs: 5000 }]);
    }
  });

  test('a subscriber that throws or takes longer than 5 s is not asked again', async () => {
    const thrower = fakePlugin('a', () => threw);
    const hung = fakePlugin('b', () => never);
    const { bus } = busOver(thrower, hung);
    bus.subscribePlugin('a', ['*.*']);
    bus.subscribePlugin('b', ['*.*']);

    bus.emit('job.started', {});
    await vi.advanceTimersByTimeAsync(60_000);

    expect(thrower.requests).toHaveLength(1);
    expect(hung.requests).toHaveLength(1);
    expect([bus.counters('a').failed, bus.counters('b').failed]).toEqual([1, 1]);
  });

  test('what a subscriber returns is ignored', async () => {
    const { bus } = busOver(fakePlugin('a', () => returned({ delta: 'ignored' })));
    bus.subscribePlugin('a', ['*.*']);

    bus.emit('job.started', {});
    await vi.advanceTimersByTimeAsync(0);

    expect(bus.counters('a')).toEqual({ queued: 0, delivered: 1, dropped: 0, failed: 0 });
  });
});

describe('### Declaring subscriptions', () => {
  test("a declared event that the plugin does not handle yields 'unknown handler', a soft error", async () => {
    const { bus, dispatcher, log } = busOver(fakePlugin('a', () => ({ kind: 'unknown-handler' })));
    bus.subscribePlugin('a', ['job.*']);

    bus.emit('job.started', {});
    bus.emit('job.started', {});
    await vi.advanceTimersByTimeAsync(0);

    expect(dispatcher.unknownHandlers('a')).toBe(2);
    expect(log.lines).toEqual(['warn Plugin a has no handler for job.started.']);
  });
});
