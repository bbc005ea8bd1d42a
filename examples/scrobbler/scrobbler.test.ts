/** The scrobbler against stand-ins of both services, which do what their public documentation says. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPlugin, type NetRequest, type PluginUnderTest } from 'vitrine/plugin-test';
import { testByNight } from '../../test/support/run/test-by-night.ts';

const token = 'token-of-ada-0123456789';
const session = 'session-of-ada-0123456789';
const secret = 'shared-secret-0123456789';

/** What a service has, and how it answers. It ignores what it has already, as both services do. */
interface Service {
  readonly has: Map<string, string>;
  requests: number;
  isAway: boolean;
}

let listenBrainz: Service;
let lastFm: Service;
let plugin: PluginUnderTest;
let profileId: string;

const empty = (): Service => ({ has: new Map(), requests: 0, isAway: false });

const take = ({ has }: Service, at: unknown, track: unknown): void =>
  void has.set(`${String(at)} ${String(track)}`, String(track));

function answerListenBrainz({ headers, body }: NetRequest) {
  listenBrainz.requests += 1;
  if (listenBrainz.isAway) return { status: 503 };
  if (headers['authorization'] !== `Token ${token}`) return { status: 401 };
  const { payload } = JSON.parse(body ?? '') as {
    readonly payload: readonly {
      readonly listened_at: number;
      readonly track_metadata: { readonly track_name: string };
    }[];
  };
  for (const { listened_at, track_metadata } of payload)
    take(listenBrainz, listened_at, track_metadata.track_name);
  return { body: { status: 'ok' } };
}

function answerLastFm({ body }: NetRequest) {
  lastFm.requests += 1;
  if (lastFm.isAway) return { body: { error: 11, message: 'Service Offline' } };
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
    take(lastFm, fields[`timestamp[${at}]`], fields[`track[${at}]`]);
  return { body: { scrobbles: {} } };
}

beforeEach(async () => {
  [listenBrainz, lastFm] = [empty(), empty()];
  plugin = await openPlugin(import.meta.dirname, {
    clock: Date.UTC(2026, 0, 2),
    configuration: { lastfmKey: 'key-of-the-admin' },
    library: { tracks: 30 },
    hosts: { 'api.listenbrainz.org': answerListenBrainz, 'ws.audioscrobbler.com': answerLastFm },
  });
  await plugin.setSecret('lastfmSecret', secret);
  const accounts = { listenbrainzToken: token, lastfmSession: session };
  ({ profileId } = await plugin.configureProfile(accounts, 'ada'));
  await plugin.call('eventLog.waiting', {});
});

afterEach(() => plugin.close());

const tracks = () => plugin.library.items().filter(({ metadata }) => 'album' in metadata);

async function hear(at: number, by = profileId): Promise<string> {
  const { id: itemId, title = '' } = tracks()[at] ?? { id: '' };
  const data = { itemId, profileId: by, position: 200, duration: 200, completed: true };
  await plugin.event('playback.completed', data);
  return title;
}

const namesIn = ({ has }: Service): readonly string[] => [...has.values()].sort();

test('sends what a profile has heard to both of its accounts, signed, with secrets it never sees', async () => {
  const title = await hear(0);

  expect(namesIn(listenBrainz)).toEqual([title]);
  expect(namesIn(lastFm)).toEqual([title]);
});

test('sends nothing of a profile without an account, and nothing that is not music', async () => {
  await hear(0, 'profile-ben');
  const film = plugin.library.items().find(({ metadata }) => 'resolution' in metadata);
  const data = { itemId: film?.id ?? '', profileId, position: 9, duration: 9, completed: true };
  await plugin.event('playback.completed', data);

  expect([listenBrainz.requests, lastFm.requests]).toEqual([0, 0]);
});

test('keeps what was heard while a service is away, and sends it when it is back', async () => {
  lastFm.isAway = true;
  const title = await hear(1);
  expect(namesIn(listenBrainz)).toEqual([title]);
  expect(namesIn(lastFm)).toEqual([]);

  lastFm.isAway = false;
  await plugin.clock.advance(2 * 60_000);

  expect(namesIn(lastFm)).toEqual([title]);
  expect(listenBrainz.has.size).toBe(1);
});

testByNight('loses and doubles nothing when it is killed at any point of its work', async () => {
  const heard: string[] = [];
  const points = ['kv.batch', 'eventLog.release', 'net.fetch', 'secrets.digest', 'kv.trim'];
  for (const [at, point] of points.entries()) {
    // The call never ends, so the process is killed right in the middle of the work.
    plugin.faults.hang(point);
    const hung = hear(at).catch(() => undefined);
    await plugin.faults.hung();
    await plugin.restart();
    await hung;
    heard.push(tracks()[at]?.title ?? '');
    plugin.faults.clear();
  }
  await plugin.call('eventLog.waiting', {});
  await plugin.clock.advance(2 * 3_600_000);

  expect(namesIn(listenBrainz)).toEqual(heard.toSorted());
  expect(namesIn(lastFm)).toEqual(heard.toSorted());
});
