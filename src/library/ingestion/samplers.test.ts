/** Whose the albums of a folder are, where the tags of their tracks do not say it. */
import { expect, onTestFinished, test } from 'vitest';
import type { IndexFile } from '../../../plugin-api/index.ts';
import { everything, openTestIngestion } from '../../../test/support/library/ingestion.ts';

/** As a plugin may answer: a sampler where its folder has several artists. */
function identify({ path, tags = {}, beside = [] }: IndexFile) {
  const artists = new Set([tags, ...beside].map(({ artist }) => artist));
  const shared = artists.size > 1 ? 'Various Artists' : tags.artist;
  const { album } = tags;
  return { title: path, metadata: { album, albumArtist: tags.albumArtist ?? shared } };
}

test('tracks of several artists in one folder are one sampler, also those that come later', async () => {
  const ingestion = await openTestIngestion({
    libraryType: 'music',
    item: (path) => path,
    probe: ({ uri }) => {
      const [artist = '', whose] = decodeURIComponent(uri).split('/').at(-1)?.split(/[ .]/) ?? [];
      const tags = { album: 'Piers', artist, ...(whose !== 'mkv' && { albumArtist: artist }) };
      return { kind: 'read', report: { container: 'mp3', streams: [], tags } };
    },
    full: { 'by-folder': identify },
  });
  onTestFinished(ingestion.close);
  const whose = async () => {
    const { items } = await ingestion.library.items.list(everything, { limit: 100 });
    return Object.fromEntries(items.map(({ title, metadata }) => [title, metadata['albumArtist']]));
  };

  const files = ['A/Jon.mkv', 'A/Kay own.mkv', 'B/Eva.mkv', 'C/Eva.mkv', 'C/Fay.mkv'];
  await ingestion.scan(files);
  await ingestion.run();

  expect(await whose()).toEqual({
    ...{ 'A/Jon.mkv': 'Jon', 'A/Kay own.mkv': 'Kay', 'B/Eva.mkv': 'Eva' },
    ...{ 'C/Eva.mkv': 'Various Artists', 'C/Fay.mkv': 'Various Artists' },
  });

  await ingestion.scan([...files, 'A/Fay.mkv']);
  await ingestion.run();

  expect(await whose()).toMatchObject({
    ...{ 'A/Jon.mkv': 'Various Artists', 'A/Fay.mkv': 'Various Artists' },
    ...{ 'A/Kay own.mkv': 'Kay', 'B/Eva.mkv': 'Eva' },
  });
});
