import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ProbeReport } from '../../plugin-api/index.ts';
import { coverFile, hasFfmpeg, keepFile, makeMedia } from '../../test/support/media/media-files.ts';
import { createRangeHost, probeFileOf } from '../../test/support/media/probe-host.ts';
import {
  appleNote,
  exifBlock,
  heicFile,
  jpegWith,
  pngHead,
  webpWith,
  withXmp,
} from './picture-makers.ts';
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

  test.skipIf(!hasFfmpeg).each(['big', 'little'] as const)(
    'reads the id that a live photo shares with its film, in %s-endian EXIF (needs ffmpeg)',
    async (order) => {
      const id = '0F6B5A2E-2D5C-4D38-9C1B-3C1B8F1E7A10';
      const exif = exifBlock(order, 1, appleNote(id));
      const film = makeMedia('mov', [
        ...['-f', 'lavfi', '-i', 'color=s=32x32:d=0.2', '-c:v', 'mpeg4'],
        ...['-movflags', 'use_metadata_tags'],
        ...['-metadata', `com.apple.quicktime.content.identifier=${id}`],
      ]);

      const found = await Promise.all(
        [
          keepFile('jpg', jpegWith(exif, 8, 8)),
          keepFile('heic', heicFile(exif, 8, 8, 0)),
          film,
        ].map(probe),
      );

      for (const { tags } of found) expect(tags?.ids).toEqual({ 'apple-live-photo': id });
    },
  );

  const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(40)]);
  const length = film.length;

  test.each([
    ['MicroVideo', `GCamera:MicroVideo="1" GCamera:MicroVideoOffset="${length}"`],
    ['MicroVideo', `<GCamera:MicroVideoOffset>${length}</GCamera:MicroVideoOffset>`],
    [
      'MotionPhoto',
      `<Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary" Item:Length="0"/>
       <Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto" Item:Length="${length}"/>`,
    ],
  ])('finds the film in a JPEG that is a %s', async (_, xmp) => {
    const photo = withXmp(jpegWith(exifBlock('big', 1), 8, 8), xmp);

    const [moving, still] = await Promise.all([
      probe(keepFile('jpg', Buffer.concat([photo, film]))),
      probe(keepFile('jpg', Buffer.concat([photo, Buffer.alloc(length)]))),
    ]);

    expect(moving.motion).toEqual({ offset: photo.length, length });
    expect(still.motion).toBeUndefined();
  });

  test('finds the film in a HEIC', async () => {
    const photo = heicFile(exifBlock('big', 1), 8, 8, 0);
    const box = Buffer.from('\0\0\0\0mpvd');
    box.writeUInt32BE(box.length + length);

    const report = await probe(keepFile('heic', Buffer.concat([photo, box, film])));

    expect(report.motion).toEqual({ offset: photo.length + 8, length });
  });

  test('reads a picture with an invalid note of its maker', async () => {
    const notes = ['Apple iOS\0\0\x01MM', appleNote('x'), 'Apple iOS\0\0\x01MM\xff\xff\xff'];

    const found = await Promise.all(
      notes.map((note) => probe(keepFile('jpg', jpegWith(exifBlock('big', 1, note), 8, 8)))),
    );

    expect(found.map(({ tags }) => tags)).toEqual([camera, camera, camera]);
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
