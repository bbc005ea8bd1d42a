import type { DispatchCall, Dispatcher } from './dispatch.ts';
import type { HostService, Undo } from './host-service.ts';
import type { Outcome } from './outcome.ts';

/**
 * What stands between a kernel and its plugins while their author tries them out: all else is as on a
 * server, which has none.
 */
export interface Rehearsal {
  /** Stands before every call into a plugin; `next` makes it. Never rejects. */
  readonly dispatch: (call: DispatchCall, next: Dispatcher['dispatch']) => Promise<Outcome>;
  /** Stands before each host service, behind the gate. */
  readonly service: (service: HostService) => HostService;
}

/** The dispatcher with the rehearsal before it, if there is one. */
export const rehearsedDispatcher = (
  dispatcher: Dispatcher,
  rehearsal: Rehearsal | undefined,
): Dispatcher =>
  rehearsal
    ? { ...dispatcher, dispatch: (call) => rehearsal.dispatch(call, dispatcher.dispatch) }
    : dispatcher;

/** The registry with the rehearsal before each service, if there is one. */
export const rehearsedServices = <
  Services extends { readonly provide: (service: HostService) => Undo },
>(
  services: Services,
  rehearsal: Rehearsal | undefined,
): Services =>
  rehearsal
    ? { ...services, provide: (service) => services.provide(rehearsal.service(service)) }
    : services;
