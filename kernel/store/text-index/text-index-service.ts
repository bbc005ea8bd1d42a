import { hostService, type HostService } from '../../call/host-service.ts';
import type { TextIndexStore } from './text-index-store.ts';

/** `host.textIndex`: each plugin has its own index. */
export const createTextIndexService = (textIndex: TextIndexStore): HostService<'textIndex'> =>
  hostService('textIndex', {
    put: async ({ documents }, { pluginId }) => {
      await textIndex.put(pluginId, documents);
      return null;
    },
    remove: async ({ ids }, { pluginId }) => {
      await textIndex.remove(pluginId, ids);
      return null;
    },
    clear: async (_input, { pluginId }) => {
      await textIndex.clear(pluginId);
      return null;
    },
    size: async (_input, { pluginId }) => ({ documents: await textIndex.size(pluginId) }),
    query: (input, { pluginId }) => textIndex.query(pluginId, input),
    queryKinds: async (input, { pluginId }) => ({
      kinds: await textIndex.queryKinds(pluginId, input),
    }),
    similar: async (input, { pluginId }) => ({ words: await textIndex.similar(pluginId, input) }),
  });
