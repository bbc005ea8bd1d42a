import { describe, expect, test } from 'vitest';
import type { DispatchCall } from './dispatch.ts';
import { failureOf, handlerOf } from './failure.ts';
import type { Outcome } from './outcome.ts';

const call = (method: string, name?: string): DispatchCall => ({
  pluginId: 'a',
  method,
  ...(name !== undefined && { name }),
  inputJson: '{}',
  timeoutMs: 5000,
});
const threw = (code: string): Outcome => ({
  kind: 'threw',
  code,
  message: 'No luck.',
  durationMs: 7,
});
const kindOf = (method: string, outcome: Outcome) => failureOf(call(method), outcome)?.kind ?? null;

describe('a failure', () => {
  test('names its handler, what was said, and how long it took', () => {
    expect(failureOf(call('hook.dispatchAll', 'pipeline.x'), threw('plugin_error'))).toEqual({
      kind: 'threw',
      handler: 'hook pipeline.x',
      message: 'No luck.',
      durationMs: 7,
    });
  });

  test.each([
    ['event.dispatch', 'library.item.added', 'event library.item.added'],
    ['view.dispatch', 'ui.settings.sections', 'view ui.settings.sections'],
    ['action.run', 'refresh', 'action refresh'],
    ['job.run', undefined, 'job.run'],
    ['probe.probe', undefined, 'probe.probe'],
  ])('of %s %s is one of the handler %j', (method, name, handler) => {
    expect(handlerOf(call(method, name))).toBe(handler);
  });

  test.each<[string, Outcome, string | null]>([
    ['action.run', { kind: 'returned', value: 1, durationMs: 1 }, null],
    ['action.run', { kind: 'timed-out', durationMs: 1 }, 'timed-out'],
    ['filesystem.list', { kind: 'timed-out', durationMs: 1 }, 'timed-out'],
    ['event.dispatch', { kind: 'unknown-handler', durationMs: 1 }, 'unknown-handler'],
    ['filesystem.watch', { kind: 'unknown-handler', durationMs: 1 }, null],
    ['hook.dispatch', threw('net_timeout'), 'threw'],
    ['filesystem.stat', threw('not_found'), null],
    ['filesystem.stat', threw('plugin_error'), 'threw'],
    ['filesystem.stat', threw('invalid_reply'), 'reply-refused'],
    ['filesystem.stat', threw('plugin_crashed'), 'lost'],
    ['hook.dispatch', threw('plugin_not_running'), null],
    ['hook.dispatch', threw('handler_suspended'), null],
    ['hook.dispatch', threw('out-of-reach'), null],
    ['job.run', threw('storage_busy'), null],
    ['job.run', threw('unreadable'), null],
    ['job.run', threw('plugin_error'), 'threw'],
  ])('%s that ended as %j is %j', (method, outcome, kind) => {
    expect(kindOf(method, outcome)).toBe(kind);
  });
});
