import { definePlugin, type Host } from '@vitrine/plugin-api';
import type { Configuration } from './configuration.ts';
import { setKept } from './found.ts';
import { search } from './search.ts';
import { buttons, pairsWith, panels, settings } from './views.ts';

const startSearch = (host: Host) => host.jobs.enqueue({ type: 'duplicate-finder.search' });

async function keep(itemId: unknown, isKept: boolean, host: Host): Promise<{ pairs: number }> {
  const pairs = await pairsWith(itemId, host);
  if (pairs.length === 0)
    throw new Error('This item has no duplicate in the last search. Search again.');
  await setKept(host.kv, pairs, isKept);
  return { pairs: pairs.length };
}

export default definePlugin<Configuration>({
  events: {
    // Each scan moves the one search that waits: ten scans in a row are followed by one search.
    'library.scan.completed': async ({ data }, host) => {
      if (data.added + data.changed + data.moved + data.gone === 0) return;
      const { quietMinutes } = await host.config.get({});
      await host.schedule.set({ name: 'search', at: Date.now() + quietMinutes * 60_000 });
    },
  },

  methods: {
    'schedule.wake': (_, host) => startSearch(host),
    'job.run': search,
  },

  views: {
    'ui.settings.sections': (_, host) => settings(host),
    'ui.item.detail.panels': ({ itemId }, host) => panels(itemId, host),
    'ui.item.detail.actions': ({ itemId }, host) => buttons(itemId, host),
  },

  actions: {
    searchNow: (_, host) => startSearch(host),
    keepBoth: ({ itemId }, host) => keep(itemId, true, host),
    undo: ({ itemId }, host) => keep(itemId, false, host),
  },
});
