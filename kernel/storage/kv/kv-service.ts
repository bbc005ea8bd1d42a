import type { KvService } from '../../../plugin-api/index.ts';
import type { HostCaller, HostMethod, HostService } from '../../host-service.ts';
import { longestKey } from './key.ts';
import type { KvStore } from './kv-store.ts';

type Input<M extends keyof KvService> = Parameters<KvService[M]>[0];

const permission = { name: 'kv' } as const;
const key = { type: 'string', maxLength: longestKey };
const bytesPerMb = 1_000_000;

/** `host.kv`: each plugin sees its own store and nothing else. */
export function createKvService(kv: KvStore): HostService {
  const get: HostMethod = {
    permission,
    input: closed({ key }, ['key']),
    run: async (input: Input<'get'>, { pluginId }) => (await kv.get(pluginId, input.key)) ?? 'null',
    raw: true,
  };

  const set: HostMethod = {
    permission,
    input: closed({ key, value: {} }, ['key', 'value']),
    run: async (input: Input<'set'>, caller) => {
      const entry = { key: input.key, json: JSON.stringify(input.value) };
      await kv.set(caller.pluginId, entry, quotaBytesOf(caller));
      return null;
    },
  };

  const remove: HostMethod = {
    permission,
    input: closed({ key }, ['key']),
    run: async (input: Input<'remove'>, { pluginId }) => {
      await kv.remove(pluginId, input.key);
      return null;
    },
  };

  const list: HostMethod = {
    permission,
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

  return { name: 'kv', methods: { get, set, remove, list } };
}

function closed(properties: object, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

function quotaBytesOf({ granted }: HostCaller): number {
  return Math.floor((granted.kv?.quotaMb ?? 0) * bytesPerMb);
}
