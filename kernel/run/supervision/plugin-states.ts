/**
 * The lifecycle of a plugin: every state, its allowed moves, and the next state. Other moves are
 * impossible; `nextState` is the only reader of the table.
 *
 * A plugin that waits for its restart after a crash is `starting` too.
 */
import { KernelError } from '../../errors.ts';
import type { PluginState } from '../plugin/plugin.ts';

/**
 * A move: `start` and `stop` are requests; `ready`: it runs; `crash`: it ended and will restart;
 * `fail`: it failed for good; `end`: it ended as requested.
 */
export type PluginMove = 'start' | 'ready' | 'crash' | 'fail' | 'stop' | 'end';

/** The next state, by state and move. */
export const transitions: Readonly<
  Record<PluginState, Readonly<Partial<Record<PluginMove, PluginState>>>>
> = {
  discovered: { start: 'starting', stop: 'stopped' },
  starting: { ready: 'running', crash: 'starting', fail: 'failed', stop: 'stopping' },
  running: { crash: 'starting', fail: 'failed', stop: 'stopping' },
  stopping: { end: 'stopped' },
  stopped: { start: 'starting' },
  failed: { start: 'starting', stop: 'stopped' },
};

/** The next state; throws `invalid_transition` when the table has none. */
export function nextState(state: PluginState, move: PluginMove): PluginState {
  const next = transitions[state][move];
  if (next) return next;
  const allowed = Object.keys(transitions[state]).join(', ');
  throw new KernelError(
    'invalid_transition',
    `A plugin that is ${state} does not ${move}; it may ${allowed}.`,
  );
}
