import { expect, test } from 'vitest';
import type { Outcome } from '../../call/outcome.ts';
import { callEnd } from './call-end.ts';

const threw = (code: string): Outcome => ({ kind: 'threw', code, message: 'No.', durationMs: 1 });
const returned = (value: unknown): Outcome => ({ kind: 'returned', value, durationMs: 1 });

test.each<[string, Outcome, string]>([
  ['hook.dispatch', returned(null), 'returned'],
  ['hook.dispatch', { kind: 'timed-out', durationMs: 1 }, 'timed-out'],
  ['hook.dispatch', threw('plugin_error'), 'failed'],
  ['event.dispatch', threw('plugin_crashed'), 'failed'],
  ['hook.dispatch', threw('net_timeout'), 'other'],
  ['hook.dispatch', threw('plugin_not_running'), 'other'],
  ['action.run', threw('plugin_error'), 'other'],
  ['hook.dispatch', { kind: 'unknown-handler', durationMs: 1 }, 'other'],
  ['hook.dispatchAll', returned([{ error: {} }, { error: {} }]), 'other'],
  ['hook.dispatchAll', returned([{ error: {} }, { value: null }]), 'returned'],
])('a call of %s that ends as %j counts as %s', (method, outcome, end) => {
  expect(callEnd({ method }, outcome)).toBe(end);
});
