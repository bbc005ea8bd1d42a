import type { DispatchCall, Outcome } from '../../../../kernel/index.ts';
import type { Dispatched } from './plugin-under-test.ts';

/** One call into the plugin as the kernel saw it. */
export interface NotedCall {
  readonly method: string;
  readonly name: string;
  readonly outcome: Outcome;
}

/** The calls of one test harness. */
export type DispatchLog = ReturnType<typeof createDispatchLog>;

/** Creates an empty one. */
export function createDispatchLog() {
  const calls: NotedCall[] = [];
  return {
    note: (call: DispatchCall, outcome: Outcome): void => {
      calls.push({ method: call.method, name: nameOf(call), outcome: readable(call, outcome) });
    },
    all: (): readonly NotedCall[] => calls,
    /** The same calls in the form for authors. */
    forAuthors: (): readonly Dispatched[] => calls.map(toDispatched),
  };
}

/** A value that the server passes on as JSON text is parsed for the readers of the log. */
function readable({ asText }: DispatchCall, outcome: Outcome): Outcome {
  if (asText !== true || outcome.kind !== 'returned') return outcome;
  return { ...outcome, value: JSON.parse(String(outcome.value)) };
}

/** The name of an event is only in its envelope. */
function nameOf({ method, name, inputJson }: DispatchCall): string {
  if (name !== undefined) return name;
  if (method !== 'event.dispatch') return method;
  return /^\{"type":"([^"]*)"/.exec(inputJson)?.[1] ?? method;
}

/** One call in the form for authors. */
export function toDispatched({ method, name, outcome }: NotedCall): Dispatched {
  const { kind, durationMs } = outcome;
  return {
    method,
    name,
    outcome: kind,
    durationMs,
    ...(kind === 'returned' && { value: outcome.value }),
    ...(kind === 'threw' && { error: { code: outcome.code, message: outcome.message } }),
  };
}
