import { definePlugin, type Host } from '@vitrine/plugin-api';
import { sync } from './sync.ts';

const hourMs = 3_600_000;
/** What somebody does in a row is compared once. */
const quietMs = 60_000;

/** Every profile that agreed and has an account. One that fails waits for the next hour. */
async function syncAll(host: Host): Promise<void> {
  const { clientId } = await host.config.get({});
  if (typeof clientId !== 'string' || clientId === '') return;
  const { profiles } = await host.viewing.profiles({});
  for (const { profile, level } of profiles) {
    const { values } = await host.config.ofProfile({ profile });
    if (level !== 'write' || values['traktToken'] !== true) continue;
    try {
      await sync({ host, profile, clientId });
    } catch (error) {
      console.error('A profile was not compared:', error);
    }
  }
}

async function soon(host: Host): Promise<void> {
  await host.schedule.set({ name: 'hour', at: Date.now() + hourMs, everyMs: hourMs });
  await host.schedule.set({ name: 'soon', at: Date.now() + quietMs });
}

export default definePlugin({
  events: {
    'playback.completed': (_event, host) => soon(host),
    'playback.removed': (_event, host) => soon(host),
    'playback.marked': (_event, host) => soon(host),
  },
  methods: {
    'schedule.wake': (_input, host) => syncAll(host),
  },
});
