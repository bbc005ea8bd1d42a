/** What counts as a failure of a plugin, for its log and its usage. */
import type { DispatchCall } from './dispatch.ts';
import { isOutageCode } from '../errors.ts';
import type { Outcome } from './outcome.ts';
import { withheldCode } from './scoped-dispatch.ts';
import { suspendedCode } from './suspended-dispatch.ts';

/** The ways in which a plugin fails. */
export const failureKinds = [
  'threw',
  'timed-out',
  'unknown-handler',
  'reply-refused',
  'delta-refused',
  'delta-not-granted',
  'call-refused',
  'lost',
  'crashed',
] as const;

/**
 * `reply-refused`: the answer is not JSON, or too long. `delta-refused`: a hook returned an invalid
 * delta. `delta-not-granted`: an observer returned a delta. `call-refused`: a host call was refused.
 * `lost`: the plugin ended during the call. `crashed`: the plugin ended.
 */
export type FailureKind = (typeof failureKinds)[number];

export interface Failure {
  readonly kind: FailureKind;
  /** `hook pipeline.index.afterProcess`, `action refresh`, `host.net.fetch`. */
  readonly handler: string;
  readonly message: string;
  /** How long it took; `null` = unknown. */
  readonly durationMs: number | null;
}

/** Receives a plugin's failure. `stack` is the plugin's own text. */
export type NoteFailure = (pluginId: string, failure: Failure, stack?: string) => void;

/** Methods for which every throw is a failure, except jobs and exports. For others, a code of its own is a valid answer. */
const subscribed: Readonly<Record<string, string>> = {
  'event.dispatch': 'event',
  'hook.dispatch': 'hook',
  'hook.dispatchAll': 'hook',
  'view.dispatch': 'view',
  'action.run': 'action',
  'export.call': 'export',
  'job.run': 'job.run',
  'notifier.deliver': 'notifier.deliver',
  'schedule.wake': 'schedule.wake',
};

const answersWithCodes: ReadonlySet<string> = new Set(['job.run', 'export.call']);

/** Codes of a throw that are not the plugin's fault. */
const blameless: ReadonlySet<string> = new Set(['plugin_not_running', suspendedCode, withheldCode]);

/** A handler as it is named in logs and counts. */
export function handlerOf({ method, name }: Pick<DispatchCall, 'method' | 'name'>): string {
  const section = Object.hasOwn(subscribed, method) ? (subscribed[method] ?? method) : method;
  return name === undefined ? section : `${section} ${name}`;
}

/** The failure of a call; `null` = it did not fail. */
export function failureOf(call: DispatchCall, outcome: Outcome): Failure | null {
  if (outcome.kind === 'returned') return null;
  const { durationMs } = outcome;
  const failure = (kind: FailureKind, message: string): Failure => {
    return { kind, handler: handlerOf(call), message, durationMs };
  };
  switch (outcome.kind) {
    case 'timed-out':
      return failure('timed-out', `It gave no answer in ${call.timeoutMs / 1000} s.`);
    case 'unknown-handler':
      return Object.hasOwn(subscribed, call.method)
        ? failure('unknown-handler', 'The plugin has no handler for it.')
        : null;
    case 'threw':
      return thrown(call, outcome.code) ? failure(kindOf(outcome.code), outcome.message) : null;
  }
}

function thrown({ method }: DispatchCall, code: string): boolean {
  if (blameless.has(code) || isOutageCode(code)) return false;
  // A job tells of a code itself, such as `unreadable` for a disk that is away. So does an export.
  const isAny = Object.hasOwn(subscribed, method) && !answersWithCodes.has(method);
  return isAny || kindOf(code) !== 'threw' || code === 'plugin_error';
}

function kindOf(code: string): FailureKind {
  if (code === 'plugin_crashed') return 'lost';
  return code === 'invalid_reply' ? 'reply-refused' : 'threw';
}
