/**
 * The life of a plugin: every state, what may happen in it, and where that leads. What is not in
 * the table cannot happen; `nextState` is the only reader.
 *
 * `starting` is also where a plugin waits for its restart after a crash.
 */
import { KernelError } from '../errors.ts';

/** Where a plugin is in its life. */
export type PluginState = 'discovered' | 'starting' | 'running' | 'stopping' | 'stopped' | 'failed';

/**
 * What happens to a plugin: someone starts or stops it, it is `ready`, it `crash`ed and is to come
 * back, it `fail`ed for good, or it has `end`ed as asked.
 */
export type PluginMove = 'start' | 'ready' | 'crash' | 'fail' | 'stop' | 'end';

/** From each state, by what happens, to the next. */
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

/** The state that follows; throws `invalid_transition` when the table has none. */
export function nextState(state: PluginState, move: PluginMove): PluginState {
  const next = transitions[state][move];
  if (next) return next;
  const allowed = Object.keys(transitions[state]).join(', ');
  throw new KernelError(
    'invalid_transition',
    `A plugin that is ${state} does not ${move}; it may ${allowed}.`,
  );
}
