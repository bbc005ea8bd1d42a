/**
 * What a player asks for first, asked for all at once: hls.js alone asks for a playlist, reads it, and
 * asks for what it names. An answer is given once, in parts as they arrive, so that the first pictures
 * of a segment are shown before the last ones are there. What failed before its first part was given is
 * asked for again by hls.js, which knows what to do then.
 */
import type Hls from 'hls.js';
import type {
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
} from 'hls.js';

/** An answer that is on its way. */
interface Answer {
  /** Milliseconds until its first byte was there, and until all was; resolves then. */
  readonly times: Promise<{ readonly firstMs: number; readonly ms: number }>;
  /** The bytes that arrived and were not taken. */
  readonly take: () => Uint8Array<ArrayBuffer>;
  /** Bytes that wait to be taken. */
  readonly waiting: () => number;
  /** Is told of each part that arrives from now on. */
  hear: () => void;
  /** Nobody waits for it. */
  readonly drop: () => void;
}

/** What makes an answer. */
interface Making {
  readonly answer: Answer;
  readonly push: (bytes: Uint8Array) => void;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
}

/** Answers that are on their way. */
export interface FirstAnswers {
  /** The answer of an address, once; `undefined` = it was not asked for. */
  readonly take: (url: string) => Answer | undefined;
  /** Lets go of those that were not taken. */
  readonly drop: () => void;
}

const hrefOf = (url: string): string => new URL(url, location.href).href;

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function make(drop: () => void): Making {
  const start = performance.now();
  const now = (): number => performance.now() - start;
  let resolve: (times: { firstMs: number; ms: number }) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<{ firstMs: number; ms: number }>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  // The loader that takes the answer hears of a failure.
  promise.catch(() => {});
  const parts: Uint8Array[] = [];
  let waiting = 0;
  let firstMs: number | undefined;
  const answer: Answer = {
    times: promise,
    waiting: () => waiting,
    take: () => {
      waiting = 0;
      return joined(parts.splice(0));
    },
    hear: () => {},
    drop,
  };
  return {
    answer,
    push: (bytes) => {
      firstMs ??= now();
      parts.push(bytes);
      waiting += bytes.length;
      answer.hear();
    },
    end: () => resolve({ firstMs: firstMs ?? now(), ms: now() }),
    fail: (error) => reject(error),
  };
}

/** Gives the bytes of an address to `hear` as they arrive. */
async function read(
  url: string,
  signal: AbortSignal,
  hear: (bytes: Uint8Array) => void,
): Promise<void> {
  const { ok, status, body } = await fetch(url, { signal });
  if (!ok || body === null) throw new Error(`${url} answered ${status}.`);
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) hear(part.value);
}

/** Takes the one answer apart: a line with the names and lengths of its parts, then the parts. */
function taker(url: string, makings: ReadonlyMap<string, Making>): (bytes: Uint8Array) => void {
  let line: Uint8Array[] | undefined = [];
  let parts: (readonly [name: string, length: number])[] = [];
  let left = 0;
  const next = (): void => {
    for (; left === 0 && parts.length > 0; left = parts[0]?.[1] ?? 0) {
      makings.get(new URL(parts[0]?.[0] ?? '', url).href)?.end();
      parts.shift();
    }
  };
  return (bytes) => {
    let rest = bytes;
    if (line !== undefined) {
      const end = bytes.indexOf(10);
      line.push(end < 0 ? bytes : bytes.subarray(0, end));
      if (end < 0) return;
      parts = JSON.parse(new TextDecoder().decode(joined(line))) as typeof parts;
      line = undefined;
      left = parts[0]?.[1] ?? 0;
      next();
      rest = bytes.subarray(end + 1);
    }
    while (rest.length > 0 && left > 0) {
      const own = rest.subarray(0, left);
      rest = rest.subarray(own.length);
      left -= own.length;
      makings.get(new URL(parts[0]?.[0] ?? '', url).href)?.push(own);
      next();
    }
  };
}

/** Asks for all of these addresses of this server, at one address if there is one that has them all. */
export function askFirst(urls: readonly string[], together: string | null = null): FirstAnswers {
  const stop = new AbortController();
  const stops = new Map<string, AbortController>();
  const wanted = new Set(urls.map(hrefOf));
  const drop = (href: string): void => {
    if (!wanted.delete(href)) return;
    stops.get(href)?.abort();
    if (wanted.size === 0) stop.abort();
  };
  const makings = new Map([...wanted].map((href) => [href, make(() => drop(href))]));
  const untaken = new Set(wanted);
  if (together === null) {
    for (const [href, { push, end, fail }] of makings) {
      const own = new AbortController();
      stops.set(href, own);
      read(href, own.signal, push).then(end, fail);
    }
  } else if (urls.length > 0) {
    const href = hrefOf(together);
    // What is whole already stays so.
    const failRest = (error: unknown): void => {
      for (const { fail } of makings.values()) fail(error);
    };
    const isOver = (): void => failRest(new Error(`${href} has not all of it.`));
    read(href, stop.signal, taker(href, makings)).then(isOver, failRest);
  }
  return {
    take: (url) => (untaken.delete(url) ? makings.get(url)?.answer : undefined),
    drop: () => {
      for (const href of untaken) drop(href);
      untaken.clear();
    },
  };
}

/** Loaders of hls.js that take the first answers, and ask for everything else themselves. */
export function loadersOver(
  answers: FirstAnswers,
  Player: typeof Hls,
): Pick<HlsConfig, 'fLoader' | 'pLoader' | 'progressive'> {
  const loader = loaderOver(answers, Player);
  // With `loader` hls.js would wait for the end of each segment.
  return { fLoader: loader, pLoader: loader, progressive: true } as ReturnType<typeof loadersOver>;
}

const loaderOver = (answers: FirstAnswers, Player: typeof Hls): HlsConfig['loader'] =>
  class implements Loader<LoaderContext> {
    readonly #other: Loader<LoaderContext>;
    readonly stats: Loader<LoaderContext>['stats'];
    context: LoaderContext | null = null;
    #answer: Answer | undefined;
    #isOver = false;

    constructor(config: HlsConfig) {
      this.#other = new Player.DefaultConfig.loader(config);
      this.stats = this.#other.stats;
    }

    load(
      context: LoaderContext,
      config: LoaderConfiguration,
      callbacks: LoaderCallbacks<LoaderContext>,
    ): void {
      this.context = context;
      // A range ends at 0 where all of it is meant.
      const isWhole = (context.rangeEnd ?? 0) === 0;
      const url = hrefOf(context.url);
      const answer = isWhole ? answers.take(url) : undefined;
      this.#answer = answer;
      if (answer === undefined) this.#other.load(context, config, callbacks);
      else void this.#give(answer, { url, context, config, callbacks });
    }

    async #give(
      answer: Answer,
      {
        url,
        context,
        config,
        callbacks,
      }: {
        readonly url: string;
        readonly context: LoaderContext;
        readonly config: LoaderConfiguration;
        readonly callbacks: LoaderCallbacks<LoaderContext>;
      },
    ): Promise<void> {
      const { loading } = this.stats;
      const { onProgress } = callbacks;
      const least = config.highWaterMark ?? Infinity;
      let given = 0;
      const givePart = (): void => {
        const part = answer.take();
        given += part.length;
        this.stats.loaded = given;
        onProgress?.(this.stats, context, part.buffer, null);
      };
      loading.start = performance.now();
      answer.hear = () => {
        // Larger and larger: hls.js copies what it got of a fragment with each part of it.
        const enough = Math.max(least, given / 2);
        if (!this.#isOver && onProgress !== undefined && answer.waiting() >= enough) givePart();
      };
      answer.hear();
      try {
        const { firstMs, ms } = await answer.times;
        if (this.#isOver) return;
        // As long as it took, so that hls.js learns how fast the connection is: the wait does not count.
        loading.end = performance.now();
        loading.start = loading.end - ms;
        loading.first = loading.start + firstMs;
        const isStreamed = onProgress !== undefined && Number.isFinite(least);
        if (isStreamed && answer.waiting() > 0) givePart();
        const rest = answer.take();
        given += rest.length;
        this.stats.loaded = given;
        this.stats.total = given;
        const isText = context.responseType !== 'arraybuffer';
        const data = isText ? new TextDecoder().decode(rest) : rest.buffer;
        if (!isStreamed) onProgress?.(this.stats, context, data, null);
        callbacks.onSuccess({ url, data, code: 200 }, this.stats, context, null);
      } catch (error) {
        if (this.#isOver) return;
        loading.start = 0;
        if (given === 0) this.#other.load(context, config, callbacks);
        else callbacks.onError({ code: 0, text: String(error) }, context, null, this.stats);
      }
    }

    abort(): void {
      this.#isOver = true;
      this.#answer?.drop();
      this.#other.abort();
    }

    destroy(): void {
      this.#isOver = true;
      this.#answer?.drop();
      this.#other.destroy();
    }

    getCacheAge(): number | null {
      return this.#other.getCacheAge?.() ?? null;
    }

    getResponseHeader(name: string): string | null {
      return this.#other.getResponseHeader?.(name) ?? null;
    }
  };
