import { expect, test } from 'vitest';
import type { ShownFileRow } from '../tables/file-store.ts';
import { toFile } from './file.ts';

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
    const owner = { libraryId: 'l', itemId: 'i', showsPaths: true };

    const file = toFile(row(filename, info), owner, { chapters: [], text: [] });

    expect(file).toMatchObject({ mimeType, mediaKind });
  },
);
