/** The registered host services, as the gate finds them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { KernelError } from '../../errors.ts';
import type { HostMethod, HostService, Undo } from '../../call/host-service.ts';
import { schemaFaults } from '../manifest/schema-faults.ts';

/** A method with the check of its input. */
export interface ServiceMethod {
  readonly method: HostMethod;
  /** Why the input is refused, or `null`. The schema is compiled at first use. */
  readonly fault: (input: unknown) => string | null;
}

/** The registry of host services. */
export type Services = ReturnType<typeof createServices>;

/** Creates a registry without services. */
export function createServices() {
  const services = new Map<string, ReadonlyMap<string, ServiceMethod>>();
  // Tests check that our own schemas are valid.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    verbose: true,
    validateSchema: false,
    meta: false,
    // Optimising takes longer than it saves.
    code: { optimize: false },
  });

  /** Throws `conflict` when the name is taken. */
  function provide(service: HostService): Undo {
    if (services.has(service.name)) {
      throw new KernelError('conflict', `The host service ${service.name} is already registered.`);
    }
    const methods = Object.entries(service.methods).map(
      ([name, method]) => [name, withCheck(method)] as const,
    );
    services.set(service.name, new Map(methods));
    return () => void services.delete(service.name);
  }

  function withCheck(method: HostMethod): ServiceMethod {
    let validate: ReturnType<typeof ajv.compile> | undefined;
    return {
      method,
      fault: (input) => {
        validate ??= ajv.compile(method.input);
        if (validate(input)) return null;
        return schemaFaults(validate.errors, 'The input').join(' ');
      },
    };
  }

  /** Names of the methods, by service; a guest sees the same list. */
  function catalogue(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries([...services].map(([name, methods]) => [name, [...methods.keys()]]));
  }

  return {
    provide,
    find: (service: string, method: string): ServiceMethod | undefined =>
      services.get(service)?.get(method),
    catalogue,
  };
}
