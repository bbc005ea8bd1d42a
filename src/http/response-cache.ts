/**
 * The response cache, the only cache of what requests read. Clients request the same pages of lists
 * repeatedly, and many at a time. A response is cached as bytes, keyed by everything that the viewer
 * may see and by the request. Any write that ends after the read began invalidates it. So a cached response never differs from a fresh one, provided that memory changes before the
 * write version does: see `write` of the database.
 *
 * Where the write version is unknown (PostgreSQL), no response is stored or shared.
 */
import { LRUCache } from 'lru-cache';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../kernel/store/index.ts';
import type { Viewer } from '../people/viewer/index.ts';
import { steadyOf, systemClock, type Clock } from '../platform/clock.ts';

/** Answers from the cache or makes the response. */
export type ResponseCache = ReturnType<typeof createResponseCache>;

/** A reply of any route: the schema of that route makes its bytes. */
export interface SendsBytes extends Pick<FastifyReply, 'serialize' | 'raw'> {
  readonly request: Pick<FastifyRequest, 'routeOptions'>;
  readonly type: (mediaType: string) => unknown;
  readonly send: (payload: never) => unknown;
}

export interface ResponseCacheParts {
  readonly database: Pick<Database, 'writes'>;
  /** The limit of cached bytes; 16 MiB when absent. */
  readonly maxBytes?: number;
  readonly clock?: Clock;
}

interface CachedResponse {
  /** The write version of the database when the read began. */
  readonly writes: number;
  readonly madeAt: number;
  readonly bytes: Promise<Buffer>;
}

/** The key of a response, and how old it may be. */
interface Question {
  readonly key: string;
  readonly maxAgeMs: number;
}

const defaultMaxBytes = 16 * 1024 ** 2;
const maxEntries = 500;
const json = 'application/json; charset=utf-8';

/** Creates an empty cache. */
export function createResponseCache(parts: ResponseCacheParts) {
  const { database, maxBytes = defaultMaxBytes, clock = systemClock } = parts;
  const { now: steadyNow } = steadyOf(clock);
  const cached = new LRUCache<string, CachedResponse>({ max: maxEntries, maxSize: maxBytes });

  /** Concurrent requests share one read, unless something was written since it began. */
  function find(
    writes: number,
    { key, maxAgeMs }: Question,
    make: () => Promise<Buffer>,
  ): Promise<Buffer> {
    const now = steadyNow();
    const known = cached.get(key);
    if (known?.writes === writes && now - known.madeAt <= maxAgeMs) return known.bytes;
    const bytes = make();
    const entry = { writes, madeAt: now, bytes };
    cached.set(key, entry, { size: 1 });
    const isCurrent = (): boolean => cached.peek(key) === entry;
    bytes.then(
      ({ length }) => {
        // The size is computed only for another value.
        // Its compressed forms take at most as much again.
        if (isCurrent()) cached.set(key, { ...entry }, { size: 2 * length + 1 });
      },
      () => {
        if (isCurrent()) cached.delete(key);
      },
    );
    return bytes;
  }

  return {
    /**
     * Sends the result of `make`. `question` holds all it depends on besides viewer and database.
     */
    send: async (
      reply: SendsBytes,
      {
        viewer,
        question,
        make,
        maxAgeMs = Infinity,
      }: {
        readonly viewer: Viewer;
        readonly question: unknown;
        readonly make: () => Promise<unknown>;
        /**
         * The largest age of a response that depends on more than the database; unlimited when
         * absent.
         */
        readonly maxAgeMs?: number;
      },
    ): Promise<void> => {
      const writes = database.writes();
      if (writes === null) {
        await reply.send((await make()) as never); // Typed as the object of the schema, which `make` returns.
        return;
      }
      const key = JSON.stringify([reply.request.routeOptions.url, visibilityKey(viewer), question]);
      const bytes = await find(writes, { key, maxAgeMs }, async () => {
        const text = reply.serialize(await make());
        return typeof text === 'string' ? Buffer.from(text) : Buffer.from(new Uint8Array(text));
      });
      reply.type(json);
      // Without `await`, fastify would answer a second time while the bytes are compressed.
      await reply.send(bytes as never); // Typed as the object of the schema; these are its bytes.
    },
  };
}

/** All of a viewer that a read depends on: viewers with equal values see the same. */
const visibilityKey = ({ role, userId, profileId, visibility, locale }: Viewer): unknown => [
  role,
  userId,
  profileId,
  visibility.showsHidden,
  visibility.libraries === null ? null : [...visibility.libraries],
  locale ?? null,
];
