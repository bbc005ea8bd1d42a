import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  fakePlugin,
  finder,
  recordingLog,
  returned,
} from '../../test/support/plugins/fake-plugins.ts';
import { createDispatcher, type DispatchCall } from './dispatch.ts';
import type { Outcome } from './outcome.ts';
import type { PluginReply } from './running-plugin.ts';

const call: DispatchCall = { pluginId: 'a', method: 'ping', inputJson: '{}', timeoutMs: 1000 };

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect(left).toBe(0);
});

function outcomeOf(reply: PluginReply, more: Partial<DispatchCall> = {}): Promise<Outcome> {
  const { dispatch } = createDispatcher({ find: finder(fakePlugin('a', () => reply)) });
  return dispatch({ ...call, ...more });
}

describe('a dispatch', () => {
  test('passes on method, input and time, and returns the parsed answer with its duration', async () => {
    const plugin = fakePlugin('a', async () => {
      await vi.advanceTimersByTimeAsync(20);
      return returned({ pong: true });
    });
    const { dispatch } = createDispatcher({ find: finder(plugin) });

    const outcome = await dispatch(call);

    expect(plugin.requests).toEqual([{ method: 'ping', inputJson: '{}', timeoutMs: 1000 }]);
    expect(outcome).toEqual({ kind: 'returned', value: { pong: true }, durationMs: 20 });
  });

  test('returns bytes unchanged, and null for an empty answer', async () => {
    const bytes = new Uint8Array([1, 2]);

    expect(await outcomeOf({ kind: 'returned', body: bytes })).toMatchObject({ value: bytes });
    expect(await outcomeOf({ kind: 'returned', body: '' })).toMatchObject({ value: null });
  });

  test('does not look at the answer when the caller ignores it', async () => {
    const outcome = await outcomeOf({ kind: 'returned', body: '{no json' }, { ignoresReply: true });

    expect(outcome).toMatchObject({ kind: 'returned', value: null });
  });

  test.each([
    ['no JSON', '{"a":', "The plugin's answer is not JSON."],
    ['too deep', '['.repeat(65), "The plugin's answer is nested more than 64 levels deep."],
    [
      'of too many values',
      `[${new Array(100_000).fill('{}').join()}]`,
      "The plugin's answer holds more than 100000 values.",
    ],
    ['too long', '"12345678"', "The plugin's answer is 10 characters long, above 9."],
  ])('refuses an answer that is %s', async (_, body, message) => {
    const outcome = await outcomeOf(
      { kind: 'returned', body },
      { maxReplyLength: body.length === 10 ? 9 : 1_000_000 },
    );

    expect(outcome).toMatchObject({ kind: 'threw', code: 'invalid_reply', message });
  });

  test('returns the unparsed text of an answer that is only passed on', async () => {
    const text = '{"a": 1, "a": [1e2],  "__proto__": 2}';

    expect(await outcomeOf({ kind: 'returned', body: text }, { asText: true })).toMatchObject({
      value: text,
    });
    expect(await outcomeOf({ kind: 'returned', body: '' }, { asText: true })).toMatchObject({
      value: 'null',
    });
  });

  test.each([
    ['no JSON', '1,"injected":2', "The plugin's answer is not JSON."],
    ['bytes', new Uint8Array(1), "The plugin's answer is bytes; JSON is expected."],
    ['too deep', '['.repeat(65), "The plugin's answer is nested more than 64 levels deep."],
    ['too long', `"${'x'.repeat(98)}"`, "The plugin's answer is 100 characters long, above 99."],
  ])('refuses to pass on an answer that is %s', async (_, body, message) => {
    const asked = { asText: true, maxReplyLength: 99 };

    expect(await outcomeOf({ kind: 'returned', body }, asked)).toMatchObject({
      kind: 'threw',
      code: 'invalid_reply',
      message,
    });
  });

  test('returns what the plugin threw, with a sanitised message', async () => {
    const outcome = await outcomeOf({ kind: 'threw', code: 'no\nCODE', message: 'a\n\u001b[2Jb' });

    expect(outcome).toMatchObject({ kind: 'threw', code: 'plugin_error', message: 'a [2Jb' });
  });

  test('ends as plugin_crashed when the plugin ends during it', async () => {
    expect(await outcomeOf({ kind: 'gone' })).toMatchObject({
      kind: 'threw',
      code: 'plugin_crashed',
    });
  });

  test('ends as plugin_not_running when no such plugin runs', async () => {
    const { dispatch, isRunning } = createDispatcher({ find: () => undefined });

    expect(isRunning('a')).toBe(false);
    expect(await dispatch(call)).toMatchObject({
      kind: 'threw',
      code: 'plugin_not_running',
      message: 'Plugin a is not running.',
    });
  });

  test('ends 50 ms after its time when the plugin never answers, and a late answer changes nothing', async () => {
    const late = Promise.withResolvers<PluginReply>();
    const observe = vi.fn();
    const find = finder(fakePlugin('a', () => late.promise));
    const { dispatch } = createDispatcher({ find, observe });

    const outcome = dispatch(call);
    await vi.advanceTimersByTimeAsync(1050);
    late.resolve(returned(1));

    expect(await outcome).toEqual({ kind: 'timed-out', durationMs: 1050 });
    await late.promise;
    expect(observe).toHaveBeenCalledTimes(1);
  });

  test('survives a running plugin that breaks its promise and throws or rejects', async () => {
    const thrower = {
      pluginId: 'a',
      call: () => {
        throw new Error('bug');
      },
    };
    const rejecter = { pluginId: 'b', call: () => Promise.reject(new Error('bug')) };
    const { dispatch } = createDispatcher({ find: finder(thrower, rejecter) });

    const outcomes = await Promise.all([dispatch(call), dispatch({ ...call, pluginId: 'b' })]);

    expect(outcomes.map((outcome) => outcome.kind === 'threw' && outcome.code)).toEqual([
      'plugin_crashed',
      'plugin_crashed',
    ]);
  });

  test('never rejects, for any reply', async () => {
    const words = fc.oneof(fc.string(), fc.json(), fc.uint8Array());
    const reply: fc.Arbitrary<PluginReply> = fc.oneof(
      words.map((body) => ({ kind: 'returned' as const, body })),
      fc.record({ kind: fc.constant('threw' as const), code: fc.string(), message: fc.string() }),
      fc.constantFrom({ kind: 'gone' }, { kind: 'timed-out' }, { kind: 'unknown-handler' }),
    );
    await fc.assert(
      fc.asyncProperty(reply, async (given) => {
        const kinds = ['returned', 'threw', 'timed-out', 'unknown-handler'];
        expect(kinds).toContain((await outcomeOf(given)).kind);
      }),
    );
  });

  test('counts every unknown handler that is not optional, and logs each plugin and name once', async () => {
    const log = recordingLog();
    const find = finder(fakePlugin('a', () => ({ kind: 'unknown-handler' })));
    const { dispatch, unknownHandlers } = createDispatcher({ find, log });

    await dispatch({ ...call, name: 'job.started' });
    await dispatch({ ...call, name: 'job.started' });
    await dispatch({ ...call, name: 'transcode.decide', isOptional: true });
    const outcome = await dispatch(call);

    expect(outcome.kind).toBe('unknown-handler');
    expect(unknownHandlers('a')).toBe(3);
    expect(unknownHandlers('b')).toBe(0);
    expect(log.lines).toEqual([
      'warn Plugin a has no handler for job.started.',
      'warn Plugin a has no handler for ping.',
    ]);
  });

  test('that threw is observed with where the error came from', async () => {
    const observe = vi.fn();
    const stack = 'Error: no\n    at plugin.js:1:2';
    const reply = { kind: 'threw', code: 'plugin_error', message: 'no', stack } as const;
    const { dispatch } = createDispatcher({ find: finder(fakePlugin('a', () => reply)), observe });

    const outcome = await dispatch(call);

    expect(outcome).not.toHaveProperty('stack');
    expect(observe.mock.calls).toEqual([[call, outcome, stack]]);
  });

  test('is observed once, with its outcome', async () => {
    const observe = vi.fn();
    const { dispatch } = createDispatcher({ find: finder(fakePlugin('a')), observe });

    const outcome = await dispatch(call);

    expect(observe.mock.calls).toEqual([[call, outcome, undefined]]);
  });
});
