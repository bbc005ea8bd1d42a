/**
 * Replies that would be the same again. A page of a list costs the database, a copy and the text of
 * each entry; clients ask for the same pages again and again, and many at a time. A reply is kept as
 * its bytes and given once more to whoever may see exactly the same, as long as nothing was written
 * that it could be made of: the first write that ends after the reading began makes it nothing, unless
 * it changed only tables that the reply is said to have nothing of. So nobody is ever given anything
 * that a fresh reading would not give.
 */
import { LRUCache } from 'lru-cache';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../kernel/index.ts';
import type { Viewer } from '../accounts/index.ts';
import { steadyOf, systemClock, type Clock } from '../clock.ts';

/** Gives what it has, or makes it. */
export interface KeptReplies {
  /** Sends what `make` gives; `question` says all that it depends on, beside viewer and database. */
  readonly send: (
    reply: SendsBytes,
    options: {
      readonly viewer: Viewer;
      readonly question: unknown;
      readonly make: () => Promise<unknown>;
      /** The tables of which nothing is in it: it outlives their changes. */
      readonly apart: ReadonlySet<string>;
      /** How old a reply may be that is made of more than the database knows; any age when absent. */
      readonly maxAgeMs?: number;
    },
  ) => Promise<void>;
}

/** A reply of any route: its bytes are made by the schema of that route. */
export interface SendsBytes extends Pick<FastifyReply, 'serialize' | 'raw'> {
  readonly request: Pick<FastifyRequest, 'routeOptions'>;
  readonly type: (mediaType: string) => unknown;
  readonly send: (payload: never) => unknown;
}

/** What they are kept by. */
export interface KeptRepliesParts {
  readonly database: Pick<Database, 'writes'>;
  /** How many bytes are kept in all; 16 MiB when absent. */
  readonly maxBytes?: number;
  readonly clock?: Clock;
}

interface Kept {
  /** The last write that counted when the reading began. */
  readonly writes: number;
  readonly madeAt: number;
  readonly bytes: Promise<Buffer>;
}

/** What is asked, and how old the answer may be. */
interface Question {
  readonly key: string;
  readonly apart: ReadonlySet<string>;
  readonly maxAgeMs: number;
}

const defaultMaxBytes = 16 * 1024 ** 2;
const maxEntries = 500;
const json = 'application/json; charset=utf-8';

/** Creates it with nothing in it. */
export function createKeptReplies(parts: KeptRepliesParts): KeptReplies {
  const { database, maxBytes = defaultMaxBytes, clock = systemClock } = parts;
  const { now: steadyNow } = steadyOf(clock);
  const kept = new LRUCache<string, Kept>({ max: maxEntries, maxSize: maxBytes });

  /** Those who ask meanwhile wait for the same reading, unless something was written since. */
  function find({ key, apart, maxAgeMs }: Question, make: () => Promise<Buffer>): Promise<Buffer> {
    const [writes, now] = [database.writes(apart), steadyNow()];
    const known = kept.get(key);
    if (known?.writes === writes && now - known.madeAt <= maxAgeMs) return known.bytes;
    const bytes = make();
    const entry = { writes, madeAt: now, bytes };
    kept.set(key, entry, { size: 1 });
    const isCurrent = (): boolean => kept.peek(key) === entry;
    bytes.then(
      ({ length }) => {
        // The cache asks for a size only with another value.
        if (isCurrent()) kept.set(key, { ...entry }, { size: length + 1 });
      },
      () => {
        if (isCurrent()) kept.delete(key);
      },
    );
    return bytes;
  }

  return {
    send: async (reply, { viewer, question, make, apart, maxAgeMs = Infinity }) => {
      const key = JSON.stringify([reply.request.routeOptions.url, asSeenBy(viewer), question]);
      const bytes = await find({ key, apart, maxAgeMs }, async () => {
        const text = reply.serialize(await make());
        return typeof text === 'string' ? Buffer.from(text) : Buffer.from(new Uint8Array(text));
      });
      reply.type(json);
      reply.send(bytes as never); // Typed as what the schema says, of which these are the bytes.
    },
  };
}

/** All that a reading asks of a viewer: two for whom this is the same see the same. */
const asSeenBy = ({ role, userId, profileId, sight }: Viewer): unknown => [
  role,
  userId,
  profileId,
  sight.showsHidden,
  sight.libraries === null ? null : [...sight.libraries],
];
