import { kvLimits } from '../../../plugin-api/server/index.ts';
import { KernelError } from '../../errors.ts';
import { hostService, type HostCaller, type HostService } from '../../call/host-service.ts';
import type { KvStore } from './kv-store.ts';

const bytesPerMb = 1_000_000;

/** `host.kv`: each plugin has its own store. */
export const createKvService = (kv: KvStore): HostService<'kv'> =>
  hostService('kv', {
    get: async ({ key }, { pluginId }) => (await kv.get(pluginId, key)) ?? 'null',
    set: async ({ key, value }, caller) => {
      await kv.set(caller.pluginId, { key, json: JSON.stringify(value) }, quotaBytesOf(caller));
      return null;
    },
    remove: async ({ key }, { pluginId }) => {
      await kv.remove(pluginId, key);
      return null;
    },
    list: ({ prefix = '', cursor = null, limit = 1000 }, { pluginId }) =>
      kv.list(pluginId, { prefix, cursor, limit }),
    scan: async ({ prefix = '', cursor: after = null, limit = 100, reverse }, { pluginId }) => {
      const { entries, cursor } = await kv.scan(pluginId, {
        prefix,
        cursor: after,
        limit,
        isReverse: reverse ?? false,
      });
      const texts = entries.map((one) => `{"key":${JSON.stringify(one.key)},"value":${one.json}}`);
      return `{"entries":[${texts.join(',')}],"cursor":${JSON.stringify(cursor)}}`;
    },
    batch: async ({ remove = [], set = [] }, caller) => {
      if (remove.length + set.length > kvLimits.batchKeys)
        throw new KernelError(
          'invalid_argument',
          `A batch has at most ${kvLimits.batchKeys} keys.`,
        );
      const entries = set.map((one) => ({ key: one.key, json: JSON.stringify(one.value) }));
      await kv.batch(caller.pluginId, { remove, set: entries }, quotaBytesOf(caller));
      return null;
    },
    count: async ({ prefix, most }, { pluginId }) => ({
      count: await kv.count(pluginId, prefix, most),
    }),
    trim: async ({ prefix, keep }, { pluginId }) => ({
      removed: await kv.trim(pluginId, prefix, keep),
    }),
  });

function quotaBytesOf({ granted }: HostCaller): number {
  return Math.floor((granted.kv?.quotaMb ?? 0) * bytesPerMb);
}
