import { KernelError, type HostMethod, type HostService } from '../../../../kernel/index.ts';
import type { HostFaults } from './plugin-under-test.ts';

interface Planned {
  /** `kv.set`, `kv.*` or `*`. */
  readonly call: string;
  left: number;
  readonly happen: (signal: AbortSignal) => Promise<never>;
}

/** Planned faults, and the wrapper that injects them into services. */
export interface PlannedFaults extends HostFaults {
  readonly around: (service: HostService) => HostService;
}

const usualMessage = 'The test said so.';

/** Creates it without a fault. Faults come after the gate: a call that was not granted is denied first. */
export function createHostFaults(): PlannedFaults {
  let planned: readonly Planned[] = [];
  let reached = Promise.withResolvers<undefined>();

  const plan = (call: string, times: number, happen: Planned['happen']): void => {
    if (!/^([A-Za-z]+\.([A-Za-z]+|\*)|\*)$/.test(call)) {
      throw new TypeError(`${call} is not a host call; right is kv.set, kv.* or *.`);
    }
    planned = [...planned, { call, left: times, happen }];
  };

  function take(service: string, method: string): Planned | undefined {
    const names = [`${service}.${method}`, `${service}.*`, '*'];
    const found = planned.find(({ call, left }) => left > 0 && names.includes(call));
    if (found) found.left -= 1;
    return found;
  }

  const faulty = (service: string, name: string, method: HostMethod): HostMethod => ({
    ...method,
    run: async (input, caller) => {
      await take(service, name)?.happen(caller.signal);
      return method.run(input, caller);
    },
  });

  return {
    refuse: (call, { code = 'overloaded', message = usualMessage, times = 1 } = {}) =>
      plan(call, times, async () => {
        throw new KernelError(code, message);
      }),
    hang: (call, times = 1) => {
      reached = Promise.withResolvers();
      plan(call, times, (signal) => {
        reached.resolve(undefined);
        return noAnswer(signal);
      });
    },
    hung: async () => {
      await reached.promise;
    },
    clear: () => {
      planned = [];
    },
    around: (service) => {
      const methods = Object.entries(service.methods).map(
        ([name, method]) => [name, faulty(service.name, name, method)] as const,
      );
      return { ...service, methods: Object.fromEntries(methods) };
    },
  };
}

/** Never answers; rejects when the caller no longer waits. */
const noAnswer = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = () => reject(new KernelError('service_unavailable', 'The host'));
    signal.addEventListener('abort', end, { once: true });
  });
