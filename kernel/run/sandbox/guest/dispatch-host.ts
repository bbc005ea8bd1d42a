/**
 * The `host` of one dispatch. Its call is in private fields, which scripts cannot read, write or
 * forge. So a stored host still acts for its own dispatch, and ends with it. Services and methods are
 * getters on frozen prototypes, so an unused host costs nothing.
 */
import {
  create,
  define,
  defineProperty,
  freeze,
  hasOwn,
  isArray,
  isObject,
  ownKeys,
  parseJson,
  toJson,
} from './primordials.ts';

/** One dispatch into the plugin. */
export interface GuestDispatch {
  /** The number of its call. */
  readonly call: number;
  /** JSON of the person who caused it; empty when no person did. */
  readonly viewer: string;
}

/** Calls a method of a service; `words` names both as JSON. */
type CallHost = (call: number, words: string, input: unknown) => Promise<unknown>;

export type HostOf = (dispatch: GuestDispatch) => object;

type Method = (input?: unknown) => Promise<unknown>;

/** Prepares the services: names of methods by name of service. */
export function createHostOf(services: unknown, callHost: CallHost): HostOf {
  const table = services as Record<string, unknown>;
  const makers = create(null) as Record<string, (call: number) => object>;

  class DispatchHost {
    readonly #dispatch: GuestDispatch;
    #services: Record<string, object> | undefined = undefined;
    #viewer: unknown = undefined;

    constructor(dispatch: GuestDispatch) {
      this.#dispatch = dispatch;
    }

    /** `undefined` for a receiver that is not a host, such as the prototype. */
    static serviceOf(host: object, name: string): object | undefined {
      if (!(#services in host)) return undefined;
      const services = (host.#services ??= create(null) as Record<string, object>);
      if (hasOwn(services, name)) return services[name];
      const service = makers[name]?.(host.#dispatch.call);
      define(services, name, service);
      return service;
    }

    static viewerOf(host: object): unknown {
      if (!(#dispatch in host)) return undefined;
      const { viewer } = host.#dispatch;
      if (host.#viewer === undefined) {
        host.#viewer = viewer === '' ? null : freeze(parseJson(viewer) as object);
      }
      return host.#viewer;
    }
  }

  const { prototype, serviceOf, viewerOf } = DispatchHost;
  const names = ownKeys(table);
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (typeof name !== 'string' || !isArray(table[name])) continue;
    define(makers, name, createServiceOf(name, table[name], callHost));
    defineGetter(prototype, name, (host) => serviceOf(host, name));
  }
  defineGetter(prototype, 'viewer', (host) => viewerOf(host));
  hideMaker(prototype);
  return (dispatch) => freeze(new DispatchHost(dispatch));
}

function createServiceOf(
  name: string,
  methods: readonly unknown[],
  callHost: CallHost,
): (call: number) => object {
  class DispatchService {
    readonly #call: number;
    readonly #methods = create(null) as Record<string, Method>;

    constructor(call: number) {
      this.#call = call;
    }

    /** The same function each time; it needs no receiver. */
    static methodOf(service: object, method: string, words: string): unknown {
      if (!(#methods in service)) return undefined;
      if (hasOwn(service.#methods, method)) return service.#methods[method];
      const call = service.#call;
      const run: Method = (input) => callHost(call, words, input);
      define(service.#methods, method, run);
      return run;
    }
  }

  const { prototype, methodOf } = DispatchService;
  for (let index = 0; index < methods.length; index++) {
    const method = methods[index];
    if (typeof method !== 'string') continue;
    const words = `"service":${toJson(name)},"method":${toJson(method)}`;
    defineGetter(prototype, method, (service) => methodOf(service, method, words));
  }
  hideMaker(prototype);
  return (call) => freeze(new DispatchService(call));
}

function defineGetter(target: object, name: string, read: (receiver: object) => unknown): void {
  defineProperty(target, name, {
    __proto__: null,
    get(this: unknown) {
      return isObject(this) ? read(this) : undefined;
    },
    enumerable: true,
    configurable: false,
  } as PropertyDescriptor);
}

/** With the constructor, a plugin could make a host for another call. */
function hideMaker(prototype: object): void {
  define(prototype, 'constructor', undefined);
  freeze(prototype);
}
