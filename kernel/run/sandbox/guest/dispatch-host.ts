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
  slice,
  toJson,
  toText,
} from './primordials.ts';

/** One dispatch into the plugin. */
export interface GuestDispatch {
  /** The number of its call. */
  readonly call: number;
  /** JSON of the person who caused it; empty when no person did. */
  readonly viewer: string;
}

/** Calls a method of a service; `words` names both, and the profile for which it acts, as JSON. */
type CallHost = (call: number, words: string, input: unknown) => Promise<unknown>;

export type HostOf = (dispatch: GuestDispatch) => object;

type Method = (input?: unknown) => Promise<unknown>;

/** Makes a service of a call; `as` is the profile for which it acts, or empty. */
type MakeService = (call: number, as: string) => object;

/** Characters. A longer word names no profile. */
const longestProfile = 100;

/** The services of `host.as`. The gate judges each call; this list only says what is there. */
const forProfiles = ['media', 'viewing'] as const;

/** Prepares the services: names of methods by name of service. */
export function createHostOf(services: unknown, callHost: CallHost): HostOf {
  const table = services as Record<string, unknown>;
  const makers = create(null) as Record<string, MakeService>;

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
      const service = makers[name]?.(host.#dispatch.call, '');
      define(services, name, service);
      return service;
    }

    /** A host of some services that acts for a profile. */
    static hostAs(host: object, profile: unknown): object | undefined {
      if (!(#services in host)) return undefined;
      const services = create(null) as Record<string, object>;
      const { call } = host.#dispatch;
      const as = slice(toText(profile), 0, longestProfile);
      for (let index = 0; index < forProfiles.length; index++) {
        const name = forProfiles[index] as string;
        define(services, name, makers[name]?.(call, as));
      }
      return freeze(services);
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

  const { prototype, serviceOf, hostAs, viewerOf } = DispatchHost;
  const names = ownKeys(table);
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (typeof name !== 'string' || !isArray(table[name])) continue;
    define(makers, name, createServiceOf(name, table[name], callHost));
    defineGetter(prototype, name, (host) => serviceOf(host, name));
  }
  defineGetter(prototype, 'viewer', (host) => viewerOf(host));
  defineGetter(prototype, 'as', (host) => (profile: unknown) => hostAs(host, profile));
  hideMaker(prototype);
  return (dispatch) => freeze(new DispatchHost(dispatch));
}

function createServiceOf(
  name: string,
  methods: readonly unknown[],
  callHost: CallHost,
): MakeService {
  class DispatchService {
    readonly #call: number;
    readonly #as: string;
    readonly #methods = create(null) as Record<string, Method>;

    constructor(call: number, as: string) {
      this.#call = call;
      this.#as = as;
    }

    /** The same function each time; it needs no receiver. */
    static methodOf(service: object, method: string, words: string): unknown {
      if (!(#methods in service)) return undefined;
      if (hasOwn(service.#methods, method)) return service.#methods[method];
      const call = service.#call;
      const named = `${words},"as":${toJson(service.#as)}`;
      const run: Method = (input) => callHost(call, named, input);
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
  return (call, as) => freeze(new DispatchService(call, as));
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
