/** The requests of a player. */
import { call, requestHeaders, type Resources } from '../core/api.ts';

export type Item = Resources['ItemDetail'];
/** What a browser says that it plays. */
export type Client = Resources['PlaybackClient'];
export type PlaybackFile = Resources['PlaybackFile'];
export type Session = Resources['PlaybackSession'];
export type SessionTrack = Session['tracks'][number];

/** What a player reports of a session, or changes in it. */
export type SessionChange = Resources['PlaybackSessionChange'];

/** What a player asks the server for. */
export interface PlayerRequests {
  readonly item: (id: string) => Promise<Item>;
  readonly files: (itemId: string, fileId?: string) => Promise<readonly PlaybackFile[]>;
  readonly begin: (wanted: Resources['PlaybackSessionRequest']) => Promise<Session>;
  readonly change: (id: string, change: SessionChange) => Promise<Session>;
  readonly end: (id: string) => Promise<void>;
  /** Reports while the page goes away: there is no answer. */
  readonly leave: (id: string, change: SessionChange) => void;
}

export const serverRequests: PlayerRequests = {
  item: async (id) => (await call('get', '/api/items/{id}', { path: { id } })).item,
  files: async (id, fileId) => {
    const query = fileId === undefined ? {} : { fileId };
    return (await call('get', '/api/items/{id}/playback-info', { path: { id }, query })).files;
  },
  begin: async (body) => (await call('post', '/api/playback/sessions', { body })).session,
  change: async (id, body) =>
    (await call('patch', '/api/playback/sessions/{id}', { path: { id }, body })).session,
  end: async (id) => {
    await call('delete', '/api/playback/sessions/{id}', { path: { id } });
  },
  leave: (id, change) => {
    const headers = { ...requestHeaders(), 'content-type': 'application/json' };
    const init = { method: 'PATCH', keepalive: true, headers, body: JSON.stringify(change) };
    fetch(`/api/playback/sessions/${encodeURIComponent(id)}`, init).catch(() => {});
  },
};

let asked = serverRequests;

/** Has players ask `requests`, which know what is kept on this device. */
export function playersAsk(requests: PlayerRequests): void {
  asked = requests;
}

/** The requests of players. */
export const playerRequests: PlayerRequests = {
  item: (id) => asked.item(id),
  files: (itemId, fileId) => asked.files(itemId, fileId),
  begin: (wanted) => asked.begin(wanted),
  change: (id, change) => asked.change(id, change),
  end: (id) => asked.end(id),
  leave: (id, change) => asked.leave(id, change),
};

/**
 * The path of an address of the server. A server with a public address names that, and this page
 * may have come by another one.
 */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url, 'http://server.invalid');
  return `${pathname}${search}`;
};
