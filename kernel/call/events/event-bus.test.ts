import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  fakePlugin,
  finder,
  never,
  recordingLog,
  returned,
  threw,
} from '../../../test/support/plugins/fake-plugins.ts';
import { createDispatcher } from '../dispatch.ts';
import type { KernelError } from '../../errors.ts';
import type { PluginReply, PluginRequest, RunningPlugin } from '../running-plugin.ts';
import { createEventBus } from './index.ts';

const item = { itemId: 'i', libraryId: 'l', title: 'Alien' };

beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 7, 44, 53, 123) }));

afterEach(() => {
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect(left).toBe(0);
});

function busOver(...plugins: readonly RunningPlugin[]) {
  const log = recordingLog();
  return {
    bus: createEventBus({ dispatcher: createDispatcher({ find: finder(...plugins) }), log }),
    log,
  };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

/** The names in the envelopes that a plugin got, in order. */
const types = (requests: readonly PluginRequest[]) =>
  requests.map(({ inputJson }) => (JSON.parse(inputJson) as { type: string }).type);

/** The `n` in the envelopes that a plugin got, in order. */
const numbers = (requests: readonly PluginRequest[]) =>
  requests.map(({ inputJson }) => (JSON.parse(inputJson) as { data: { n: number } }).data.n);

describe('emit', () => {
  test('gives plugins the envelope {type, timestamp, data} by event.dispatch, with 5 s', async () => {
    const plugin = fakePlugin('a');
    const { bus } = busOver(plugin);
    bus.subscribePlugin('a', ['library.item.added']);

    bus.emit('library.item.added', item);
    await settle();

    expect(plugin.requests).toEqual([
      { method: 'event.dispatch', inputJson: expect.any(String), timeoutMs: 5000 },
    ]);
    expect(JSON.parse(plugin.requests[0]!.inputJson)).toEqual({
      type: 'library.item.added',
      timestamp: '2026-11-21T07:44:53.123Z',
      data: item,
    });
    expect(bus.counters('a')).toEqual({ queued: 0, delivered: 1, dropped: 0, failed: 0 });
  });

  test('serialises an event once for all subscribers, and not at all without subscribers', async () => {
    const plugins = ['a', 'b', 'c'].map((id) => fakePlugin(id));
    const { bus } = busOver(...plugins);
    const toJSON = vi.fn(() => item);
    bus.emit('job.started', { toJSON });
    expect(toJSON).not.toHaveBeenCalled();
    for (const { pluginId } of plugins) bus.subscribePlugin(pluginId, ['library.item.*']);
    const heard: string[] = [];
    bus.listen('library.*.added', (_, json) => heard.push(json));

    bus.emit('library.item.added', { toJSON });
    await settle();

    expect(toJSON).toHaveBeenCalledTimes(1);
    const all = [...heard, ...plugins.flatMap(({ requests }) => requests.map((r) => r.inputJson))];
    expect(all).toHaveLength(4);
    expect(new Set(all).size).toBe(1);
  });

  test('delivers once to a plugin with several matching patterns', async () => {
    const plugin = fakePlugin('a');
    const { bus } = busOver(plugin);
    bus.subscribePlugin('a', ['library.item.*', '*.item.added']);
    bus.subscribePlugin('a', ['library.item.added']);

    bus.emit('library.item.added', item);
    await settle();

    expect(plugin.requests).toHaveLength(1);
  });

  test('reaches exactly those whose pattern fits', async () => {
    const patterns = ['library.item.added', 'library.item.*', '*.*', '*.*.*', 'job.started'];
    const names = ['library.item.added', 'library.created', 'job.started', 'plugin.x.y'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.subarray(patterns), { maxLength: 5 }),
        fc.constantFrom(...names),
        async (subscriptions, name) => {
          const plugins = subscriptions.map((_, index) => fakePlugin(`p${index}`));
          const { bus } = busOver(...plugins);
          subscriptions.forEach((texts, index) => bus.subscribePlugin(`p${index}`, texts));
          bus.emit(name, {});
          await settle();

          const fits = (text: string) =>
            new RegExp(`^${text.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`).test(name);
          expect(plugins.map(({ requests }) => requests.length)).toEqual(
            subscriptions.map((texts) => Number(texts.some(fits))),
          );
        },
      ),
    );
  });

  test('never retries: a throw counts as failed, and the next event is delivered', async () => {
    const replies = [threw, returned(null)];
    const plugin = fakePlugin('a', () => replies.shift() ?? threw);
    const { bus, log } = busOver(plugin);
    bus.subscribePlugin('a', ['job.*']);

    bus.emit('job.started', {});
    bus.emit('job.completed', {});
    await settle();

    expect(types(plugin.requests)).toEqual(['job.started', 'job.completed']);
    expect(bus.counters('a')).toMatchObject({ delivered: 1, failed: 1 });
    expect(log.lines).toEqual(['warn Plugin a failed on the event job.started.']);
  });

  test('is not delayed by a subscriber that hangs, nor are the other subscribers', async () => {
    const hung = fakePlugin('a', () => never);
    const quick = fakePlugin('b');
    const { bus } = busOver(hung, quick);
    bus.subscribePlugin('a', ['job.*']);
    bus.subscribePlugin('b', ['job.*']);

    for (let n = 0; n < 200; n += 1) {
      bus.emit('job.progress', { n });
      await settle();
    }

    expect(numbers(quick.requests)).toEqual(Array.from({ length: 200 }, (_, n) => n));
    expect(bus.counters('a')).toMatchObject({ delivered: 0, queued: 200 - 64 });
    await vi.runAllTimersAsync();
  });

  test('frees the place of a call without an answer in 5 s for the next event', async () => {
    const hung = fakePlugin('a', () => never);
    const { bus } = busOver(hung);
    bus.subscribePlugin('a', ['job.*']);
    for (let n = 0; n < 65; n += 1) bus.emit('job.progress', { n });
    await settle();
    expect(hung.requests).toHaveLength(64);

    await vi.advanceTimersByTimeAsync(5050);

    expect(numbers(hung.requests).at(-1)).toBe(64);
    expect(bus.counters('a')).toMatchObject({ failed: 64, queued: 0 });
    await vi.runAllTimersAsync();
  });

  test('never throws for data that is not JSON, and says so in the log', () => {
    const { bus, log } = busOver();
    const listener = vi.fn();
    bus.listen('job.started', listener);
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;

    bus.emit('job.started', circular);

    expect(listener).not.toHaveBeenCalled();
    expect(log.lines).toEqual(['error Event job.started has data that is not JSON.']);
  });

  test.each(['library.item.burned', 'plugin.demo', 'plugin.De-mo.x', 'job.*', ''])(
    'refuses %j, for no such event can occur',
    (name) => {
      const { bus } = busOver();

      expect(() => bus.emit(name as 'job.started', {})).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }) as KernelError,
      );
    },
  );

  test('keeps the order of emission when a listener emits another event', async () => {
    const plugin = fakePlugin('a');
    const { bus } = busOver(plugin);
    bus.subscribePlugin('a', ['*.*']);
    bus.listen('job.started', () => bus.emit('job.completed', {}));

    bus.emit('job.started', {});
    await settle();

    expect(types(plugin.requests)).toEqual(['job.started', 'job.completed']);
  });
});

describe("a plugin's queue", () => {
  test('holds 1000 events; past it the oldest are dropped, counted, and logged once', async () => {
    const firsts = Array.from({ length: 64 }, () => Promise.withResolvers<PluginReply>());
    let started = 0;
    const plugin = fakePlugin('a', () => firsts[started++]?.promise ?? returned(null));
    const { bus, log } = busOver(plugin);
    bus.subscribePlugin('a', ['job.*']);

    for (let n = 0; n < 64 + 1000 + 5; n += 1) bus.emit('job.progress', { n });
    expect(bus.counters('a')).toMatchObject({ queued: 1000, dropped: 5 });
    for (const first of firsts) first.resolve(returned(null));
    await vi.runAllTimersAsync();

    const expected = Array.from({ length: 64 + 1005 }, (_, n) => n);
    expected.splice(64, 5);
    expect(numbers(plugin.requests)).toEqual(expected);
    expect(bus.counters('a')).toEqual({ queued: 0, delivered: 1064, dropped: 5, failed: 0 });
    expect(log.lines).toEqual(['warn Plugin a is behind: its oldest events are lost.']);
  });

  test('is bounded in text too, so that few large events take no more memory than many small', () => {
    const limits = { textCapacity: 1000, inFlight: 0 };
    const dispatcher = createDispatcher({ find: finder(fakePlugin('a')) });
    const bus = createEventBus({ dispatcher, log: recordingLog(), limits });
    bus.subscribePlugin('a', ['job.*']);

    for (let n = 0; n < 10; n += 1) bus.emit('job.progress', { text: 'x'.repeat(300) });

    expect(bus.counters('a')).toMatchObject({ queued: 2, dropped: 8 });
  });

  test('waits while the plugin restarts, and goes on in order when it is back', async () => {
    const running: RunningPlugin[] = [];
    const dispatcher = createDispatcher({ find: (id) => finder(...running)(id) });
    const bus = createEventBus({ dispatcher, log: recordingLog() });
    bus.subscribePlugin('a', ['job.*']);
    for (let n = 0; n < 3; n += 1) bus.emit('job.progress', { n });
    expect(bus.counters('a')).toMatchObject({ queued: 3, failed: 0 });

    const plugin = fakePlugin('a');
    running.push(plugin);
    await vi.advanceTimersByTimeAsync(500);

    expect(numbers(plugin.requests)).toEqual([0, 1, 2]);
    await vi.runAllTimersAsync();
  });

  test('is dropped with the last subscription, and what comes later is not kept', async () => {
    const plugin = fakePlugin('a', () => never);
    const { bus } = busOver(plugin);
    const undos = [bus.subscribePlugin('a', ['job.*']), bus.subscribePlugin('a', ['library.*'])];
    for (let n = 0; n < 70; n += 1) bus.emit('job.progress', { n });

    undos[0]?.();
    expect(bus.counters('a').queued).toBe(6);
    undos[1]?.();
    bus.emit('job.progress', { n: 71 });

    expect(bus.counters('a').queued).toBe(0);
    await vi.runAllTimersAsync();
    expect(plugin.requests).toHaveLength(64);
  });

  test('refuses a subscription to a name that cannot occur, and subscribes to nothing of it', async () => {
    const plugin = fakePlugin('a');
    const { bus } = busOver(plugin);

    expect(() => bus.subscribePlugin('a', ['job.*', 'li*.added'])).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }) as KernelError,
    );
    bus.emit('job.started', {});
    await settle();
    expect(plugin.requests).toEqual([]);
  });
});

describe('listen', () => {
  test('calls listeners inside emit, with the envelope and its JSON', () => {
    const { bus } = busOver();
    const listener = vi.fn();
    bus.listen('library.item.*', listener);

    bus.emit('library.item.added', item);

    const envelope = {
      type: 'library.item.added',
      timestamp: '2026-11-21T07:44:53.123Z',
      data: item,
    };
    expect(listener.mock.calls).toEqual([[envelope, JSON.stringify(envelope)]]);
  });

  test('logs a listener that throws, and calls the others and it again', () => {
    const { bus, log } = busOver();
    const bad = vi.fn(() => {
      throw new Error('bug');
    });
    const good = vi.fn();
    bus.listen('job.*', bad);
    bus.listen('job.*', good);

    bus.emit('job.started', {});
    bus.emit('job.started', {});

    expect(bad).toHaveBeenCalledTimes(2);
    expect(good).toHaveBeenCalledTimes(2);
    expect(log.lines[0]).toBe('error A listener failed on the event job.started.');
  });

  test('never calls a listener after its undo, not even for the event under way', () => {
    const { bus } = busOver();
    const second = vi.fn();
    bus.listen('job.*', () => undo());
    const undo = bus.listen('job.*', second);

    bus.emit('job.started', {});

    expect(second).not.toHaveBeenCalled();
  });
});

describe('back-pressure', () => {
  test('room is there at once until a queue is half full, then when it is under half again', async () => {
    const calls: PromiseWithResolvers<PluginReply>[] = [];
    const plugin = fakePlugin('a', () => {
      const call = Promise.withResolvers<PluginReply>();
      calls.push(call);
      return call.promise;
    });
    const { bus } = busOver(plugin);
    bus.subscribePlugin('a', ['job.*']);
    await bus.room(1000);
    for (let n = 0; n < 64 + 500; n += 1) bus.emit('job.progress', { n });
    const gone = vi.fn();
    const room = bus.room(60_000).then(gone);
    await settle();
    expect(gone).not.toHaveBeenCalled();

    calls[0]?.resolve(returned(null));
    await room;

    expect(bus.counters('a').queued).toBe(499);
    await vi.runAllTimersAsync();
  });

  test('room ends with its time when a subscriber hangs', async () => {
    const { bus } = busOver(fakePlugin('a', () => never));
    bus.subscribePlugin('a', ['job.*']);
    for (let n = 0; n < 1064; n += 1) bus.emit('job.progress', { n });

    const room = bus.room(250);
    await vi.advanceTimersByTimeAsync(250);
    await room;

    expect(bus.counters('a').queued).toBe(1000);
    await vi.runAllTimersAsync();
  });

  test('a plugin that does not run holds back neither room nor drain', async () => {
    const { bus } = busOver();
    const undo = bus.subscribePlugin('dead', ['job.*']);
    for (let n = 0; n < 1000; n += 1) bus.emit('job.progress', { n });

    await bus.room(60_000);
    await bus.drain(60_000);

    expect(bus.counters('dead').queued).toBe(1000);
    undo();
  });

  test('drain waits for what is queued and under way, no longer than its time', async () => {
    const last = Promise.withResolvers<PluginReply>();
    const { bus } = busOver(fakePlugin('a', () => last.promise));
    bus.subscribePlugin('a', ['server.*']);
    bus.emit('server.shutdown', { reason: 'SIGTERM' });

    const short = bus.drain(100);
    await vi.advanceTimersByTimeAsync(100);
    await short;
    const long = bus.drain(60_000);
    last.resolve(returned(null));
    await long;

    expect(bus.counters('a').delivered).toBe(1);
  });
});
