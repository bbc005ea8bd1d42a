import type { DispatchCall, Dispatcher } from './dispatch.ts';
import type { HostService, Undo } from './host-service.ts';
import type { Outcome } from './outcome.ts';

/**
 * What stands between a kernel and its plugins while their author tries them out: all else is as on a
 * server, which has none.
 */
export interface Interceptor {
  /** Stands before every call into a plugin; `next` makes it. Never rejects. */
  readonly dispatch: (call: DispatchCall, next: Dispatcher['dispatch']) => Promise<Outcome>;
  /** Stands before each host service, behind the gate. */
  readonly service: (service: HostService) => HostService;
}

/** The dispatcher with the interceptor before it, if there is one. */
export const interceptedDispatcher = (
  dispatcher: Dispatcher,
  interceptor: Interceptor | undefined,
): Dispatcher =>
  interceptor
    ? { ...dispatcher, dispatch: (call) => interceptor.dispatch(call, dispatcher.dispatch) }
    : dispatcher;

/** The registry with the interceptor before each service, if there is one. */
export const interceptedServices = <
  Services extends { readonly provide: (service: HostService) => Undo },
>(
  services: Services,
  interceptor: Interceptor | undefined,
): Services =>
  interceptor
    ? { ...services, provide: (service) => services.provide(interceptor.service(service)) }
    : services;
