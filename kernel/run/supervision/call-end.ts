import type { DispatchCall } from '../../call/dispatch.ts';
import type { Outcome } from '../../call/outcome.ts';
import type { CallEnd } from './suspensions.ts';

/** Work in the background, which nobody asks for again when it fails. */
const background: ReadonlySet<string> = new Set([
  'event.dispatch',
  'hook.dispatch',
  'hook.dispatchAll',
]);
/** Codes of a throw that are a fault of the handler itself, and not of a host call or of the server. */
const ownFaults: ReadonlySet<string> = new Set(['plugin_error', 'plugin_crashed', 'invalid_reply']);

/** How a call ended, for the suspensions. A call with many inputs answers when one input had an answer. */
export function callEnd({ method }: Pick<DispatchCall, 'method'>, outcome: Outcome): CallEnd {
  switch (outcome.kind) {
    case 'timed-out':
      return 'timed-out';
    case 'unknown-handler':
      return 'other';
    case 'threw':
      return background.has(method) && ownFaults.has(outcome.code) ? 'failed' : 'other';
    case 'returned':
      return method === 'hook.dispatchAll' && isNoAnswer(outcome.value) ? 'other' : 'returned';
  }
}

const isNoAnswer = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((one: unknown) => typeof one !== 'object' || one === null || 'error' in one);
