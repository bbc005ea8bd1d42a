/** Fakes of both services, which do what their public documentation says, and the plugin before them. */
import { createHash } from 'node:crypto';
import { openPlugin, type NetRequest, type PluginUnderTest } from 'vitrine/plugin-test';

const token = 'token-of-ada-0123456789';
const session = 'session-of-ada-0123456789';
const secret = 'shared-secret-0123456789';

/** What a service has, and how it answers. It ignores what it has already, as both services do. */
export interface Service {
  readonly has: Map<string, string>;
  requests: number;
  isAway: boolean;
}

/** The plugin with the accounts of one profile. */
export interface Scrobbling {
  readonly plugin: PluginUnderTest;
  readonly profileId: string;
  readonly listenBrainz: Service;
  readonly lastFm: Service;
  /** A profile, the one with accounts if none is named, hears a track to its end; gives its title. */
  readonly hear: (at: number, by?: string) => Promise<string>;
  readonly titleOf: (at: number) => string;
}

const empty = (): Service => ({ has: new Map(), requests: 0, isAway: false });

const take = ({ has }: Service, at: unknown, track: unknown): void =>
  void has.set(`${String(at)} ${String(track)}`, String(track));

const answersOfListenBrainz =
  (service: Service) =>
  ({ headers, body }: NetRequest) => {
    service.requests += 1;
    if (service.isAway) return { status: 503 };
    if (headers['authorization'] !== `Token ${token}`) return { status: 401 };
    const { payload } = JSON.parse(body ?? '') as {
      readonly payload: readonly {
        readonly listened_at: number;
        readonly track_metadata: { readonly track_name: string };
      }[];
    };
    for (const { listened_at, track_metadata } of payload)
      take(service, listened_at, track_metadata.track_name);
    return { body: { status: 'ok' } };
  };

const answersOfLastFm =
  (service: Service) =>
  ({ body }: NetRequest) => {
    service.requests += 1;
    if (service.isAway) return { body: { error: 11, message: 'Service Offline' } };
    const { api_sig, format, ...fields } = Object.fromEntries(new URLSearchParams(body ?? ''));
    const signed = Object.keys(fields)
      .sort()
      .map((name) => `${name}${fields[name] ?? ''}`);
    const right = createHash('md5')
      .update(`${signed.join('')}${secret}`)
      .digest('hex');
    if (api_sig !== right || format !== 'json') return { status: 403, body: { error: 13 } };
    if (fields['sk'] !== session) return { status: 403, body: { error: 9 } };
    for (let at = 0; fields[`track[${at}]`] !== undefined; at += 1)
      take(service, fields[`timestamp[${at}]`], fields[`track[${at}]`]);
    return { body: { scrobbles: {} } };
  };

/** Opens the plugin with a library of tracks and one profile with accounts at both services. */
export async function openScrobbler(): Promise<Scrobbling> {
  const [listenBrainz, lastFm] = [empty(), empty()];
  const plugin = await openPlugin(import.meta.dirname, {
    clock: Date.UTC(2026, 0, 2),
    configuration: { lastfmKey: 'key-of-the-admin' },
    library: { tracks: 30 },
    hosts: {
      'api.listenbrainz.org': answersOfListenBrainz(listenBrainz),
      'ws.audioscrobbler.com': answersOfLastFm(lastFm),
    },
  });
  await plugin.setSecret('lastfmSecret', secret);
  const accounts = { listenbrainzToken: token, lastfmSession: session };
  const { profileId } = await plugin.configureProfile(accounts, 'ada');
  await plugin.call('eventLog.waiting', {});
  const tracks = plugin.library.items().filter(({ metadata }) => 'album' in metadata);
  const titleOf = (at: number): string => tracks[at]?.title ?? '';

  async function hear(at: number, by = profileId): Promise<string> {
    const itemId = tracks[at]?.id ?? '';
    const data = { itemId, profileId: by, position: 200, duration: 200, completed: true };
    await plugin.event('playback.completed', data);
    return titleOf(at);
  }

  return { plugin, profileId, listenBrainz, lastFm, hear, titleOf };
}

/** The tracks that a service has. */
export const namesIn = ({ has }: Service): readonly string[] => [...has.values()].sort();
