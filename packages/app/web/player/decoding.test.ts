import { expect, test } from 'vitest';
import { withinDecoding } from './decoding.ts';
import type { Client, PlaybackFile } from './requests.ts';

type Track = PlaybackFile['tracks'][number];

const track = (of: Partial<Track>): Track => ({
  ...{ id: 'v0', kind: 'video', codec: 'h264', codecs: null, profile: null, language: null },
  ...{ title: null, isDefault: true, isForced: false, isHearingImpaired: false, isText: false },
  ...{ width: null, height: null, frameRate: null, bitDepth: null, hdr: null },
  ...{ channels: null, sampleRate: null, bitrate: null },
  ...of,
});
const picture = track({
  ...{ codecs: 'avc1.640033', width: 3840, height: 1600, frameRate: 23.976, bitrate: 18_000_000 },
});
const sound = track({
  ...{ id: 'a1', kind: 'audio', codec: 'eac3', codecs: 'ec-3' },
  ...{ channels: 6, sampleRate: 48_000, bitrate: 640_000 },
});
const plays: Client = {
  mse: [
    'video/mp4; codecs="avc1.640033"',
    'audio/mp4; codecs="ec-3"',
    'audio/mp4; codecs="mp4a.40.2"',
    'video/mp4; codecs="avc1.640028"',
  ],
  // The whole file names its picture less exactly.
  src: ['video/mp4; codecs="avc1.64E033, ec-3"', 'video/mp4; codecs="avc1.640033"'],
  hdr: ['hdr10', 'hlg'],
};

/** What is asked of a browser that decodes what `isDecoded` says, and what it plays then. */
async function within(
  tracks: readonly Track[],
  isDecoded: (asked: MediaDecodingConfiguration) => boolean,
  client = plays,
): Promise<{ readonly asked: readonly MediaDecodingConfiguration[]; readonly client: Client }> {
  const asked: MediaDecodingConfiguration[] = [];
  const candidates = [...client.src, ...client.mse];
  const found = await withinDecoding({ tracks, candidates }, client, async (one) => {
    asked.push(one);
    return isDecoded(one);
  });
  return { asked, client: found };
}

test('the browser is asked for the picture and each sound as they are, and plays what it decodes', async () => {
  expect(await within([picture, sound], () => true)).toEqual({
    asked: [
      {
        type: 'media-source',
        video: {
          ...{ contentType: 'video/mp4; codecs="avc1.640033"', width: 3840, height: 1600 },
          ...{ framerate: 23.976, bitrate: 18_000_000 },
        },
      },
      {
        type: 'media-source',
        audio: {
          ...{ contentType: 'audio/mp4; codecs="ec-3"', channels: '6' },
          ...{ bitrate: 640_000, samplerate: 48_000 },
        },
      },
    ],
    client: plays,
  });
});

test('a picture that is too large limits the height, since a smaller one of its codec is decoded', async () => {
  const { client } = await within([picture, sound], ({ video }) => (video?.height ?? 0) <= 1080);

  expect(client).toEqual({ ...plays, maxHeight: 1080 });
});

test('a sound that is decoded only in stereo limits the channels', async () => {
  const { client } = await within([picture, sound], ({ audio }) => audio?.channels !== '6');

  expect(client).toEqual({ ...plays, maxChannels: 2 });
});

test('a codec that is refused in any size is not played, alone or in a file', async () => {
  const silent = await within([picture, sound], ({ audio }) => audio === undefined);
  const blind = await within([picture, sound], ({ video }) => video === undefined);

  expect(silent.client).toEqual({
    ...plays,
    mse: [
      'video/mp4; codecs="avc1.640033"',
      'audio/mp4; codecs="mp4a.40.2"',
      'video/mp4; codecs="avc1.640028"',
    ],
    src: ['video/mp4; codecs="avc1.640033"'],
  });
  expect(blind.client).toEqual({
    ...plays,
    // What is made is of the same family.
    mse: [
      'audio/mp4; codecs="ec-3"',
      'audio/mp4; codecs="mp4a.40.2"',
      'video/mp4; codecs="avc1.640028"',
    ],
    src: [],
  });
});

test('the dynamic range of a picture is asked for where the screen shows it, and only that is given up', async () => {
  const bright = { ...picture, hdr: 'hdr10' as const };
  const hasRange = ({ video }: MediaDecodingConfiguration): boolean =>
    video?.transferFunction !== undefined;
  const { asked, client } = await within([bright], (one) => !hasRange(one));

  expect(asked.filter(hasRange).map(({ video }) => video)).toMatchObject([
    { hdrMetadataType: 'smpteSt2086', colorGamut: 'rec2020', transferFunction: 'pq' },
  ]);
  expect(client).toEqual({ ...plays, hdr: ['hlg'] });
  const dim = await within([bright], () => true, { ...plays, hdr: [] });
  expect(dim.asked.some(hasRange)).toBe(false);
});

test('a browser without segments is asked for a file, and is asked nothing of types that it refuses', async () => {
  const { asked } = await within([picture, sound], () => true, { mse: [], src: plays.src });

  expect(asked.map(({ type, video }) => [type, video?.contentType])).toEqual([
    ['file', 'video/mp4; codecs="avc1.640033"'],
  ]);
  expect((await within([track({ codecs: 'avc1.640033' })], () => false)).asked).toEqual([]);
});
