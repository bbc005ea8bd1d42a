import { expect, test } from 'vitest';
import type { ShownFileRow } from '../tables/file-store.ts';
import { parseMap } from '../tables/rows.ts';
import { toFile } from './file.ts';

const scope = { showsPaths: true, readFree: parseMap };
const owner = { libraryId: 'l', itemId: 'i', scope };

const row = (filename: string, file_info: object | null): ShownFileRow => ({
  ...{ no: 1, id: 'f', item_no: 1, uri: `file:///films/${filename}`, type: 'media' },
  ...{ status: 'active', classification: 'primary', edition: null, part_number: null },
  ...{ size: 1, duration: null, assets: null, asset_aspects: null, has_chapters: false },
  loudness: null,
  ...{ created_at: 0, updated_at: 0 },
  file_info: file_info && JSON.stringify(file_info),
});

test.each([
  ['heat.xyz', null, 'chemical/x-xyz', 'text'],
  [
    'heat.xyz',
    { container: 'matroska', streams: [{ kind: 'video' }] },
    'video/x-matroska',
    'video',
  ],
  ['heat.xyz', { container: 'mp4', streams: [{ kind: 'audio' }] }, 'audio/mp4', 'audio'],
  ['heat.xyz', { container: 'odd', streams: [{ kind: 'video' }] }, 'chemical/x-xyz', 'video'],
  ['heat.xyz', { streams: 'none' }, 'chemical/x-xyz', 'text'],
  ['heat.mkv', { container: 'mp4', streams: [{ kind: 'audio' }] }, 'video/x-matroska', 'video'],
  ['book.epub', { container: 'epub', streams: [] }, 'application/epub+zip', 'text'],
] as const)(
  'a file is of the type of its extension, or else of what a probe found: %s, %j',
  (filename, info, mimeType, mediaKind) => {
    const file = toFile(row(filename, info), owner, { chapters: [], text: [] });

    expect(file).toMatchObject({ mimeType, mediaKind });
  },
);

const measured = (lufs: number | null, albumGain: number | null, size = 1): string =>
  JSON.stringify({ size, modifiedAt: 1, lufs, peak: lufs === null ? null : -1, albumGain });
const tags = { trackGainDb: -7.03, trackPeakDb: -0.5, albumGainDb: -6.5 };

test.each([
  ['as it was measured', measured(-20, 3), tags, [-20, -1, 2, 3]],
  ['with the album of the tags', measured(-20, null), tags, [-20, -1, 2, -6.5]],
  ['as the tags say', null, tags, [-10.97, -0.5, -7.03, -6.5]],
  ['without what the tags do not say', null, { trackGainDb: 2 }, [-20, null, 2, null]],
  [
    'as the tags say, where another file was measured',
    measured(-20, 3, 2),
    tags,
    [-10.97, -0.5, -7.03, -6.5],
  ],
  [
    'as the tags say, where nothing could be measured',
    measured(null, null),
    tags,
    [-10.97, -0.5, -7.03, -6.5],
  ],
  ['not at all', null, { trackPeakDb: -1 }, null],
  ['not at all, from what is not a map', null, 'loud', null],
] as const)('the loudness of a file is shown %s', (_, loudness, replayGain, shown) => {
  const info = { container: 'flac', streams: [{ kind: 'audio' }], replayGain };
  const file = toFile({ ...row('a.flac', info), loudness }, owner, { chapters: [], text: [] });

  const [integratedLufs, truePeakDb, trackGainDb, albumGainDb] = shown ?? [];
  expect(file.loudness).toEqual(
    shown === null ? null : { integratedLufs, truePeakDb, trackGainDb, albumGainDb },
  );
});
