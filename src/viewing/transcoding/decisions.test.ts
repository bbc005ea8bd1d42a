import { describe, expect, test } from 'vitest';
import type { MediaStream, TranscodeDecideInput } from '../../../plugin-api/index.ts';
import { index, streams, types } from '../../../test/support/playback/played.ts';
import { decide } from './decide.ts';
import { createDecision } from './decision.ts';
import { deviceProfiles, playsType } from './device-profiles.ts';
import { codecsOf, fileType } from './media-types.ts';
import { convertedGain, parseRecipe, videoRecipe } from './recipes.ts';
import { profileNames } from '../../contract/resources/viewing/playback-sessions.ts';

const stream = (more: Partial<MediaStream>): MediaStream => ({
  index: 0,
  kind: 'video',
  codec: 'h264',
  ...more,
});

describe('the type of a stream', () => {
  test.each([
    [{ codec: 'h264', profile: 'High', level: '4.1' }, 'avc1.640029'],
    [{ codec: 'h264', profile: 'Constrained Baseline', level: '3' }, 'avc1.42E01E'],
    [{ codec: 'h264', profile: 'High 10', level: '5.1' }, 'avc1.6E0033'],
    [{ codec: 'hevc', profile: 'Main 10', level: '5.1' }, 'hvc1.2.4.L153.B0'],
    [{ codec: 'av1', profile: 'Main', level: '4.0', bitDepth: 10 }, 'av01.0.08M.10'],
    [{ codec: 'vp9', profile: 'Profile 2', level: '5.0', bitDepth: 10 }, 'vp09.02.50.10'],
    [{ codec: 'aac', profile: 'HE-AAC' }, 'mp4a.40.5'],
    [{ codec: 'ac3' }, 'ac-3'],
    [{ codec: 'wmv3' }, 'wmv3'],
    [{ codec: 'unknown' }, null],
    [{ codec: 'x"; y' }, null],
  ])('of %j is %s', (more, codecs) => {
    expect(codecsOf(stream(more))).toBe(codecs);
  });

  test('of a file names all of its streams, and nothing where one has no name', () => {
    expect(fileType('matroska', streams.slice(0, 2))).toBe(
      'video/x-matroska; codecs="avc1.640028, mp4a.40.2"',
    );
    expect(fileType('mp3', [stream({ kind: 'audio', codec: 'mp3' })])).toBe('audio/mpeg');
    expect(fileType('asf', [stream({ codec: 'unknown' })])).toBeNull();
    expect(fileType('mpeg', [stream({ codec: 'mpeg2video' })])).toBe(
      'video/mp2p; codecs="mp4v.61"',
    );
    expect(fileType('ape', [stream({ kind: 'audio', codec: 'ape' })])).toBe(
      'audio/x-ape; codecs="ape"',
    );
    expect(fileType('unknown', streams.slice(0, 1))).toBeNull();
    expect(fileType('x"; y', streams.slice(0, 1))).toBeNull();
  });
});

describe('a device profile', () => {
  test.each([
    ['tv-generic', types.whole, 'file', true],
    ['tv-generic', 'video/mp4; codecs="hvc1.2.4.L153.B0, ec-3"', 'file', false],
    ['tv-generic', types.dolby, 'segments', true],
    ['chromecast', 'video/mp4; codecs="avc1.640034"', 'segments', false],
    ['chromecast', types.dolby, 'segments', false],
    ['apple-tv', 'video/mp4; codecs="hvc1.2.4.L153.B0"', 'segments', true],
    ['apple-tv', 'video/x-matroska; codecs="avc1.640028, mp4a.40.2"', 'file', false],
    ['kodi', 'video/x-matroska; codecs="hvc1.2.4.L153.B0, mlpa"', 'file', true],
    ['vlc', 'video/x-msvideo; codecs="mp4v.20.9, mp3"', 'file', true],
    ['vlc', 'video/x-ms-asf; codecs="wmv2, wmav2"', 'file', true],
    ['vlc', 'video/mp2p; codecs="mp4v.61, ac-3"', 'file', true],
    ['kodi', 'audio/x-ape; codecs="ape"', 'file', true],
    ['tv-generic', 'video/x-ms-asf; codecs="wmv2, wmav2"', 'file', false],
    ['tv-generic', 'video/mp2p; codecs="mp4v.61, ac-3"', 'file', false],
  ] as const)('%s and %s as %s: %s', (name, type, as, plays) => {
    expect(playsType(deviceProfiles[name], type, as)).toBe(plays);
  });

  test.each(['avc1.64001f', 'avc1.4d4028', 'avc1.64002a', 'hvc1.2.4.l153.b0', 'mp4a.6b', 'flac'])(
    'plays %s in capital letters where it plays it in small ones',
    (codecs) => {
      for (const name of profileNames)
        for (const as of ['file', 'segments'] as const) {
          const [small, capital] = [codecs, codecs.toUpperCase()].map((one) =>
            playsType(deviceProfiles[name], `video/mp4; codecs="${one}"`, as),
          );
          expect(capital, name).toBe(small);
        }
      expect(playsType(deviceProfiles.vlc, `video/mp4; codecs="${codecs}"`, 'file')).toBe(true);
    },
  );

  test.each(['avc1.64001f', 'avc1.64001F', 'avc1.4D4028', 'avc1.64002a'])(
    'of a television plays %s',
    (codecs) => {
      const type = `video/mp4; codecs="${codecs}"`;
      expect(playsType(deviceProfiles['tv-generic'], type, 'segments')).toBe(true);
    },
  );

  test('plays nothing whose form is not that of a type', () => {
    for (const name of profileNames)
      for (const type of ['', 'text/html', 'video/mp4; codecs="a"; x', 'application/mp4'])
        expect(playsType(deviceProfiles[name], type, 'file')).toBe(false);
  });
});

describe('a recipe', () => {
  const video = {
    codec: 'h264',
    height: 720,
    kbps: 4000,
    toneMap: false,
    deinterlace: false,
    burn: null,
  };
  const audio = { codec: 'aac', channels: 2, kbps: 192, gainDb: 0 };

  test('has words and numbers of a closed set', () => {
    expect(parseRecipe({ video, audio })).toEqual({ video, audio });
    expect(parseRecipe({ audio: { ...audio, gainDb: -3.5 } })).not.toBeNull();
  });

  test.each([
    { video: { ...video, codec: 'libx264 -f tee' } },
    { video: { ...video, height: 721 } },
    { video: { ...video, height: '720' } },
    { video: { ...video, kbps: 1e9 } },
    { video: { ...video, burn: 'subtitles=/etc/passwd' } },
    { video: { ...video, arguments: ['-i', 'x'] } },
    { audio: { ...audio, channels: 0 } },
    { audio: { ...audio, gainDb: 100 } },
    { audio: { ...audio, codec: 'mp3' } },
    { video, filter: 'movie=x' },
    { video: null },
    [],
    'h264',
    null,
  ])('%j is refused', (recipe) => {
    expect(parseRecipe(recipe)).toBeNull();
  });

  test.each([
    [{ maxHeight: null, maxKbps: null }, 1080, 6000],
    [{ maxHeight: 720, maxKbps: null }, 720, 4000],
    [{ maxHeight: null, maxKbps: 1000 }, 480, 1000],
    [{ maxHeight: null, maxKbps: 100 }, 144, 100],
  ])('for a client with %j has %i lines and %i kbit/s', (limits, height, kbps) => {
    const client = { mse: [], src: [], maxChannels: null, hdr: [], ...limits };
    const of = { ...stream({ height: 1080, width: 1920 }), track: null };

    expect(
      videoRecipe(of, { client, machine: { converts: true, maxHeight: null }, bitrate: 6_000_000 }),
    ).toMatchObject({ height, kbps });
  });
});

test.each([
  [-7.03, -0.5, -7.03],
  // A peak stays below 0 dB.
  [6, -2, 1.9],
  [-1, 3, -3.1],
  [6, null, 0],
  [-7.03, null, -7.03],
  [51, -60, 24],
  [-51, 0, -24],
])('a gain of %d dB with a peak of %j dB converts with %d dB', (trackGainDb, truePeakDb, gain) => {
  expect(convertedGain({ trackGainDb, truePeakDb })).toBe(gain);
});

describe('the decision of a plugin', () => {
  const input: TranscodeDecideInput = {
    container: 'mp4',
    bitrate: null,
    fileType: types.whole,
    streams: streams.slice(0, 2).map((one, at) => ({ ...one, track: index.tracks[at] ?? null })),
    client: {
      mse: [types.picture, types.sound],
      src: [],
      maxHeight: null,
      maxKbps: null,
      maxChannels: null,
      hdr: [],
    },
    gainDb: 0,
    policy: { mode: 'auto' },
    machine: { converts: true, maxHeight: null },
  };
  const track = (way: string, more: object = {}) => ({ way, reasons: [], ...more });
  const decided = async (answer: unknown) =>
    createDecision({
      providers: () => ['planner'],
      call: async () => {
        if (answer instanceof Error) throw answer;
        return answer;
      },
    })(input);
  const own = ['copy', 'copy'];

  test('counts when it can be right', async () => {
    const audio = { codec: 'aac', channels: 2, kbps: 128, gainDb: 0 };
    const tracks = [
      track('copy', { stream: 0 }),
      track('convert', { stream: 1, reasons: ['audio_codec'], recipe: { audio } }),
    ];

    expect(await decided({ tracks })).toEqual({ tracks });
  });

  test.each([
    ['throws', new Error('It crashed.')],
    ['answers nothing', null],
    ['forgets a stream', { tracks: [track('copy', { stream: 0 })] }],
    [
      'names another stream',
      { tracks: [track('copy', { stream: 0 }), track('copy', { stream: 7 })] },
    ],
    ['knows another way', { tracks: [track('copy', { stream: 0 }), track('run', { stream: 1 })] }],
    [
      'gives a reason that is not one',
      { tracks: [track('copy', { stream: 0, reasons: ['<b>'] }), track('copy', { stream: 1 })] },
    ],
    [
      'plays one stream of a file directly',
      { tracks: [track('direct', { stream: 0 }), track('copy', { stream: 1 })] },
    ],
    [
      'converts without a recipe',
      { tracks: [track('copy', { stream: 0 }), track('convert', { stream: 1 })] },
    ],
    [
      'gives arguments as a recipe',
      {
        tracks: [
          track('copy', { stream: 0 }),
          track('convert', { stream: 1, recipe: { audio: '-f tee' } }),
        ],
      },
    ],
  ])('does not count when it %s: the server decides', async (_, answer) => {
    expect((await decided(answer)).tracks.map(({ way }) => way)).toEqual(own);
  });
});

test('types of a client in other letters are those of the file', () => {
  const tracks = streams
    .slice(0, 2)
    .map((one, at) => ({ ...one, track: index.tracks[at] ?? null }));
  const wayFor = (client: { mse: readonly string[]; src: readonly string[] }) =>
    decide({
      ...{ container: 'mp4', bitrate: null, fileType: types.whole, streams: tracks, gainDb: 0 },
      client: { ...client, maxHeight: null, maxKbps: null, maxChannels: null, hdr: [] },
      policy: { mode: 'auto' },
      machine: { converts: true, maxHeight: null },
    }).tracks.map(({ way }) => way);
  const other = (type: string) => type.toUpperCase();

  expect(wayFor({ mse: [], src: [other(types.whole)] })).toEqual(['direct', 'direct']);
  expect(wayFor({ mse: [types.picture, types.sound].map(other), src: [] })).toEqual([
    'copy',
    'copy',
  ]);
});

describe('a picture that needs care', () => {
  const client = { mse: [types.picture, types.sound], src: [] };
  const decided = (
    more: Partial<MediaStream>,
    { hdr = [], converts = true }: { hdr?: readonly 'dolby-vision'[]; converts?: boolean } = {},
  ) => {
    const [picture] = index.tracks;
    const one = { ...stream({ width: 1920, height: 1080, ...more }), track: picture ?? null };
    const answer = decide({
      ...{ container: 'matroska', bitrate: null, fileType: null, streams: [one] },
      client: { ...client, hdr, maxHeight: null, maxKbps: null, maxChannels: null },
      gainDb: 0,
      policy: { mode: 'auto' },
      machine: { converts, maxHeight: null },
    });
    return answer.tracks[0];
  };

  test('of half pictures is converted to whole ones, or copied where nothing converts', () => {
    expect(decided({ isInterlaced: true })).toMatchObject({
      ...{ way: 'convert', reasons: ['interlaced'], recipe: { video: { deinterlace: true } } },
    });
    expect(decided({ isInterlaced: true }, { converts: false })?.way).toBe('copy');
  });

  test('of Dolby Vision 5 is refused where no screen shows it, and never converted', () => {
    const picture = { hdr: 'dolby-vision', dolbyVisionProfile: 5 } as const;

    expect(decided(picture)).toMatchObject({ way: 'refuse', reasons: ['hdr'] });
    expect(decided(picture, { converts: false })?.way).toBe('refuse');
    expect(decided(picture, { hdr: ['dolby-vision'] })?.way).toBe('copy');
    expect(decided({ ...picture, dolbyVisionProfile: 8 })?.way).toBe('convert');
  });
});
