import { createHostOf, type HostOf } from './dispatch-host.ts';
import { hostError } from './failure.ts';
import type { GuestBody, Outbox } from './outbox.ts';
import {
  append,
  apply,
  create,
  isBytes,
  mapDelete,
  mapGet,
  mapSet,
  mapSize,
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

/** The way out: `host.<service>.<method>(input)`, and the answers. */
export interface HostBridge {
  /** The `host` of a dispatch. */
  readonly hostOf: HostOf;
  /** Requests a digest from the host process. */
  readonly digest: (algorithm: string, bytes: Uint8Array) => Promise<unknown>;
  readonly answer: (call: number, body: GuestBody) => void;
  readonly refuse: (call: number, code: string, message: string) => void;
  /** Drops all pending calls: their promises never settle. */
  readonly forget: () => void;
}

const callsInFlight = 64;

export function createHostBridge(parts: {
  readonly services: unknown;
  readonly outbox: Outbox;
  /** Whether any call runs. */
  readonly isCallOpen: () => boolean;
  /** Whether this call runs. */
  readonly isOpen: (call: number) => boolean;
}): HostBridge {
  const { outbox, isCallOpen, isOpen } = parts;
  let waiting = new PlainMap<number, Waiting>();
  let nextCall = 1;

  function ask(makeHead: (call: number) => string, body: GuestBody): Promise<unknown> {
    return new PlainPromise((resolve, reject) => {
      if (typeof body !== 'string' && !isBytes(body)) {
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

  /** A host call belongs to the dispatch of its host, and is possible only while that runs. */
  function callHost(dispatch: number, words: string, input: unknown): Promise<unknown> {
    if (!isOpen(dispatch))
      return refused('A host acts only while the call that it was given to runs.');
    const body = isBytes(input) ? input : toJson(input === undefined ? {} : input);
    const makeHead = (call: number): string =>
      `{"kind":"host-call","call":${call},"dispatch":${dispatch},${words},"body":true}`;
    return ask(makeHead, typeof body === 'string' || isBytes(body) ? body : 'null');
  }

  function refused(why: string): Promise<never> {
    return new PlainPromise((_, reject) => reject(hostError('no_call', why)));
  }

  function take(call: number): Waiting | undefined {
    const entry = mapGet(waiting, call);
    mapDelete(waiting, call);
    return entry;
  }

  return {
    hostOf: createHostOf(parts.services, callHost),
    digest: (algorithm, bytes) =>
      isCallOpen()
        ? ask(
            (call) =>
              `{"kind":"digest","call":${call},"algorithm":${toJson(toText(algorithm))},"body":true}`,
            bytes,
          )
        : refused('A digest is made only while a call into the plugin runs.'),
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

function only(value: unknown): unknown[] {
  const list: unknown[] = [];
  append(list, value);
  return list;
}
