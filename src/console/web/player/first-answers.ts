/**
 * What a player asks for first, asked for all at once: hls.js alone asks for a playlist, reads it, and
 * asks for what it names. An answer is given once; what failed is asked for again by hls.js, which
 * knows what to do then.
 */
import type Hls from 'hls.js';
import type {
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
} from 'hls.js';

interface Answer {
  readonly data: string | ArrayBuffer;
  readonly bytes: number;
  /** Milliseconds until the server began to answer, and until all was there. */
  readonly firstMs: number;
  readonly ms: number;
}

/** Answers that are on their way. */
export interface FirstAnswers {
  /** The answer of an address, once; `undefined` = it was not asked for. */
  readonly take: (url: string) => Promise<Answer> | undefined;
  /** Lets go of those that were not taken. */
  readonly drop: () => void;
}

const hrefOf = (url: string): string => new URL(url, location.href).href;

async function ask(url: string, signal: AbortSignal): Promise<Answer> {
  const start = performance.now();
  const reply = await fetch(url, { signal });
  const firstMs = performance.now() - start;
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}.`);
  const isText = new URL(url).pathname.endsWith('.m3u8');
  const data = isText ? await reply.text() : await reply.arrayBuffer();
  const bytes = typeof data === 'string' ? data.length : data.byteLength;
  return { data, bytes, firstMs, ms: performance.now() - start };
}

/** Asks for all of these addresses of this server. */
export function askFirst(urls: readonly string[]): FirstAnswers {
  const waiting = new Map<string, { answer: Promise<Answer>; stop: AbortController }>();
  for (const one of urls) {
    const href = hrefOf(one);
    const stop = new AbortController();
    const answer = ask(href, stop.signal);
    // The loader that takes the answer hears of a failure.
    answer.catch(() => {});
    waiting.set(href, { answer, stop });
  }
  return {
    take: (url) => {
      const found = waiting.get(url);
      waiting.delete(url);
      return found?.answer;
    },
    drop: () => {
      for (const { stop } of waiting.values()) stop.abort();
      waiting.clear();
    },
  };
}

/** A loader of hls.js that takes the first answers, and asks for everything else itself. */
export const loaderOver = (answers: FirstAnswers, Player: typeof Hls): HlsConfig['loader'] =>
  class implements Loader<LoaderContext> {
    readonly #other: Loader<LoaderContext>;
    readonly stats: Loader<LoaderContext>['stats'];
    context: LoaderContext | null = null;
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
      const { loading } = this.stats;
      // A range ends at 0 where all of it is meant.
      const isWhole = (context.rangeEnd ?? 0) === 0;
      const url = hrefOf(context.url);
      const answer = isWhole ? answers.take(url) : undefined;
      if (answer === undefined) {
        this.#other.load(context, config, callbacks);
        return;
      }
      loading.start = performance.now();
      answer.then(
        ({ data, bytes, firstMs, ms }) => {
          if (this.#isOver) return;
          // As long as it took, so that hls.js learns how fast the connection is: the wait does not count.
          loading.end = performance.now();
          loading.start = loading.end - ms;
          loading.first = loading.start + firstMs;
          this.stats.loaded = bytes;
          this.stats.total = bytes;
          callbacks.onProgress?.(this.stats, context, data, null);
          callbacks.onSuccess({ url, data, code: 200 }, this.stats, context, null);
        },
        () => {
          if (this.#isOver) return;
          loading.start = 0;
          this.#other.load(context, config, callbacks);
        },
      );
    }

    abort(): void {
      this.#isOver = true;
      this.#other.abort();
    }

    destroy(): void {
      this.#isOver = true;
      this.#other.destroy();
    }

    getCacheAge(): number | null {
      return this.#other.getCacheAge?.() ?? null;
    }

    getResponseHeader(name: string): string | null {
      return this.#other.getResponseHeader?.(name) ?? null;
    }
  };
