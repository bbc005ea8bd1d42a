import { describe, expect, test, vi } from 'vitest';
import {
  browser,
  byteConverter,
  film,
  index,
  openSessions,
  somebody,
  streams,
  types,
} from '../../../test/support/playback/played.ts';
import { createNoConversions } from '../transcoding/index.ts';

const ada = somebody('ada');
const bob = somebody('bob');
const wanted = { itemId: 'film', client: browser } as const;
const without = createNoConversions('There is no ffmpeg.');

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code ?? error,
  );

describe('the way of a session', () => {
  test.each([
    ['the file itself, when it plays as it is', { mse: [], src: [types.whole] }, 'direct', []],
    ['segments, when the container is not played', browser, 'remux', ['container']],
    ['the file for a device with this profile', { mse: [], src: [], profile: 'vlc' }, 'direct', []],
    [
      'segments below the height of its screen',
      { ...browser, maxHeight: 1080 },
      'remux',
      ['container'],
    ],
  ] as const)('is %s', async (_, client, mode, reasons) => {
    const session = await openSessions(without).create({ ...wanted, client }, ada);

    expect([session.mode, session.reasons.map(({ code }) => code)]).toEqual([mode, reasons]);
  });

  test.each([
    ['no codec is known', { mse: ['x'], src: [] }, 'video_codec audio_codec'],
    ['the picture is too high', { ...browser, maxHeight: 720 }, 'video_level container'],
    ['the line is too slow', { ...browser, maxKbps: 500 }, 'bitrate container'],
  ] as const)('is refused where %s and nothing converts', async (_, client, reasons) => {
    const sessions = openSessions(without);

    expect(await codeOf(sessions.create({ ...wanted, client }, ada))).toBe('transcoder_missing');
    const forced = sessions.create({ ...wanted, client, mode: 'remux' }, ada);
    await expect(forced).rejects.toMatchObject({ code: 'unplayable', fields: { reasons } });
  });

  test.each<[string, Partial<typeof film> & { state?: string | null }, string]>([
    ['a film without a length', { duration: null }, 'remux'],
    ['a Matroska without an index', { container: 'matroska', state: 'walk1' }, 'remux'],
    ['a Matroska with one', { container: 'matroska', state: null }, 'direct'],
    ['an MP4 in fragments', { state: 'walk1' }, 'direct'],
  ])('is for %s: %j %s', async (_, { state = null, ...of }, mode) => {
    const file = { ...film, ...of, index: { ...index, state } };
    const whole = types.whole.replace('mp4', of.container === undefined ? 'mp4' : 'x-matroska');
    const client = { ...browser, src: [whole] };

    const session = await openSessions(without, undefined, file).create({ ...wanted, client }, ada);

    expect(session.mode).toBe(mode);
  });

  test('converts only the sound beside a picture that is copied', async () => {
    const session = await openSessions(byteConverter()).create({ ...wanted, audio: 'a2' }, ada);

    expect(session.mode).toBe('convert');
    expect(session.tracks.map(({ id, way, reasons }) => [id, way, reasons])).toEqual([
      ['v0', 'copy', ['container']],
      ['a1', 'copy', ['container']],
      ['a2', 'convert', ['audio_codec']],
      ['text', 'direct', []],
      ['s3', 'convert', ['subtitle_burn']],
    ]);
  });

  test.each([
    [{ mse: [], src: [], profile: 'chromecast' }, 'a2', 'convert', [-7.03]],
    [{ mse: [], src: [], profile: 'kodi', maxChannels: 2 }, 'a2', 'convert', [-7.03]],
    [{ mse: [], src: [], profile: 'apple-tv', maxChannels: 2 }, 'a2', 'convert', [0]],
    [browser, 'a2', 'convert', [0]],
    [{ mse: [], src: [], profile: 'chromecast' }, 'a1', 'direct', []],
  ] as const)(
    'has the gain in sound that is converted for a client that applies none, and converts nothing for it: %j, %s',
    async (client, audio, mode, gains) => {
      const loudness = { integratedLufs: -10.97, truePeakDb: -1, trackGainDb: -7.03 };
      const file = { ...film, loudness: { ...loudness, albumGainDb: null } };
      const sessions = openSessions(byteConverter(), undefined, file);

      const { id } = await sessions.create({ ...wanted, client, audio }, ada);

      const { decided } = await sessions.use(id, ada);
      const [sound] = decided.tracks.filter(({ track }) => track.id === audio);
      const made = sound?.qualities.flatMap((one) => ('audio' in one ? [one.audio.gainDb] : []));
      expect([decided.mode, made]).toEqual([mode, gains]);
    },
  );

  test.each([
    [1080, 'h264-1080-6000', []],
    [720, 'h264-720-4000', ['server_speed']],
    [240, 'h264-240-500', ['server_speed']],
  ])(
    'converts pictures to at most the %d lines that the server converts in time, and says why',
    async (maxHeight, quality, slow) => {
      const sessions = openSessions(byteConverter([], maxHeight));
      const client = { ...browser, mse: ['video/mp4; codecs="vp8"', types.sound] };

      const { id, reasons } = await sessions.create({ ...wanted, client }, ada);

      expect(reasons.map(({ code }) => code)).toEqual(['video_codec', ...slow, 'container']);
      const [picture] = (await sessions.use(id, ada)).decided.tracks;
      const [best, ...lower] = (picture?.qualities ?? []).map(({ name }) => name);
      expect(best).toBe(quality);
      expect(lower.every((name) => Number(name.split('-')[1]) < maxHeight)).toBe(true);
    },
  );

  test('offers only smaller pictures that the server converts in time beside one that is copied', async () => {
    const sessions = openSessions(byteConverter([], 480));
    const { id, reasons } = await sessions.create(wanted, ada);

    const [picture] = (await sessions.use(id, ada)).decided.tracks;
    const heights = (picture?.qualities ?? []).map(({ name }) => name.split('-')[1] ?? name);
    expect([heights, reasons.map(({ code }) => code)]).toEqual([
      ['copy', '480', '360'],
      ['container'],
    ]);
  });

  test('converts the picture for subtitles that are pictures', async () => {
    const session = await openSessions(byteConverter()).create({ ...wanted, subtitle: 's3' }, ada);

    expect(session.mode).toBe('convert');
    expect(session.tracks.slice(0, 2).map(({ id, way, reasons }) => [id, way, reasons])).toEqual([
      ['v0', 'convert', ['subtitle_burn']],
      ['a1', 'copy', ['container']],
    ]);
  });

  test('says of subtitles that are pictures, and were not chosen, whether it would draw them', async () => {
    const ways = async (sessions: ReturnType<typeof openSessions>) => {
      const { mode, tracks } = await sessions.create(wanted, ada);
      const picture = tracks.find(({ id }) => id === 's3');
      return [mode, picture?.isSelected, picture?.way, picture?.reasons];
    };

    expect(await ways(openSessions(byteConverter()))).toEqual([
      ...['remux', false],
      ...['convert', ['subtitle_burn']],
    ]);
    expect(await ways(openSessions(without))).toEqual(['remux', false, 'refuse', []]);
    const dvd = openSessions(byteConverter(), undefined, { ...film, container: 'mpeg' });
    expect((await ways(dvd)).slice(1)).toEqual([false, 'refuse', []]);
  });

  test('converts nothing for a client that draws subtitles that are pictures', async () => {
    const file = { ...film, container: 'matroska' };
    const sessions = openSessions(byteConverter(), undefined, file);
    const client = { ...wanted.client, subtitles: ['pgs' as const] };
    const session = await sessions.create({ ...wanted, client, subtitle: 's3' }, ada);

    expect(session.mode).toBe('remux');
    expect(session.tracks.find(({ id }) => id === 's3')).toMatchObject({
      ...{ way: 'direct', reasons: [], isSelected: true, url: null },
      supUrl: expect.stringMatching(/\/text\/s3\.sup$/),
    });
    const beside = { ...film, pictures: [{ ...film.texts[0], id: 'sup', format: 'pgs' }] };
    const besides = openSessions(byteConverter(), undefined, beside as typeof film);
    const { tracks } = await besides.create({ ...wanted, client, subtitle: 'sup' }, ada);
    expect(tracks.find(({ id }) => id === 'sup')).toMatchObject({
      way: 'direct',
      isSelected: true,
    });
    const others = (await sessions.create(wanted, ada)).tracks.find(({ id }) => id === 's3');
    expect(others).toMatchObject({ way: 'convert', supUrl: null });
  });

  test('offers a smaller picture while the server converts slower than the film plays', async () => {
    const rates = [null, 1.4, 0.8];
    const sessions = openSessions({ ...byteConverter(), rateOf: () => rates[0] ?? null });
    const { id } = await sessions.create({ ...wanted, subtitle: 's3' }, ada);

    const offers = [];
    for (; rates.length > 0; rates.shift()) offers.push((await sessions.update(id, {}, ada)).offer);

    expect(offers).toEqual([null, null, { height: 720, maxKbps: 4000 }]);
  });

  test('takes another sound of the same language where the first cannot be played', async () => {
    const dolbyFirst = streams.map((stream) =>
      stream.index === 2
        ? { ...stream, language: 'en', isDefault: true }
        : { ...stream, isDefault: false },
    );
    const sessions = openSessions(without, undefined, { ...film, streams: dolbyFirst });

    const { tracks } = await sessions.create(wanted, ada);

    expect(
      tracks.filter(({ kind, isSelected }) => kind === 'audio' && isSelected).map(({ id }) => id),
    ).toEqual(['a1']);
  });

  test.each([{ audio: 'v0' }, { audio: 'a9' }, { subtitle: 'a1' }])(
    'names no track that is not there: %j',
    async (chosen) => {
      expect(await codeOf(openSessions(without).create({ ...wanted, ...chosen }, ada))).toBe(
        'invalid_request',
      );
    },
  );
});

describe('a session', () => {
  test('ends 60 s after the last use, paused after 30 minutes', async () => {
    const sessions = openSessions(without);
    const playing = await sessions.create(wanted, ada);
    const paused = await sessions.create(wanted, ada);
    await sessions.update(paused.id, { state: 'paused' }, ada);

    await sessions.clock.advance(50_000);
    await sessions.use(playing.id, ada);
    await sessions.clock.advance(50_000);
    expect(sessions.counts().remux).toBe(2);
    await sessions.clock.advance(20_000);
    expect((await sessions.list(ada)).map(({ id }) => id)).toEqual([paused.id]);
    await sessions.clock.advance(30 * 60_000);
    expect([sessions.counts().remux, sessions.clock.timers()]).toEqual([0, 0]);
  });

  test('ends with its last report, whose position is kept', async () => {
    const sessions = openSessions(without);
    const { id } = await sessions.create(wanted, ada);

    await sessions.update(id, { position: 42, state: 'ended' }, ada);

    expect([sessions.positions, await sessions.list(ada)]).toEqual([[['film', 42]], []]);
  });

  test('does not end when somebody sets the clock', async () => {
    const sessions = openSessions(without);
    await sessions.create(wanted, ada);

    sessions.clock.set(86_400_000);
    await sessions.clock.advance(10_000);

    expect(sessions.counts().remux).toBe(1);
  });

  test('keeps the position of its profile, but not for guests', async () => {
    const sessions = openSessions(without);
    const guest = somebody('guest', 'guest');
    const own = await sessions.create(wanted, ada);
    const guests = await sessions.create(wanted, guest);

    await sessions.update(own.id, { position: 12 }, ada);
    const shown = await sessions.update(guests.id, { position: 13 }, guest);

    expect([sessions.positions, shown.position]).toEqual([[['film', 12]], 13]);
  });

  test('does not exist for anybody else, except that an admin may end it', async () => {
    const sessions = openSessions(without);
    const { id } = await sessions.create(wanted, ada);
    const admin = somebody('admin', 'admin');
    const otherProfile = { ...ada, profileId: 'another' };

    for (const stranger of [bob, otherProfile, admin])
      expect(await codeOf(sessions.update(id, { position: 1 }, stranger))).toBe('not_found');
    expect(await codeOf(sessions.end(id, bob))).toBe('not_found');
    expect(await sessions.list(bob)).toEqual([]);
    expect((await sessions.list(admin)).map((one) => one.userId)).toEqual(['ada']);
    await sessions.end(id, admin);
    expect(await sessions.list(ada)).toEqual([]);
  });

  test('of one of two profiles ends when that profile loses the library, the other plays on', async () => {
    const sessions = openSessions(without);
    const [of, others] = [await sessions.create(wanted, ada), await sessions.create(wanted, bob)];

    sessions.blind.add(ada.profileId);

    expect(await codeOf(sessions.update(of.id, { position: 5 }, ada))).toBe('not_found');
    expect(await codeOf(sessions.update(others.id, { position: 5 }, bob))).toBe('done');
    expect(sessions.counts().remux).toBe(1);
  });

  test('changes its sound and its rate without a new one', async () => {
    const sessions = openSessions(byteConverter());
    const { id, url } = await sessions.create(wanted, ada);

    const changed = await sessions.update(id, { audio: 'a2' }, ada);
    const slower = await sessions.update(id, { maxKbps: 1000 }, ada);
    const again = await sessions.update(id, { maxKbps: null, audio: 'a1', subtitle: 'text' }, ada);

    expect([changed, slower, again].map((one) => [one.mode, one.url === url])).toEqual([
      ['convert', true],
      ['convert', true],
      ['remux', true],
    ]);
    expect(again.tracks.filter(({ isSelected }) => isSelected).map((one) => one.id)).toEqual([
      'v0',
      'a1',
      'text',
    ]);
  });

  test('plans what is copied at its position, before its player asks for it', async () => {
    const sessions = openSessions(byteConverter());
    const { id } = await sessions.create({ ...wanted, position: 4 }, ada);
    await sessions.create({ ...wanted, client: { mse: [], src: [types.whole] } }, ada);
    const first = [...sessions.planned];

    await sessions.update(id, { audio: 'a2' }, ada);

    expect(first).toEqual(['x init', 'x 2', 'y init', 'y 2']);
    expect(sessions.planned.slice(first.length)).toEqual(['x init', 'x 2']);
  });

  test('begins to convert at its position, before its player asks for it', async () => {
    const asked: string[] = [];
    const told: string[] = [];
    const maker = byteConverter(told);
    const conversions: typeof maker = {
      ...maker,
      segment: async (work, n) => {
        asked.push(`${work.sessionId} ${work.recipe.kind} ${n}`);
        return maker.segment(work, n);
      },
    };
    const sessions = openSessions(conversions);

    const { id } = await sessions.create({ ...wanted, subtitle: 's3', position: 5 }, ada);

    expect([asked, sessions.planned]).toEqual([[`${id} video 3`], ['y init', 'y 2']]);
    expect(told).toEqual([]);
  });

  test('that ends while its first segment is converted needs no process', async () => {
    const made = Promise.withResolvers<null>();
    const told: string[] = [];
    const maker = byteConverter(told);
    const conversions: typeof maker = {
      ...maker,
      segment: async (work, n) => {
        await made.promise;
        return maker.segment(work, n);
      },
    };
    const sessions = openSessions(conversions);
    const { id } = await sessions.create({ ...wanted, audio: 'a2' }, ada);

    await sessions.end(id, ada);
    made.resolve(null);
    await vi.waitUntil(() => told.length === 2);

    // Once for what ran when it ended, and once for what may have begun after that.
    expect(told).toEqual([`${id} ended`, `${id} ended`]);
  });

  test('is not prepared for a user who begins one after the other', async () => {
    const sessions = openSessions(without, { remux: 100, picture: 1, sound: 1, reserved: 0 });
    const prepared = async (viewer: typeof ada): Promise<number> => {
      const before = sessions.planned.length;
      await sessions.create(wanted, viewer);
      return sessions.planned.length - before;
    };
    const hers: number[] = [];
    for (let n = 0; n < 7; n += 1) hers.push(await prepared(ada));

    expect(hers).toEqual([4, 4, 4, 4, 4, 0, 0]);
    expect(await prepared(bob)).toBe(4);
    await sessions.clock.advance(3000);
    expect([await prepared(ada), await prepared(ada)]).toEqual([4, 0]);
  });

  test('names what its player asks for first, at its position', async () => {
    const sessions = openSessions(byteConverter());
    const names = async (more: object): Promise<readonly string[]> => {
      const { id, firstUrls } = await sessions.create({ ...wanted, ...more }, ada);
      await sessions.end(id, ada);
      return firstUrls.map((url) => url.split(`/token-${id}/`)[1] ?? url);
    };

    expect(await names({ position: 4 })).toEqual([
      'master.m3u8',
      'v0/copy/index.m3u8',
      'a1/copy/index.m3u8',
      'v0/copy/init.mp4',
      'v0/copy/2.m4s',
      'a1/copy/init.mp4',
      'a1/copy/2.m4s',
    ]);
    // Converted pictures have cuts of their own.
    const drawn = await names({ position: 5, subtitle: 's3' });
    expect(drawn.filter((name) => name.endsWith('.m4s'))).toEqual([
      expect.stringMatching(/^v0\/h264-.*\/3\.m4s$/),
      'a1/copy/2.m4s',
    ]);
    expect(await names({ position: 1e9 })).toContain('v0/copy/3.m4s');
    expect(await names({ client: { mse: [], src: [types.whole] } })).toEqual([]);
  });

  test('ends when its credential does', async () => {
    const sessions = openSessions(without);
    await sessions.create(wanted, ada);
    await sessions.create(wanted, bob);

    await sessions.endThose({ userId: null, credentialIds: [ada.credentialId] });

    expect([await sessions.list(ada), (await sessions.list(bob)).length]).toEqual([[], 1]);
  });

  test('ends with the server, and no new one begins', async () => {
    const told: string[] = [];
    const sessions = openSessions(byteConverter(told));
    const { id } = await sessions.create(wanted, ada);

    sessions.close();

    expect([told, sessions.clock.timers()]).toEqual([[`${id} ended`], 0]);
    expect(await codeOf(sessions.create(wanted, ada))).toBe('stopping');
  });
});

describe('the limits', () => {
  test('of copied segments, converted pictures and converted sounds are each their own', async () => {
    const sessions = openSessions(byteConverter(), { remux: 1, picture: 1, sound: 1, reserved: 0 });
    const small = { ...wanted, client: { ...browser, maxHeight: 720 } };

    await sessions.create(wanted, ada);
    await sessions.create(small, ada);
    await sessions.create({ ...wanted, audio: 'a2' }, ada);

    for (const one of [wanted, small, { ...wanted, audio: 'a2' }])
      await expect(sessions.create(one, bob)).rejects.toMatchObject({
        code: 'transcode_limit',
        fields: { seconds: '30' },
      });
    const direct = { ...wanted, client: { mse: [], src: [types.whole] } };
    expect((await sessions.create(direct, bob)).mode).toBe('direct');
  });

  test.each([
    ['of the same title on another device', { credentialId: 'phone' }, 'film'],
    ['of the same title with a shared key', { credentialKind: 'api-key' }, 'film'],
    ['of another title on the same device', {}, 'other'],
  ] as const)(
    'make room at once for a session of the same person %s, and tell the one before',
    async (_, device, itemId) => {
      const limits = { remux: 1, picture: 1, sound: 1, reserved: 0 };
      const sessions = openSessions(byteConverter(), limits);
      const { id: before } = await sessions.create(wanted, ada);
      expect(await codeOf(sessions.create(wanted, bob))).toBe('transcode_limit');
      const ahead = { ...wanted, itemId, takesOver: false };
      expect(await codeOf(sessions.create(ahead, { ...ada, ...device }))).toBe('transcode_limit');

      const { id } = await sessions.create({ ...wanted, itemId }, { ...ada, ...device });

      expect((await sessions.list(ada)).map((one) => one.id)).toEqual([id]);
      expect(await codeOf(sessions.update(before, { position: 5 }, ada))).toBe('taken_over');
      expect(await codeOf(sessions.update(before, {}, bob))).toBe('not_found');
    },
  );

  test.each([
    ['another title with a shared key', { credentialKind: 'api-key' }],
    ['another title on another device', { credentialId: 'phone' }],
  ] as const)('leave to a person what plays beside %s', async (_, more) => {
    const sessions = openSessions(byteConverter(), { remux: 1, picture: 1, sound: 1, reserved: 0 });
    await sessions.create(wanted, ada);

    const other = sessions.create({ ...wanted, itemId: 'other' }, { ...ada, ...more });
    expect(await codeOf(other)).toBe('transcode_limit');
  });

  test('end nothing of the person while there is room', async () => {
    const sessions = openSessions(byteConverter(), { remux: 4, picture: 1, sound: 1, reserved: 0 });
    const begun = [await sessions.create(wanted, ada), await sessions.create(wanted, ada)];

    expect((await sessions.list(ada)).map(({ id }) => id)).toEqual(begun.map(({ id }) => id));
  });

  test('let a profile have 20 sessions: the one that rests longest ends', async () => {
    const sessions = openSessions(without, { remux: 100, picture: 1, sound: 1, reserved: 0 });
    const begun = [];
    for (let n = 0; n < 21; n += 1) begun.push((await sessions.create(wanted, ada)).id);

    expect((await sessions.list(ada)).map(({ id }) => id)).toEqual(begun.slice(1));
  });
});

describe('events', () => {
  test('tell of sessions that convert, from their first segment on', async () => {
    const sessions = openSessions(byteConverter());
    const { id } = await sessions.create({ ...wanted, audio: 'a2' }, ada);
    const session = await sessions.use(id, ada);

    await sessions.converted(session);
    await sessions.converted(session);
    await sessions.update(id, { position: 50 }, ada);
    await sessions.clock.advance(6000);
    await sessions.update(id, { position: 51 }, ada);
    await sessions.update(id, { position: 52 }, ada);
    await sessions.end(id, ada);

    const data = {
      sessionId: id,
      itemId: 'film',
      fileId: 'file',
      mode: 'convert',
      reasons: ['container', 'audio_codec'],
    };
    expect(sessions.events).toEqual([
      ['transcode.started', { ...data, progress: 0 }],
      ['transcode.progress', { ...data, progress: 0.51 }],
      ['transcode.stopped', { ...data, progress: 0.52, cause: 'ended' }],
    ]);
  });

  test('tell of progress in a long film after half a minute, and of none while it stands still', async () => {
    const long = { ...film, duration: 10_000, index: { ...index, duration: 10_000_000 } };
    const sessions = openSessions(byteConverter(), undefined, long);
    const { id } = await sessions.create({ ...wanted, audio: 'a2' }, ada);
    await sessions.converted(await sessions.use(id, ada));

    for (const position of [10, 20, 30, 30, 30, 30]) {
      await sessions.clock.advance(10_000);
      await sessions.update(id, { position }, ada);
    }

    expect(sessions.events.map(([type, { progress }]) => [type, progress])).toEqual([
      ['transcode.started', 0],
      ['transcode.progress', 0.003],
    ]);
  });

  test('tell nothing of sessions that only copy', async () => {
    const sessions = openSessions(without);
    const { id } = await sessions.create(wanted, ada);

    await sessions.update(id, { position: 50 }, ada);
    await sessions.end(id, ada);

    expect(sessions.events).toEqual([]);
  });
});
