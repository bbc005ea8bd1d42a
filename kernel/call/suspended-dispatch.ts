/**
 * Checks before every call into a plugin whether the handler is suspended. A handler is suspended
 * after repeated time-outs. Its calls end at once, as if it threw.
 */
import type { DispatchCall, Dispatcher } from './dispatch.ts';

/** A handler that is not called until a moment. */
export interface Suspension {
  /** `hook pipeline.index.afterProcess` */
  readonly handler: string;
  /** ISO 8601. */
  readonly until: string;
  readonly reason: string;
}

/** The code of a call to a suspended handler. */
export const suspendedCode = 'handler_suspended';

/** A dispatcher that does not call suspended handlers. */
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
