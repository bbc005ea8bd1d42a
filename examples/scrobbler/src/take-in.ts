/** Takes what was heard from the event log into the queue. */
import type { Host, LoggedEvent, MediaItem } from '@vitrine/plugin-api';
import { queueKey, sentKey, type Listen, type ServiceName } from './listen.ts';

const pattern = 'playback.completed';

/** The field of a profile's form for each service. */
const fields: readonly (readonly [ServiceName, string])[] = [
  ['listenbrainz', 'listenbrainzToken'],
  ['lastfm', 'lastfmSession'],
];

/**
 * Stores every listen before its event is released. After a kill between the two the event is read
 * again, and gets the same keys.
 */
export async function takeIn(host: Host): Promise<void> {
  await host.eventLog.follow({ patterns: [pattern] });
  for (;;) {
    const { events, more } = await host.eventLog.read({ limit: 100 });
    if (events.length === 0) return;
    const keys = (await Promise.all(events.map((one) => keysOf(one, host)))).flat();
    await host.kv.batch({ set: await unsent(keys, host) });
    await host.eventLog.release({ ids: events.map(({ id }) => id) });
    if (!more) return;
  }
}

interface Entry {
  readonly key: string;
  readonly value: Listen;
}

async function unsent(entries: readonly Entry[], host: Host): Promise<readonly Entry[]> {
  const sent = await Promise.all(entries.map(({ key }) => host.kv.get({ key: sentKey(key) })));
  return entries.filter((_, at) => sent[at] === null);
}

async function keysOf({ id, event }: LoggedEvent, host: Host): Promise<readonly Entry[]> {
  const { itemId, profileId, duration } = event.data;
  if (typeof itemId !== 'string' || typeof profileId !== 'string') return [];
  const { profile, values } = await host.config.ofProfile({ profileId });
  const wanted = fields.filter(([, field]) => values['isOn'] !== false && values[field] === true);
  if (wanted.length === 0) return [];
  const listen = listenOf(await itemOf(itemId, host), event.timestamp, Number(duration));
  if (listen === null) return [];
  return wanted.map(([service]) => ({ key: queueKey(service, profile, id), value: listen }));
}

/** An item that is gone, or that was not granted, is left out. */
const itemOf = (itemId: string, host: Host): Promise<MediaItem | null> =>
  host.media.get({ itemId }).catch((error: unknown) => {
    const { code } = error as { readonly code?: string };
    if (code === 'not_found' || code === 'permission_denied') return null;
    throw error;
  });

function listenOf(item: MediaItem | null, endedAt: string, duration: number): Listen | null {
  if (!item || !item.files.some(({ mediaKind }) => mediaKind === 'audio')) return null;
  const { artist, albumArtist, album } = item.metadata;
  const by = textOf(artist) ?? textOf(albumArtist);
  if (by === null) return null;
  const seconds = Number.isFinite(duration) && duration > 0 ? Math.round(duration) : null;
  const at = Math.floor(Date.parse(endedAt) / 1000) - (seconds ?? 0);
  return { at, artist: by, track: item.title, album: textOf(album), seconds };
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, 500) : null;
