import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ProbeReport } from '../../plugin-api/index.ts';
import {
  coverFile,
  durationOf,
  hasFfmpeg,
  keepFile,
  makeMedia,
  metadataFile,
  tone,
} from '../../test/support/media/media-files.ts';
import { createRangeHost, probeFileOf } from '../../test/support/media/probe-host.ts';
import { artwork } from './artwork.ts';
import { probeFiles } from './probe-files.ts';

async function probe(file: string): Promise<ProbeReport> {
  const { size } = statSync(file);
  const input = { libraryId: 'l', libraryType: 'music', files: [probeFileOf(file, size)] };
  const { results } = await probeFiles(input, createRangeHost().host);
  const [outcome] = results;
  if (outcome?.kind !== 'read') throw new Error(JSON.stringify(outcome));
  return outcome.report;
}

async function pictureIn(file: string, index: number): Promise<Buffer> {
  const question = { file: probeFileOf(file, statSync(file).size), index };
  return Buffer.from(await artwork(question, createRangeHost().host));
}

const words: Readonly<Record<string, string>> = {
  title: 'Söng',
  artist: 'Singer',
  album: 'Album',
  album_artist: 'Band',
  track: '3/12',
  disc: '1/2',
  date: '2001-02-03',
  genre: 'Jazz',
  composer: 'Composer',
  comment: 'Words',
  REPLAYGAIN_TRACK_GAIN: '-7.03 dB',
  REPLAYGAIN_TRACK_PEAK: '0.5',
  REPLAYGAIN_ALBUM_GAIN: '-6.5 dB',
  REPLAYGAIN_ALBUM_PEAK: '1.0',
};
const tagged = Object.entries(words).flatMap(([key, value]) => ['-metadata', `${key}=${value}`]);
const withCover = (codec: readonly string[]): readonly string[] => [
  ...[...tone(), '-i', coverFile(), '-map', '0', '-map', '1', '-c:v', 'copy', ...codec, ...tagged],
  ...['-disposition:v', 'attached_pic', '-metadata:s:v', 'comment=Cover (front)'],
];
const replayGain = { trackGainDb: -7.03, trackPeakDb: -6.02, albumGainDb: -6.5, albumPeakDb: 0 };
const tags = {
  title: 'Söng',
  artist: 'Singer',
  album: 'Album',
  albumArtist: 'Band',
  track: 3,
  trackTotal: 12,
  disc: 1,
  discTotal: 2,
  date: '2001-02-03',
  year: 2001,
  genres: ['Jazz'],
  composers: ['Composer'],
  description: 'Words',
};
const sound = { index: 0, kind: 'audio', channels: 1, sampleRate: 48000 } as const;

describe.skipIf(!hasFfmpeg)('probe.probe of sound (needs ffmpeg)', () => {
  test.each(['3', '4'])(
    'reads all of an MP3 with ID3v2.%s, and gives its cover',
    async (version) => {
      const file = makeMedia('mp3', [
        ...withCover(['-c:a', 'libmp3lame', '-b:a', '128k']),
        ...['-id3v2_version', version],
      ]);

      const report = await probe(file);

      expect(report).toEqual({
        container: 'mp3',
        duration: 2,
        bitrate: expect.closeTo(128000, -4),
        streams: [{ ...sound, codec: 'mp3', bitrate: report.bitrate }],
        tags,
        replayGain,
        artwork: [{ type: 'cover', mimeType: 'image/jpeg', size: statSync(coverFile()).size }],
      });
      expect(await pictureIn(file, 0)).toEqual(readFileSync(coverFile()));
    },
  );

  test('reads all of a FLAC file, and gives its cover', async () => {
    const file = makeMedia('flac', withCover(['-c:a', 'flac']));

    const report = await probe(file);

    expect(report).toEqual({
      container: 'flac',
      duration: 2,
      bitrate: (statSync(file).size * 8) / 2,
      streams: [{ ...sound, codec: 'flac', bitDepth: 16 }],
      tags,
      replayGain,
      artwork: [{ type: 'cover', mimeType: 'image/jpeg', size: statSync(coverFile()).size }],
    });
    expect(await pictureIn(file, 0)).toEqual(readFileSync(coverFile()));
  });

  test('reads all of an M4A file, and gives its cover', async () => {
    const file = makeMedia('m4a', withCover(['-c:a', 'aac']));

    const report = await probe(file);

    expect(report).toEqual({
      container: 'mp4',
      duration: 2,
      bitrate: (statSync(file).size * 8) / 2,
      streams: [
        {
          ...{ ...sound, codec: 'aac', profile: 'LC', isDefault: true },
          bitrate: expect.any(Number),
        },
      ],
      tags,
      artwork: [{ type: 'cover', mimeType: 'image/jpeg', size: statSync(coverFile()).size }],
    });
    expect(await pictureIn(file, 0)).toEqual(readFileSync(coverFile()));
  });

  test('reads the gains of iTunes’ free form in an M4A file, and of Opus', async () => {
    const m4a = readFileSync(makeMedia('m4a', withCover(['-c:a', 'aac'])));
    const box = (type: string, ...parts: readonly Buffer[]) => {
      const content = Buffer.concat([Buffer.from(type), ...parts]);
      const size = Buffer.alloc(4);
      size.writeUInt32BE(content.length + 4);
      return Buffer.concat([size, content]);
    };
    const free = box(
      '----',
      box('mean', Buffer.alloc(4), Buffer.from('com.apple.iTunes')),
      box('name', Buffer.alloc(4), Buffer.from('replaygain_track_gain')),
      box('data', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]), Buffer.from('-7.03 dB')),
    );
    const list = m4a.lastIndexOf('ilst') - 4;
    const end = list + m4a.readUInt32BE(list);
    // The index is behind the sound, so no place in it changes.
    for (const type of ['moov', 'udta', 'meta', 'ilst']) {
      const at = m4a.lastIndexOf(type) - 4;
      m4a.writeUInt32BE(m4a.readUInt32BE(at) + free.length, at);
    }
    const file = keepFile('m4a', Buffer.concat([m4a.subarray(0, end), free, m4a.subarray(end)]));
    const opus = makeMedia('opus', [
      ...[...tone(), '-c:a', 'libopus', '-metadata', 'R128_TRACK_GAIN=-512'],
    ]);

    const found = await Promise.all([probe(file), probe(opus)]);

    expect(found.map((report) => report.replayGain)).toEqual([
      { trackGainDb: -7.03 },
      { trackGainDb: 3 },
    ]);
  });

  test('reads the chapters of an M4B file', async () => {
    const input = [...tone(), '-i', metadataFile(), '-map', '0', '-map_chapters', '1'];
    const file = makeMedia('m4b', [...input, '-c:a', 'aac', ...tagged, '-f', 'ipod']);

    const report = await probe(file);

    expect(report.chapters).toEqual([
      { startTime: 0, endTime: 0.7, title: 'Opening' },
      { startTime: 0.7, endTime: 2, title: 'Das Übrige' },
    ]);
    expect(report.tags).toEqual(tags);
  });

  test('treats a picture without a role as the cover', async () => {
    const input = [...tone(), '-i', coverFile(), '-map', '0', '-map', '1', '-c:v', 'copy'];
    const file = makeMedia('flac', [...input, '-c:a', 'flac', '-disposition:v', 'attached_pic']);

    const { artwork: pictures } = await probe(file);

    expect(pictures?.map(({ type }) => type)).toEqual(['cover']);
  });

  test('reads chapters that are a track of titles, each anywhere in the file', async () => {
    const input = [...tone(), '-i', metadataFile(), '-map', '0', '-map_chapters', '1'];
    const both = readFileSync(makeMedia('m4b', [...input, '-c:a', 'aac', ...tagged, '-f', 'ipod']));
    const without = Buffer.from(both);
    without.write('free', both.indexOf('chpl'));

    const report = await probe(keepFile('m4b', without));

    expect(report.chapters).toEqual([
      { startTime: 0, endTime: 0.7, title: 'Opening' },
      { startTime: 0.7, endTime: 2, title: 'Das Übrige' },
    ]);
    expect(report.streams.map(({ kind }) => kind)).toEqual(['audio']);
  });

  test.each([
    ['opus', ['-c:a', 'libopus'], 'ogg', { codec: 'opus' }],
    ['ogg', ['-c:a', 'libvorbis', '-b:a', '80k'], 'ogg', { codec: 'vorbis', bitrate: 80000 }],
    ['oga', ['-c:a', 'flac', '-f', 'ogg'], 'ogg', { codec: 'flac', bitDepth: 16 }],
    ['mka', ['-c:a', 'libopus'], 'matroska', { codec: 'opus', isDefault: false, isForced: false }],
  ])(
    'reads tags and duration of sound in a .%s file',
    async (extension, codec, container, stream) => {
      const file = makeMedia(extension, [...tone(), ...codec, ...tagged]);

      const report = await probe(file);

      expect(report).toEqual({
        container,
        duration: expect.closeTo(2, 1),
        bitrate: expect.any(Number),
        streams: [{ ...sound, ...stream }],
        tags,
        replayGain,
      });
    },
  );

  test('reads all of a WAV file', async () => {
    const file = makeMedia('wav', [...tone(), '-c:a', 'pcm_s24le', ...tagged]);

    const report = await probe(file);

    expect(report).toEqual({
      container: 'wav',
      duration: 2,
      bitrate: 1152000,
      streams: [{ ...sound, codec: 'pcm_s24le', bitDepth: 24, bitrate: 1152000 }],
      tags: {
        ...{ title: 'Söng', artist: 'Singer', album: 'Album', track: 3, trackTotal: 12 },
        ...{ date: '2001-02-03', year: 2001, genres: ['Jazz'], description: 'Words' },
      },
    });
  });

  test('reads all of an AAC file without a container', async () => {
    const file = makeMedia('aac', [...tone(), '-c:a', 'aac', '-b:a', '64k']);

    const report = await probe(file);

    expect(report).toEqual({
      container: 'aac',
      duration: expect.closeTo(2.02, 1),
      bitrate: expect.any(Number),
      streams: [{ ...sound, codec: 'aac', profile: 'LC', bitrate: expect.any(Number) }],
    });
  });

  test('reads the duration of an MP3 with a changing bitrate, and of one without a header for it', async () => {
    const changing = makeMedia('mp3', [...tone(4), '-c:a', 'libmp3lame', '-q:a', '4']);
    const silent = makeMedia('mp3', [
      ...[...tone(4), '-c:a', 'libmp3lame', '-b:a', '64k', '-write_xing', '0'],
      ...['-id3v2_version', '0'],
    ]);

    const [one, other] = await Promise.all([probe(changing), probe(silent)]);

    expect(one.duration).toBe(4);
    expect(other.duration).toBeCloseTo(durationOf(silent), 1);
  });

  test('reads six channels, and lossless samples', async () => {
    const six = makeMedia('m4a', [
      ...[...tone(), '-af', 'pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0', '-c:a', 'aac'],
    ]);
    const whole = makeMedia('m4a', [...tone(), '-c:a', 'alac']);

    const found = await Promise.all([probe(six), probe(whole)]);

    expect(found.map(({ streams: [stream] }) => stream)).toMatchObject([
      { codec: 'aac', channels: 6 },
      { codec: 'alac', channels: 1, bitDepth: 16, sampleRate: 48000 },
    ]);
  });

  test('reads FLAC behind a tag of ID3', async () => {
    const bare = readFileSync(makeMedia('flac', [...tone(1), '-c:a', 'flac']));
    const artist = Buffer.from('TPE1\0\0\0\x07\0\0\0Tagged', 'latin1');
    const tag = [Buffer.from('ID3\x03\0\0\0\0\0\x11', 'latin1'), artist];

    const { container, duration, tags } = await probe(
      keepFile('flac', Buffer.concat([...tag, bare])),
    );

    expect({ container, duration, artist: tags?.artist }).toEqual({
      ...{ container: 'flac', duration: 1, artist: 'Tagged' },
    });
    await expect(probe(keepFile('flac', Buffer.concat(tag)))).rejects.toThrow('truncated');
  });

  test('reads ID3v1 and APEv2 if there is no tag in front', async () => {
    const bare = makeMedia('mp3', [
      ...[...tone(), '-c:a', 'libmp3lame', '-b:a', '64k', '-id3v2_version', '0'],
    ]);
    const field = (text: string, length: number) => Buffer.alloc(length).fill(text, 0, text.length);
    const old = Buffer.concat([
      Buffer.from('TAG'),
      ...[field('Old Title', 30), field('Old Singer', 30), field('Old Album', 30)],
      ...[field('1987', 4), Buffer.alloc(28), Buffer.from([0, 7, 17])],
    ]);
    const item = (name: string, value: string) => {
      const head = Buffer.alloc(8);
      head.writeUInt32LE(value.length);
      return Buffer.concat([head, Buffer.from(`${name}\0${value}`)]);
    };
    const items = Buffer.concat([
      ...[item('Title', 'New Title'), item('Track', '4/9')],
      item('replaygain_track_gain', '-7.03 dB'),
    ]);
    const footer = Buffer.alloc(32);
    footer.write('APETAGEX');
    footer.writeUInt32LE(2000, 8);
    footer.writeUInt32LE(items.length + 32, 12);
    footer.writeUInt32LE(2, 16);
    const file = keepFile('mp3', Buffer.concat([readFileSync(bare), items, footer, old]));

    const report = await probe(file);

    expect(report.tags).toEqual({
      title: 'New Title',
      artist: 'Old Singer',
      album: 'Old Album',
      track: 4,
      trackTotal: 9,
      date: '1987',
      year: 1987,
      genres: ['Rock'],
    });
    expect(report.replayGain).toEqual({ trackGainDb: -7.03 });
  });
});
