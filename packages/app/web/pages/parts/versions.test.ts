import { expect, test } from 'vitest';
import type { Resources } from '../../core/api.ts';
import { resolutionOf, versionsOf } from './versions.ts';

type File = Resources['MediaFile'];

const file = (id: string, more: Partial<File> = {}): File =>
  ({
    ...{ id, type: 'media', status: 'active', mediaKind: 'video', classification: 'primary' },
    ...{ edition: null, partNumber: null, duration: 60, extension: 'mkv', fileInfo: {} },
    ...more,
  }) as File;
const picture = (width: number, height: number): File =>
  file('a', { fileInfo: { streams: [{ kind: 'audio' }, { kind: 'video', width, height }] } });

test('files of one edition without part numbers are versions, parts of it are one', () => {
  const files = [
    file('small'),
    file('large', { duration: 62 }),
    file('part1', { edition: 'Long', partNumber: 1 }),
    file('part2', { edition: 'Long', partNumber: 2 }),
    file('trailer', { classification: 'trailer' }),
  ];
  const versions = versionsOf({ files, linkedEntities: [] });
  expect(versions.map((one) => [one.file.id, one.duration])).toEqual([
    ['small', 60],
    ['large', 62],
    ['part1', 120],
  ]);
});

test('a picture is named by its lines, also where black bars were cut off', () => {
  expect([picture(3840, 1600), picture(1920, 804), picture(640, 360)].map(resolutionOf)).toEqual([
    '4K',
    '1080p',
    '360p',
  ]);
  expect(resolutionOf(file('song', { fileInfo: { streams: [{ kind: 'audio' }] } }))).toBe(
    undefined,
  );
});
