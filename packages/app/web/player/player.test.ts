import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refusal } from '../core/api.ts';
import type { Decoded, Media, MediaEvents, Source } from './media.ts';
import { preferredSound } from './begin.ts';
import { createPlayer } from './player.ts';
import type { Item, PlaybackFile, PlayerRequests, Session, SessionChange } from './requests.ts';

const files = [1, 2].map((number) => ({
  ...{ id: `part-${number}`, filename: `${number}.mp3`, extension: 'mp3', mediaKind: 'audio' },
  ...{ type: 'media', status: 'active', classification: 'primary', edition: null },
  ...{ partNumber: number, duration: 40, chapters: [] },
}));
const book = {
  ...{ id: 'book', title: 'Emma', metadata: {}, linkedEntities: [], files },
  playback: { position: 50, duration: 80, completed: false },
} as unknown as Item;

const infos = files.map(({ id }) => ({ id, candidates: [], tracks: [] }));

/** A server that notes what it is told. */
function openServer(refusal?: () => Refusal | undefined) {
  const asked: Parameters<PlayerRequests['begin']>[0][] = [];
  const told: (readonly [string, SessionChange])[] = [];
  const done: string[] = [];
  const offers: Session['offer'][] = [];
  const requests: { -readonly [Key in keyof PlayerRequests]: PlayerRequests[Key] } = {
    item: async () => book,
    files: async () => infos as unknown as readonly PlaybackFile[],
    begin: async (wanted) => {
      asked.push(wanted);
      const refused = refusal?.();
      if (refused !== undefined) throw refused;
      const id = `session-${asked.length}`;
      const tracks = [{ id: 'a0', kind: 'audio', isSelected: true, url: null }];
      const mode = wanted.mode === 'convert' ? 'convert' : 'direct';
      const url = `https://films.example.org/api/playback/sessions/${id}/token/file`;
      return {
        id,
        fileId: wanted.fileId,
        kind: 'file',
        mode,
        url,
        firstUrls: [],
        firstUrl: null,
        tracks,
        reasons: [],
      } as never;
    },
    change: async (id, change) => {
      told.push([id, change]);
      const refused = refusal?.();
      if (refused !== undefined) throw refused;
      return { id, offer: offers.shift() ?? null } as Session;
    },
    end: async (id) => void done.push(id),
    leave: (id, change) => void told.push([id, change]),
  };
  return { asked, told, done, offers, requests };
}

/** Media that a test moves by hand. */
function openMedia() {
  const loaded: Source[] = [];
  let events: MediaEvents | undefined;
  const state = { decoded: { picture: null, sound: true } as Decoded, wantsPress: false };
  const media: Media = {
    listen: (wanted) => (events = wanted),
    load: async (source) => void loaded.push(source),
    preload: (source) => void loaded.push(source),
    play: async () => {
      if (state.wantsPress) throw new DOMException('Press first.', 'NotAllowedError');
      events?.playing();
    },
    pause: () => events?.paused(),
    seek: (at) => events?.time(at),
    setRate: () => {},
    selectSound: () => false,
    decoded: () => state.decoded,
    clear: () => {},
  };
  return { loaded, state, media, tell: () => events! };
}

function open(refusal?: () => Refusal | undefined) {
  const server = openServer(refusal);
  const screen = openMedia();
  const requests: PlayerRequests = {
    ...server.requests,
    end: (id) => server.requests.end(id),
  };
  const test = (_: unknown, maxKbps: number | null) => ({
    ...{ mse: [], src: [] },
    ...(maxKbps !== null && { maxKbps }),
  });
  const player = createPlayer({ media: screen.media, requests, test, soundLanguages: () => [] });
  return { server, screen, player };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an item goes on in the part where it was left, by an address of this server', async () => {
  const { player, screen, server } = open();
  await player.open('book');
  expect(server.asked[0]).toMatchObject({ fileId: 'part-2', position: 10, mode: 'auto' });
  expect(screen.loaded[0]).toMatchObject({
    url: '/api/playback/sessions/session-1/token/file',
    at: 10,
  });
  expect(player.position.value).toBe(50);
  expect(player.isPlaying.value).toBe(true);
  player.close();
});

test('a paused film that is sought waits no longer when its picture is there', async () => {
  const { player, screen } = open();
  await player.open('book');
  player.pause();
  player.seek(60);
  screen.tell().waiting();
  expect(player.isWaiting.value).toBe(true);

  screen.tell().ready();

  expect(player.isWaiting.value).toBe(false);
  player.play();
  screen.tell().waiting();
  screen.tell().ready();
  expect(player.isWaiting.value).toBe(true);
  player.close();
});

test('where the browser wants a press first, it waits for one', async () => {
  const { player, screen } = open();
  screen.state.wantsPress = true;
  await player.open('book');
  expect([player.status.value, player.isPlaying.value]).toEqual(['ready', false]);
  expect([player.isWaiting.value, player.problem.value]).toEqual([false, null]);

  screen.state.wantsPress = false;
  player.play();
  await vi.waitFor(() => expect(player.isPlaying.value).toBe(true));
  player.close();
});

test('it goes on with the next part, after the end of the first was told', async () => {
  const { player, screen, server } = open();
  await player.open('book', { from: 0 });
  screen.tell().time(40);
  screen.tell().ended();
  await vi.waitFor(() => expect(screen.loaded).toHaveLength(2));
  expect(server.told).toEqual([['session-1', { position: 40, state: 'playing' }]]);
  expect(server.done).toEqual(['session-1']);
  expect(player.position.value).toBe(40);
  expect(player.isPlaying.value).toBe(true);
  player.close();
});

test('it tells where it is every ten seconds, and soon after a pause', async () => {
  const { player, screen, server } = open();
  await player.open('book', { from: 0 });
  screen.tell().time(3);
  await vi.advanceTimersByTimeAsync(10_000);
  player.pause();
  screen.tell().time(4);
  await vi.advanceTimersByTimeAsync(500);
  expect(server.told.map(([, change]) => change)).toEqual([
    { position: 3, state: 'playing' },
    { position: 4, state: 'paused' },
  ]);
  player.close();
});

test('a session that the server forgot is followed by another at the same place', async () => {
  let isForgotten = false;
  const { player, screen, server } = open(() =>
    isForgotten && server.told.length === 1 && server.asked.length === 1
      ? new Refusal(404, '', { code: 'not_found' })
      : undefined,
  );
  await player.open('book', { from: 5 });
  screen.tell().time(17);
  isForgotten = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.asked[1]).toMatchObject({ fileId: 'part-1', position: 17 });
  player.close();
});

test('a file that changed begins again, but not for ever', async () => {
  const { player, screen, server } = open();
  await player.open('book', { from: 5 });
  for (let at = 0; at < 6; at += 1) {
    screen.tell().failed('changed');
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(server.asked).toHaveLength(4);
  expect(player.status.value).toBe('refused');
  player.close();
});

test('a file that grows begins again as often as it must, while it plays on', async () => {
  const { player, screen, server } = open();
  await player.open('book', { from: 5 });
  for (let at = 0; at < 6; at += 1) {
    screen.tell().time(10 + at * 5);
    screen.tell().failed('changed');
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(server.asked.map(({ position }) => position)).toEqual([5, 10, 15, 20, 25, 30, 35]);
  expect(player.status.value).toBe('ready');
  player.close();
});

test('data that do not decode are asked for in a conversion, once', async () => {
  const { player, screen, server } = open();
  await player.open('book', { from: 5 });
  screen.tell().failed('data');
  await vi.advanceTimersByTimeAsync(0);
  expect(server.asked[1]).toMatchObject({ mode: 'convert', position: 5 });
  expect(player.missed.value).toBe('data');
  screen.tell().failed('data');
  expect(player.problem.value?.waysOut).toEqual(['elsewhere', 'download', 'retry']);
  player.close();
});

test.each([
  ['network', 'connection_lost', ['retry', 'download']],
  ['changed', 'file_changed', ['retry', 'download']],
  ['gone', 'session_lost', ['retry', 'download']],
] as const)(
  'what fails again and again at one place (%s) is said',
  async (fault, code, waysOut) => {
    const { player, screen } = open();
    await player.open('book', { from: 5 });
    for (let at = 0; at < 4; at += 1) {
      screen.tell().failed(fault);
      await vi.advanceTimersByTimeAsync(0);
    }

    expect(player.problem.value).toMatchObject({ error: { code }, waysOut });
    player.close();
  },
);

test.each([
  ['a report', () => {}],
  ['a segment', (screen: ReturnType<typeof openMedia>) => screen.tell().failed('gone')],
])(
  'a session that gave way is said after %s, and does not begin again by itself',
  async (_, fail) => {
    const refusal = new Refusal(410, 'Said.', { code: 'gave_way', by: 'admin' });
    let isTaken = false;
    const { player, screen, server } = open(() => (isTaken ? refusal : undefined));
    await player.open('book', { from: 5 });
    isTaken = true;
    fail(screen);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(player.status.value).toBe('refused');
    expect(player.problem.value).toMatchObject({
      error: { code: 'gave_way', details: { by: 'admin' } },
      waysOut: ['retry', 'download'],
    });
    expect(server.asked).toHaveLength(1);
    player.close();
  },
);

test('where the memory of the device is full, that is said, and it is played converted when one asks', async () => {
  const { player, screen, server } = open();
  await player.open('book', { from: 5 });
  screen.tell().failed('memory');

  expect(player.problem.value).toMatchObject({
    error: { code: 'memory_full' },
    waysOut: ['convert', 'elsewhere', 'download'],
  });
  await player.again('convert');
  expect(server.asked[1]).toMatchObject({ mode: 'convert', position: 5 });
  player.close();
});

test('sound that is expected and not decoded for two seconds is converted', async () => {
  const { player, screen, server } = open();
  screen.state.decoded = { picture: null, sound: false };
  await player.open('book', { from: 0 });
  for (const at of [0.5, 1, 1.5, 2, 2.5]) {
    screen.tell().time(at);
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(server.asked[1]).toMatchObject({ mode: 'convert', position: 2 });
  expect(player.missed.value).toBe('sound');
  player.close();
});

test('a server that converts too slowly is asked for the smaller picture that it offers', async () => {
  const { player, screen, server } = open();
  await player.open('book', { from: 5 });
  screen.tell().time(17);
  server.offers.push({ height: 720, maxKbps: 4000 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.asked[1]).toMatchObject({ position: 17, client: { maxKbps: 4000 } });
  expect([player.lowered.value, player.maxKbps.value]).toEqual([720, null]);

  server.offers.push({ height: 480, maxKbps: 2000 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.asked[2]).toMatchObject({ client: { maxKbps: 2000 } });
  expect(server.done).toEqual(['session-1', 'session-2']);

  await player.chooseQuality(8000);
  expect(server.asked[3]).toMatchObject({ client: { maxKbps: 8000 } });
  expect(player.lowered.value).toBeNull();
  player.close();
});

test('a session begins after the one before it has ended', async () => {
  const { player, server } = open();
  await player.open('book', { from: 0 });
  const { promise, resolve } = Promise.withResolvers<null>();
  const { end } = server.requests;
  server.requests.end = async (id) => {
    await promise;
    await end(id);
  };
  const isChosen = player.chooseQuality(1000);
  await vi.advanceTimersByTimeAsync(0);
  expect(server.asked).toHaveLength(1);
  resolve(null);
  await isChosen;
  expect(server.asked).toHaveLength(2);
  player.close();
});

test('a refusal has ways out', async () => {
  const refusal = new Refusal(409, '', { code: 'unplayable', reasons: 'video_codec hdr' });
  const { player } = open(() => refusal);
  await player.open('book');
  expect(player.status.value).toBe('refused');
  expect(player.problem.value).toEqual({
    error: refusal,
    reasons: ['video_codec', 'hdr'],
    waysOut: ['convert', 'elsewhere', 'download'],
  });
  player.close();
});

test('what is full says when it is tried again', async () => {
  const refusal = new Refusal(429, '', { code: 'transcode_limit' }, '30');
  const { player } = open(() => refusal);
  await player.open('book');
  expect(player.problem.value).toMatchObject({ retryAfter: 30, waysOut: ['retry', 'download'] });
  player.close();
});

test.each([
  ['ends its session', false, 'ended'],
  ['keeps its session for a moment where it may come back', true, 'playing'],
])('a page that goes away %s', async (_, mayReturn, state) => {
  const { player, server } = open();
  await player.open('book');
  player.leave(mayReturn);
  expect(server.told.at(-1)).toEqual(['session-1', { position: 10, state }]);
  player.close();
});

test('what is prepared takes no place of what plays', async () => {
  const { player, server } = open();
  await player.open('book', { from: 0 });
  await player.prepare('book');
  expect(server.asked.map((asked) => asked.takesOver)).toEqual([undefined, false]);
  player.close();
});

test('what is prepared begins without another question', async () => {
  const { player, screen, server } = open();
  await player.open('book', { from: 0 });
  await player.prepare('book');
  await player.open('book', { from: 0 });
  expect(server.asked).toHaveLength(2);
  expect(screen.loaded.map(({ url }) => url)).toEqual([
    '/api/playback/sessions/session-1/token/file',
    '/api/playback/sessions/session-2/token/file',
    '/api/playback/sessions/session-2/token/file',
  ]);
  player.close();
});

test('the sound is in the first preferred language that there is', () => {
  const sound = (id: string, language: string, isDefault = false) => ({
    ...{ id, kind: 'audio', language, isDefault },
  });
  const file = {
    tracks: [sound('a1', 'en', true), sound('a2', 'de-AT')],
  } as unknown as PlaybackFile;
  expect(preferredSound(file, ['fr', 'de'])).toBe('a2');
  expect(preferredSound(file, ['en', 'de'])).toBeUndefined();
  expect(preferredSound(file, [])).toBeUndefined();
});
