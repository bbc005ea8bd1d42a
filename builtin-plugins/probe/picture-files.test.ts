import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ProbeReport } from '../../plugin-api/index.ts';
import { coverFile, hasFfmpeg, keepFile, makeMedia } from '../../test/support/media/media-files.ts';
import { createRangeHost, probeFileOf } from '../../test/support/media/probe-host.ts';
import { exifBlock, heicFile, jpegWith, pngHead, webpWith } from './picture-makers.ts';
import { probeFiles } from './probe-files.ts';

async function probe(file: string): Promise<ProbeReport> {
  const { size } = statSync(file);
  const input = { libraryId: 'l', libraryType: 'photos', files: [probeFileOf(file, size)] };
  const { results } = await probeFiles(input, createRangeHost().host);
  const [outcome] = results;
  if (outcome?.kind !== 'read') throw new Error(JSON.stringify(outcome));
  return outcome.report;
}

const camera = {
  takenAt: '2021-07-08T09:10:11+02:00',
  camera: 'Canon EOS R5',
  lens: 'RF24-70mm F2.8',
  latitude: 48.858333,
  longitude: -2.294444,
};
const still = { index: 0, kind: 'image' } as const;

describe('probe.probe of pictures', () => {
  test.each(['big', 'little'] as const)(
    'reads size, rotation and camera data of a JPEG, in %s-endian EXIF',
    async (order) => {
      const report = await probe(keepFile('jpg', jpegWith(exifBlock(order, 6), 640, 480)));

      expect(report).toEqual({
        container: 'jpeg',
        streams: [{ ...still, codec: 'mjpeg', width: 480, height: 640, rotation: 90, bitDepth: 8 }],
        tags: camera,
      });
    },
  );

  test('reads the same of a PNG, a WebP and a HEIC', async () => {
    const exif = exifBlock('big', 1);
    const files = [
      keepFile('png', pngHead(exif, 640, 480)),
      keepFile('webp', webpWith(exif, 640, 480)),
      keepFile('heic', heicFile(exif, 640, 480, 0)),
    ];

    const found = await Promise.all(files.map(probe));

    const stream = { ...still, width: 640, height: 480 };
    expect(found).toEqual([
      { container: 'png', streams: [{ ...stream, codec: 'png', bitDepth: 8 }], tags: camera },
      { container: 'webp', streams: [{ ...stream, codec: 'webp', bitDepth: 8 }], tags: camera },
      { container: 'heic', streams: [{ ...stream, codec: 'hevc' }], tags: camera },
    ]);
  });

  test('rotates a HEIC by its own property', async () => {
    const report = await probe(keepFile('heic', heicFile(exifBlock('big', 6), 640, 480, 3)));

    expect(report.streams).toEqual([
      { ...still, codec: 'hevc', width: 480, height: 640, rotation: 90 },
    ]);
  });

  test('reads a picture with invalid EXIF', async () => {
    const broken = exifBlock('big', 1).fill(0xff, 8, 40);

    const report = await probe(keepFile('jpg', jpegWith(broken, 640, 480)));

    expect(report.streams).toMatchObject([{ width: 640, height: 480 }]);
  });

  test.skipIf(!hasFfmpeg)('reads the size of pictures that ffmpeg made', async () => {
    const kinds = ['png', 'webp', 'gif', 'bmp', 'tiff'];
    const files = kinds.map((kind) => makeMedia(kind, ['-i', coverFile()]));

    const found = await Promise.all([coverFile(), ...files].map(probe));

    expect(
      found.map(({ container, streams: [one] }) => [container, one?.width, one?.height]),
    ).toEqual(['jpeg', ...kinds].map((kind) => [kind, 300, 300]));
    expect(readFileSync(coverFile()).length).toBeGreaterThan(0);
  });
});
