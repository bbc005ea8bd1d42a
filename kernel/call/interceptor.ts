import type { DispatchCall, Dispatcher } from './dispatch.ts';
import type { HostService, Undo } from './host-service.ts';
import type { Outcome } from './outcome.ts';

/**
 * Wraps calls into plugins and host services while an author tries a plugin out. A server has none;
 * everything else is the same.
 */
export interface Interceptor {
  /** Wraps every call into a plugin; `next` makes the call. Never rejects. */
  readonly dispatch: (call: DispatchCall, next: Dispatcher['dispatch']) => Promise<Outcome>;
  /** Wraps each host service; runs after the gate. */
  readonly service: (service: HostService) => HostService;
}

/** The dispatcher, wrapped if there is an interceptor. */
export const interceptedDispatcher = (
  dispatcher: Dispatcher,
  interceptor: Interceptor | undefined,
): Dispatcher =>
  interceptor
    ? { ...dispatcher, dispatch: (call) => interceptor.dispatch(call, dispatcher.dispatch) }
    : dispatcher;

/** The registry, which wraps each service if there is an interceptor. */
export const interceptedServices = <
  Services extends { readonly provide: (service: HostService) => Undo },
>(
  services: Services,
  interceptor: Interceptor | undefined,
): Services =>
  interceptor
    ? { ...services, provide: (service) => services.provide(interceptor.service(service)) }
    : services;
