/** The SQL of how far search plugins are, for the servers of one database. */
import type { AskLine, Queries } from '../../../../kernel/store/index.ts';
import type { SharedProgress } from './search-progress.ts';

export const sharedProgress = (ask: AskLine, read: Queries): SharedProgress => ({
  keep: async (pluginId, number) => {
    await ask(
      `insert into search_progress (plugin_id, number) values ($1, $2)
       on conflict (plugin_id) do update set number = excluded.number`,
      [pluginId, number],
    );
  },
  find: async (pluginId) => {
    const [row] = await read.raw<readonly { readonly number: number }[]>(
      'select number from search_progress where plugin_id = ?',
      [pluginId],
    );
    return row?.number ?? -1;
  },
});
