import {
  append,
  apply,
  byteLengthOf,
  Bytes,
  copyOfBytes,
  define,
  isBytes,
  max,
  min,
  now,
  PlainPromise,
  promiseThen,
} from './primordials.ts';

/** What leaves the isolate besides headers: JSON text, or bytes. */
export type GuestBody = string | Uint8Array;

/** The host's only function. Only the outbox holds it. */
export type Send = (heads: string, ...bodies: readonly (string | ArrayBuffer)[]) => void;

/** Collects output of the isolate and sends it when the microtask queue is quiet. */
export interface Outbox {
  /** `head` is JSON of numbers and quoted strings only, with a place for the marker of the body. */
  readonly post: (head: string, body?: GuestBody) => void;
  /** Whether the body is within the limits for one body and for a second. */
  readonly accepts: (body: GuestBody) => boolean;
}

const bodyLimit = 8 * 1024 * 1024;
const bytesPerSecond = 64 * 1024 * 1024;
const flushBytes = 256 * 1024;
/** Microtask turns without a new frame after which the outbox is sent. */
const quietTurns = 3;

export function createOutbox(send: Send): Outbox {
  // Its own `constructor` stops `then` from reading the prototype, which the plugin may have changed.
  const settled = PlainPromise.resolve();
  define(settled, 'constructor', undefined);

  let heads = '';
  let bodies: (string | ArrayBuffer)[] = [];
  let waitingBytes = 0;
  let posted = 0;
  let seen = 0;
  let quiet = 0;
  let isScheduled = false;
  let allowance = bytesPerSecond;
  let countedAt = now();

  function flush(): void {
    if (heads === '') return;
    const message: unknown[] = [];
    append(message, `[${heads}]`);
    for (let index = 0; index < bodies.length; index++) append(message, bodies[index]);
    heads = '';
    bodies = [];
    waitingBytes = 0;
    apply(send, undefined, message);
  }

  function turn(): void {
    quiet = posted === seen ? quiet + 1 : 0;
    seen = posted;
    if (quiet < quietTurns) {
      promiseThen(settled, turn);
      return;
    }
    isScheduled = false;
    flush();
  }

  function refill(): void {
    const at = now();
    allowance = min(bytesPerSecond, allowance + (max(0, at - countedAt) * bytesPerSecond) / 1000);
    countedAt = at;
  }

  return {
    accepts: (body) => {
      const size = typeof body === 'string' ? body.length : byteLengthOf(body);
      if (size > bodyLimit) return false;
      refill();
      return size <= allowance;
    },
    post: (head, body) => {
      heads = heads === '' ? head : `${heads},${head}`;
      posted++;
      if (body !== undefined) {
        const size = typeof body === 'string' ? body.length : byteLengthOf(body);
        append(bodies, isBytes(body) ? copyOfBytes(body) : body);
        allowance -= size;
        waitingBytes += size;
      }
      waitingBytes += head.length;
      if (waitingBytes > flushBytes) flush();
      if (isScheduled) return;
      isScheduled = true;
      quiet = 0;
      promiseThen(settled, turn);
    },
  };
}

/** Received bytes as the array that the plugin sees. */
export function toBody(raw: unknown): GuestBody {
  return typeof raw === 'string' ? raw : new Bytes(raw as ArrayBuffer);
}
