import { describe, expect, test } from 'vitest';
import {
  attributesOf,
  faultsOfMaster,
  faultsOfMedia,
  segmentsOf,
} from '../../../test/support/media/hls-rules.ts';
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
import { convertedCuts, frameCuts } from './cut-list.ts';
import { masterPlaylist } from './master-playlist.ts';
import { mediaPlaylist, textPlaylist } from './media-playlist.ts';
import type { PlayableFile } from './playable-file.ts';
import type { WantedSession } from '../../contract/resources/viewing/playback-sessions.ts';

const ada = somebody('ada');

async function master(
  more: Partial<WantedSession> = {},
  { converts = false, file = film }: { converts?: boolean; file?: PlayableFile } = {},
): Promise<string> {
  const conversions = converts ? byteConverter() : createNoConversions('There is none.');
  const sessions = openSessions(conversions, undefined, file);
  const { id } = await sessions.create({ itemId: 'film', client: browser, ...more }, ada);
  return masterPlaylist(await sessions.use(id, ada));
}

const linesOf = (text: string, tag: string): readonly ReadonlyMap<string, string | null>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`#${tag}:`))
    .map((line) => attributesOf(line.slice(tag.length + 2)));

describe('the main playlist', () => {
  test('says all of the picture, its sound and its texts', async () => {
    const text = await master();

    expect(faultsOfMaster(text)).toEqual([]);
    expect(text).toBe(
      [
        '#EXTM3U',
        '#EXT-X-VERSION:7',
        '#EXT-X-INDEPENDENT-SEGMENTS',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound0",NAME="en",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a1/copy/index.m3u8"',
        '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="texts",NAME="en",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound",URI="text/text.m3u8"',
        '#EXT-X-STREAM-INF:BANDWIDTH=9384000,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=24.000,VIDEO-RANGE=SDR,AUDIO="sound0",SUBTITLES="texts"',
        'v0/copy/index.m3u8',
        '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=400000,CODECS="avc1.640028",RESOLUTION=1920x1080,URI="v0/copy/iframes.m3u8"',
        '',
      ].join('\n'),
    );
  });

  test('has smaller pictures and each sound where the server converts', async () => {
    const text = await master({}, { converts: true });

    expect(faultsOfMaster(text)).toEqual([]);
    expect(linesOf(text, 'EXT-X-STREAM-INF').map((one) => one.get('RESOLUTION'))).toEqual([
      '1920x1080',
      '1280x720',
      '854x480',
      '640x360',
    ]);
    // A name that would end its quotes is without them.
    expect(linesOf(text, 'EXT-X-MEDIA').map((one) => one.get('NAME'))).toEqual([
      '"en"',
      '"Le  son "',
      '"en"',
    ]);
  });

  test('has a group for each codec of sound, the chosen one first', async () => {
    const dolby = 'audio/mp4; codecs="ac-3"';
    const client = { mse: [...browser.mse, dolby], src: [] };

    const text = await master({ client, audio: 'a2' });

    expect(faultsOfMaster(text)).toEqual([]);
    expect(linesOf(text, 'EXT-X-STREAM-INF').map((one) => one.get('CODECS'))).toEqual([
      '"avc1.640028,ac-3"',
      '"avc1.640028,mp4a.40.2"',
    ]);
  });

  test('does not name packed MP3 among the codecs', async () => {
    const mp3 = { mimeType: 'audio/mpeg', codecs: 'mp3' };
    const file = {
      ...film,
      streams: streams.map((one) => (one.index === 1 ? { ...one, codec: 'mp3' } : one)),
      index: {
        ...index,
        tracks: index.tracks.map((track) => (track.stream === 1 ? { ...track, ...mp3 } : track)),
      },
    };
    const client = { mse: [types.picture, 'audio/mpeg; codecs="mp3"'], src: [] };

    const text = await master({ client }, { file });

    expect(faultsOfMaster(text)).toEqual([]);
    expect(text).toContain('URI="a1/copy/index.m3u8"');
    expect(linesOf(text, 'EXT-X-STREAM-INF').map((one) => one.get('CODECS'))).toEqual([
      '"avc1.640028"',
    ]);
  });

  test('of sound alone has no picture', async () => {
    const file = { ...film, streams: streams.filter(({ kind }) => kind === 'audio') };

    const text = await master({}, { file });

    expect(faultsOfMaster(text)).toEqual([]);
    expect(text).not.toContain('RESOLUTION');
    expect(text).toContain('\na1/copy/index.m3u8\n');
  });

  test('gives sounds of one name names of their own', async () => {
    const more = Array.from({ length: 8 }, (_, n) => ({
      ...({
        index: 10 + n,
        kind: 'audio',
        codec: 'aac',
        profile: 'LC',
        language: 'en',
        channels: 2,
      } as const),
    }));
    const tracks = more.map(({ index: stream }) => ({
      ...({ id: `t${stream}`, stream, kind: 'audio', mimeType: 'audio/mp4' } as const),
      ...{ codecs: 'mp4a.40.2', canCopy: true },
    }));
    const { index } = film;
    const file: PlayableFile = {
      ...film,
      streams: [...streams, ...more],
      index: index && { ...index, tracks: [...index.tracks, ...tracks] },
    };

    const text = await master({}, { file });

    expect(faultsOfMaster(text)).toEqual([]);
    expect(
      linesOf(text, 'EXT-X-MEDIA')
        .map((one) => one.get('NAME'))
        .slice(0, 3),
    ).toEqual(['"en"', '"en 2"', '"en 3"']);
  });

  test.each(['"', '\n#EXT-X-ENDLIST', '\u2028', '\ud800', ','])(
    'is not broken by a title with %j',
    async (title) => {
      const named = streams.map((stream) => ({ ...stream, title: `A${title}B` }));

      expect(faultsOfMaster(await master({}, { file: { ...film, streams: named } }))).toEqual([]);
    },
  );
});

describe('the playlist of a track', () => {
  const list = { extension: 'm4s', hasInit: true, keyframesOnly: false };

  test('names each segment with its exact length', () => {
    const cuts = { starts: [0, 1.001, 3.003, 7.007], end: 100, isComplete: true };

    const text = mediaPlaylist({ ...list, cuts });

    expect(faultsOfMedia(text)).toEqual([]);
    expect(segmentsOf(text)).toEqual([
      { seconds: 1.001, uri: '0.m4s' },
      { seconds: 2.002, uri: '1.m4s' },
      { seconds: 4.004, uri: '2.m4s' },
      { seconds: 92.993, uri: '3.m4s' },
    ]);
    expect(faultsOfMedia(mediaPlaylist({ ...list, cuts, keyframesOnly: true }))).toEqual([]);
  });

  test('of one keyframe, of keyframes far apart and with a cut at the end obeys the rules', () => {
    for (const [starts, end, count] of [
      [[0], 5400, 1],
      [[0, 60, 120], 180, 3],
      [[0, 2, 4], 4, 2],
    ] as const) {
      const text = mediaPlaylist({ ...list, cuts: { starts, end, isComplete: true } });
      expect(faultsOfMedia(text)).toEqual([]);
      expect(segmentsOf(text).length).toBe(count);
    }
  });

  test('grows while the file is walked: it has no end, and only segments that are whole', () => {
    const text = mediaPlaylist({
      ...list,
      cuts: { starts: [0, 2, 4], end: 100, isComplete: false },
    });

    expect(faultsOfMedia(text)).toEqual([]);
    expect(text).toContain('#EXT-X-PLAYLIST-TYPE:EVENT');
    expect(text).not.toContain('#EXT-X-ENDLIST');
    expect(segmentsOf(text).length).toBe(2);
  });

  test('of packed sound needs no init segment', () => {
    const cuts = { starts: [0, 4], end: 8, isComplete: true };
    const text = mediaPlaylist({ cuts, extension: 'mp3', hasInit: false, keyframesOnly: false });

    expect(faultsOfMedia(text)).toEqual([]);
    expect(text).not.toContain('EXT-X-MAP');
  });

  test.each([
    [44_100, 0],
    [48_000, 0],
    [44_100, 58_961],
    [48_000, -500],
  ])('of packed sound at %i Hz from %i names the first frame behind each cut', (rate, first) => {
    const cuts = { starts: [0, 2, 3.003, 8 - 1e-6], end: 8, isComplete: true };
    const grid = frameCuts(cuts, { timescale: rate, first, length: 1152 });

    expect(grid.starts.length).toBe(4);
    expect([grid.starts[0], grid.starts[3]]).toEqual([0, 8]);
    for (const n of [1, 2]) {
      const start = (grid.starts[n] ?? 0) * rate;
      const cut = Math.round((cuts.starts[n] ?? 0) * rate);
      expect(((start - first) / 1152) % 1).toBeCloseTo(0, 6);
      expect(start - cut).toBeGreaterThan(-1e-6);
      expect(start - cut).toBeLessThan(1152);
    }
  });

  test('of what is converted begins with short segments', () => {
    const { starts, end } = convertedCuts(40);

    expect([starts.slice(0, 12), end]).toEqual([[0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24], 40]);
  });

  test('of what is converted has no short rest, in which there may be no picture', () => {
    expect(convertedCuts(6.016).starts).toEqual([0, 1, 2, 4]);
    expect(convertedCuts(6.6).starts).toEqual([0, 1, 2, 4, 6]);
    expect(convertedCuts(0.1).starts).toEqual([0]);
  });

  test('of a text has one segment as long as the file', () => {
    expect(faultsOfMedia(textPlaylist('text', 5400.5))).toEqual([]);
    expect(faultsOfMedia(textPlaylist('text', 0))).toEqual([]);
  });
});
