import { definePlugin } from '@vitrine/plugin-api';
import type { Configuration } from './configuration.ts';
import { createList } from './list.ts';

export default definePlugin<Configuration>({
  events: {
    'library.item.added': ({ data, timestamp }, host) =>
      createList(host).add({ itemId: data.itemId, title: data.title, addedAt: timestamp }),

    'library.item.removed': ({ data }, host) => createList(host).remove(data.itemId),
  },

  views: {
    'ui.settings.sections': async (_, host) => {
      const added = await createList(host).read();
      if (added.length === 0) return [];
      return [
        {
          type: 'metadata',
          slot: 'settings-panes',
          id: 'template-view-action-list',
          title: { text: 'list.title', with: { count: added.length } },
          layout: 'key-value',
          fields: added.map(({ title, addedAt }) => ({ key: title, value: addedAt.slice(0, 10) })),
        },
        {
          type: 'action',
          slot: 'settings-panes',
          id: 'template-view-action-forget',
          label: { text: 'forget' },
          confirm: { text: 'forget.confirm' },
          rpcMethod: 'forget',
        },
      ];
    },
  },

  actions: {
    forget: async (_, host) => ({ forgotten: await createList(host).clear() }),
  },
});
