import type { KvService } from '../../../plugin-api/index.ts';
import { KernelError } from '../../errors.ts';
import type { HostCaller, HostMethod, HostService } from '../../host-service.ts';
import { longestKey } from './key.ts';
import { largestValueBytes, type KvStore } from './kv-store.ts';

type Input<M extends keyof KvService> = Parameters<KvService[M]>[0];

const permission = { name: 'kv' } as const;
const key = { type: 'string', maxLength: longestKey };
const bytesPerMb = 1_000_000;
const mostChanges = 1000;
/** For an input of keys and numbers only. */
const shortInput = 16_384;
/** A value with its key, in any escaping. */
const longestEntry = largestValueBytes + 8192;
/** A batch is one transaction, for which all other writers wait. */
const longestBatch = 4_000_000;

/** `host.kv`: each plugin has its own store. */
export function createKvService(kv: KvStore): HostService {
  const get: HostMethod = {
    permission,
    maxLength: shortInput,
    input: closed({ key }, ['key']),
    run: async (input: Input<'get'>, { pluginId }) => (await kv.get(pluginId, input.key)) ?? 'null',
    raw: true,
  };

  const set: HostMethod = {
    permission,
    maxLength: longestEntry,
    input: closed({ key, value: {} }, ['key', 'value']),
    run: async (input: Input<'set'>, caller) => {
      const entry = { key: input.key, json: JSON.stringify(input.value) };
      await kv.set(caller.pluginId, entry, quotaBytesOf(caller));
      return null;
    },
  };

  const remove: HostMethod = {
    permission,
    maxLength: shortInput,
    input: closed({ key }, ['key']),
    run: async (input: Input<'remove'>, { pluginId }) => {
      await kv.remove(pluginId, input.key);
      return null;
    },
  };

  const list: HostMethod = {
    permission,
    maxLength: shortInput,
    input: closed({
      prefix: key,
      cursor: { type: ['string', 'null'], maxLength: longestKey },
      limit: { type: 'integer', minimum: 1, maximum: 1000 },
    }),
    run: (input: Input<'list'>, { pluginId }) =>
      kv.list(pluginId, {
        prefix: input.prefix ?? '',
        cursor: input.cursor ?? null,
        limit: input.limit ?? 1000,
      }),
  };

  const scan: HostMethod = {
    permission,
    maxLength: shortInput,
    input: closed({
      prefix: key,
      cursor: { type: ['string', 'null'], maxLength: longestKey },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      reverse: { type: 'boolean' },
    }),
    run: async (input: Input<'scan'>, { pluginId }) => {
      const { entries, cursor } = await kv.scan(pluginId, {
        prefix: input.prefix ?? '',
        cursor: input.cursor ?? null,
        limit: input.limit ?? 100,
        isReverse: input.reverse ?? false,
      });
      const texts = entries.map((one) => `{"key":${JSON.stringify(one.key)},"value":${one.json}}`);
      return `{"entries":[${texts.join(',')}],"cursor":${JSON.stringify(cursor)}}`;
    },
    raw: true,
  };

  const batch: HostMethod = {
    permission,
    maxLength: longestBatch,
    input: closed({
      remove: { type: 'array', items: key, maxItems: mostChanges },
      set: {
        type: 'array',
        items: closed({ key, value: {} }, ['key', 'value']),
        maxItems: mostChanges,
      },
    }),
    run: async ({ remove: gone = [], set: kept = [] }: Input<'batch'>, caller) => {
      if (gone.length + kept.length > mostChanges)
        throw new KernelError('invalid_argument', `A batch has at most ${mostChanges} keys.`);
      const entries = kept.map((one) => ({ key: one.key, json: JSON.stringify(one.value) }));
      const changes = { remove: gone, set: entries };
      await kv.batch(caller.pluginId, changes, quotaBytesOf(caller));
      return null;
    },
  };

  const count: HostMethod = {
    permission,
    maxLength: shortInput,
    input: closed({ prefix: key, most: { type: 'integer', minimum: 1, maximum: 1_000_000 } }, [
      'prefix',
      'most',
    ]),
    run: async ({ prefix, most }: Input<'count'>, { pluginId }) => ({
      count: await kv.count(pluginId, prefix, most),
    }),
  };

  const trim: HostMethod = {
    permission,
    maxLength: shortInput,
    input: closed({ prefix: key, keep: { type: 'integer', minimum: 0, maximum: 1_000_000 } }, [
      'prefix',
      'keep',
    ]),
    run: async ({ prefix, keep }: Input<'trim'>, { pluginId }) => ({
      removed: await kv.trim(pluginId, prefix, keep),
    }),
  };

  return { name: 'kv', methods: { get, set, remove, list, scan, batch, count, trim } };
}

function closed(properties: object, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

function quotaBytesOf({ granted }: HostCaller): number {
  return Math.floor((granted.kv?.quotaMb ?? 0) * bytesPerMb);
}
