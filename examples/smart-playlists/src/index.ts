import { definePlugin, type Host, type UIActionAnswer } from '@vitrine/plugin-api';
import { makePlaylists } from './make.ts';

const dayMs = 86_400_000;
const quietMs = 60_000;

/** For every profile that agreed, while nobody is there. One that fails does not stop the others. */
async function makeAll(host: Host): Promise<void> {
  const { profiles } = await host.viewing.profiles({});
  for (const { profile, level } of profiles) {
    if (level !== 'write') continue;
    try {
      const { faults } = await makePlaylists(host, host.as(profile), profile);
      for (const fault of faults) console.warn(fault);
    } catch (error) {
      console.error('The playlists of a profile were not made:', error);
    }
  }
}

const eachNight = (host: Host): Promise<unknown> =>
  host.schedule.set({ name: 'night', at: Date.now() + dayMs, everyMs: dayMs });

export default definePlugin({
  events: {
    // Several scans that follow each other make the playlists once.
    'library.scan.completed': async (_event, host) => {
      await eachNight(host);
      await host.schedule.set({ name: 'scanned', at: Date.now() + quietMs });
    },
  },
  methods: {
    'schedule.wake': (_input, host) => makeAll(host),
  },
  views: {
    'ui.library.header.actions': () => [
      {
        type: 'action',
        slot: 'header-actions',
        id: 'smart-playlists-make',
        label: { text: 'make' },
        rpcMethod: 'makeMine',
      },
    ],
  },
  actions: {
    makeMine: async (_params, host) => {
      if (host.viewer === null) return null;
      await eachNight(host);
      const { made, faults } = await makePlaylists(host, host, host.viewer.profile);
      const message = [`Playlists: ${made}.`, ...faults].join(' ');
      return { message, go: '/lists' } satisfies UIActionAnswer;
    },
  },
});
