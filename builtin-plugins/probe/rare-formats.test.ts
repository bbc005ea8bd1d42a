/** Formats that ffmpeg does not encode: their markers are written into files that it made. */
import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ProbeReport } from '../../plugin-api/index.ts';
import { bars, hasFfmpeg, makeMedia, tone } from '../../test/support/media/media-files.ts';
import {
  box,
  replaced,
  withBoxInEntry,
  withDescriptor,
} from '../../test/support/media/media-patches.ts';
import { createRangeHost, probeFileOf } from '../../test/support/media/probe-host.ts';
import { probeFiles } from './probe-files.ts';

async function firstStream(file: string): Promise<ProbeReport['streams'][number] | undefined> {
  const { size } = statSync(file);
  const input = { libraryId: 'l', libraryType: 'movies', files: [probeFileOf(file, size)] };
  const { results } = await probeFiles(input, createRangeHost().host);
  const [outcome] = results;
  if (outcome?.kind !== 'read') throw new Error(JSON.stringify(outcome));
  return outcome.report.streams[0];
}

const remuxed = (file: string, extension: string, ...more: readonly string[]): string =>
  makeMedia(extension, ['-i', file, '-c', 'copy', ...more]);

/** HEVC in HDR10, with its headers also in the frames. */
const hdr10 = (): string =>
  makeMedia('mp4', [
    ...[...bars(1), '-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'],
    '-x265-params',
    'log-level=none:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc',
    ...['-color_trc', 'smpte2084', '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'],
    ...['-tag:v', 'hvc1'],
  ]);

describe.skipIf(!hasFfmpeg)('probe.probe of video that is more than HDR10', () => {
  /** x265 writes its options in a message, which becomes one of SMPTE ST 2094-40. */
  const hdr10plus = (): string =>
    replaced(
      hdr10(),
      'mp4',
      Buffer.from('4e0105fffffffffffffffff42ca2de09b517', 'hex'),
      Buffer.from('4e0104fffffffffffffffff4b5003c000104', 'hex'),
    );

  test.each(['mp4', 'mkv', 'ts'])('recognizes HDR10+ in %s', async (extension) => {
    const file = extension === 'mp4' ? hdr10plus() : remuxed(hdr10plus(), extension);

    expect(await firstStream(file)).toMatchObject({ codec: 'hevc', hdr: 'hdr10plus' });
  });

  /** Dolby Vision, profile 8.1 on level 1, one layer that other players show as HDR10. */
  const record = Buffer.alloc(24);
  record.set([1, 0, 0x10, 0x0d, 0x10]);

  test.each(['dvcC', 'dvvC', 'dvwC'])('recognizes Dolby Vision by the box %s', async (type) => {
    const file = withBoxInEntry(hdr10(), 'hvc1', box(type, record));

    expect(await firstStream(file)).toMatchObject({ codec: 'hevc', hdr: 'dolby-vision' });
  });

  test('recognizes Dolby Vision by the name of the samples', async () => {
    const file = replaced(hdr10(), 'mp4', Buffer.from('hvc1\0\0\0'), Buffer.from('dvh1\0\0\0'));

    expect(await firstStream(file)).toMatchObject({ codec: 'hevc', hdr: 'dolby-vision' });
  });

  test.each(['dvcC', 'dvvC', 'dvwC'])('recognizes Dolby Vision by %s of Matroska', async (type) => {
    const mp4 = withBoxInEntry(hdr10(), 'hvc1', box('dvvC', record));
    const mkv = remuxed(mp4, 'mkv', '-strict', 'unofficial');
    const idType = (text: string): Buffer =>
      Buffer.concat([Buffer.from('41e784', 'hex'), Buffer.from(text)]);

    const file = replaced(mkv, 'mkv', idType('dvvC'), idType(type));

    expect(await firstStream(file)).toMatchObject({ codec: 'hevc', hdr: 'dolby-vision' });
  });

  test('recognizes Dolby Vision by the descriptor of a transport stream', async () => {
    const descriptor = Buffer.from([0xb0, 5, 1, 0, 0x10, 0x0d, 0x10]);

    const file = withDescriptor(remuxed(hdr10(), 'ts'), descriptor);

    expect(await firstStream(file)).toMatchObject({ codec: 'hevc', hdr: 'dolby-vision' });
  });
});

describe.skipIf(!hasFfmpeg)('probe.probe of AAC with more than its core', () => {
  const core = (): string =>
    makeMedia('m4a', [...tone(1, 24_000), '-c:a', 'aac', '-b:a', '32k', '-ac', '1']);
  /** What ffmpeg writes: LC, 24 kHz, one channel, without spectral band replication. */
  const plain = Buffer.from('130856e500', 'hex');

  test.each([
    ['a mark that old players pass over', '130856e598', 'HE-AAC', 1, 48_000],
    ['its kind', '2b09880000', 'HE-AAC', 1, 48_000],
    ['its kind, with parametric stereo', 'eb09880000', 'HE-AACv2', 2, 48_000],
    ['nothing', '130856e500', 'LC', 1, 24_000],
  ])('is recognized by %s', async (_by, configuration, profile, channels, sampleRate) => {
    const m4a = replaced(core(), 'm4a', plain, Buffer.from(configuration, 'hex'));
    const mka = replaced(remuxed(core(), 'mka'), 'mka', plain, Buffer.from(configuration, 'hex'));

    const expected = { codec: 'aac', profile, channels, sampleRate };
    expect(await firstStream(m4a)).toMatchObject(expected);
    expect(await firstStream(mka)).toMatchObject(expected);
  });
});
