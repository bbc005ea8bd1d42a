import { hostError } from './failure.ts';
import type { GuestBody, Outbox } from './outbox.ts';
import {
  append,
  apply,
  create,
  define,
  freeze,
  isArray,
  isBytes,
  mapDelete,
  mapGet,
  mapSet,
  mapSize,
  ownKeys,
  parseJson,
  PlainMap,
  PlainPromise,
  toJson,
  toText,
} from './primordials.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The road out: `host.<service>.<method>(input)`, and what comes back. */
export interface HostBridge {
  /** `host`, as handlers get it. */
  readonly host: object;
  /** Asks the host process itself for a digest. */
  readonly digest: (algorithm: string, bytes: Uint8Array) => Promise<unknown>;
  readonly answer: (call: number, body: GuestBody) => void;
  readonly refuse: (call: number, code: string, message: string) => void;
  /** Forgets every call that waits: its answer is dropped and its promise never settles. */
  readonly forget: () => void;
}

const callsInFlight = 64;

export function createHostBridge(parts: {
  readonly services: unknown;
  readonly outbox: Outbox;
  readonly isCallOpen: () => boolean;
}): HostBridge {
  const { outbox, isCallOpen } = parts;
  let waiting = new PlainMap<number, Waiting>();
  let nextCall = 1;

  function ask(makeHead: (call: number) => string, body: GuestBody): Promise<unknown> {
    return new PlainPromise((resolve, reject) => {
      if (!isCallOpen()) {
        reject(hostError('no_call', 'The host is reached only while a call into the plugin runs.'));
      } else if (typeof body !== 'string' && !isBytes(body)) {
        reject(hostError('invalid_argument', 'The input is neither JSON nor a Uint8Array.'));
      } else if (mapSize(waiting) >= callsInFlight) {
        reject(hostError('quota_exceeded', 'More than 64 host calls are in flight.'));
      } else if (!outbox.accepts(body)) {
        reject(hostError('quota_exceeded', 'The input is above 8 MiB, or above 64 MiB a second.'));
      } else {
        const call = nextCall++;
        const entry = create(null) as { resolve: unknown; reject: unknown };
        entry.resolve = resolve;
        entry.reject = reject;
        mapSet(waiting, call, entry as Waiting);
        outbox.post(makeHead(call), body);
      }
    });
  }

  function toFunction(service: string, method: string): (input?: unknown) => Promise<unknown> {
    const words = `"service":${toJson(service)},"method":${toJson(method)}`;
    const makeHead = (call: number): string =>
      `{"kind":"host-call","call":${call},${words},"body":true}`;
    return (input) => {
      const body = isBytes(input) ? input : toJson(input === undefined ? {} : input);
      if (typeof body === 'string' || isBytes(body)) return ask(makeHead, body);
      return ask(makeHead, 'null');
    };
  }

  function take(call: number): Waiting | undefined {
    const entry = mapGet(waiting, call);
    mapDelete(waiting, call);
    return entry;
  }

  return {
    host: toHost(parts.services, toFunction),
    digest: (algorithm, bytes) =>
      ask(
        (call) =>
          `{"kind":"digest","call":${call},"algorithm":${toJson(toText(algorithm))},"body":true}`,
        bytes,
      ),
    answer: (call, body) => {
      const entry = take(call);
      if (entry === undefined) return;
      apply(entry.resolve, undefined, only(typeof body === 'string' ? parseJson(body) : body));
    },
    refuse: (call, code, message) => {
      const entry = take(call);
      if (entry === undefined) return;
      apply(entry.reject, undefined, only(hostError(code, message)));
    },
    forget: () => {
      waiting = new PlainMap<number, Waiting>();
    },
  };
}

function toHost(
  services: unknown,
  toFunction: (service: string, method: string) => unknown,
): object {
  const host = {};
  const table = services as Record<string, readonly string[]>;
  const names = ownKeys(table);
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    const methods = typeof name === 'string' ? table[name] : undefined;
    if (typeof name !== 'string' || !isArray(methods)) continue;
    const service = {};
    for (let at = 0; at < methods.length; at++) {
      const method: unknown = methods[at];
      if (typeof method === 'string') define(service, method, toFunction(name, method));
    }
    define(host, name, freeze(service));
  }
  return freeze(host);
}

function only(value: unknown): unknown[] {
  const list: unknown[] = [];
  append(list, value);
  return list;
}
