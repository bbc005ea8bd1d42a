/**
 * Stands before every call into a plugin: a handler that is suspended, since it gave no answer time after
 * time, is not called. The call ends at once as one that threw.
 */
import type { DispatchCall, Dispatcher } from './dispatch.ts';

/** A handler that is not called for a while. */
export interface Suspension {
  /** `hook pipeline.index.afterProcess` */
  readonly handler: string;
  /** ISO 8601. */
  readonly until: string;
  readonly reason: string;
}

/** The code of a call of a suspended handler. */
export const suspendedCode = 'handler_suspended';

/** The dispatcher without the handlers that are suspended. */
export function suspendedDispatcher(
  dispatcher: Dispatcher,
  suspensionOf: (call: DispatchCall) => Suspension | null,
): Dispatcher {
  return {
    ...dispatcher,
    dispatch: (call) => {
      const suspension = suspensionOf(call);
      if (suspension === null) return dispatcher.dispatch(call);
      const { handler, until, reason } = suspension;
      const message = `The handler ${handler} is suspended until ${until}. ${reason}`;
      return Promise.resolve({ kind: 'threw', code: suspendedCode, message, durationMs: 0 });
    },
  };
}
