import { expect, onTestFinished, test } from 'vitest';
import { openTestIngestion } from '../../../test/support/library/ingestion.ts';
import { serverViewer } from '../../people/viewer/index.ts';

test('an ingest tells the upkeep of entities that lengths and years of their items changed', async () => {
  let seconds = 100;
  const ofWild = (path: string) => ({
    title: path,
    metadata: { year: 1900 + seconds },
    entities: { album: [{ name: 'Wild', status: 'pending' as const, source: 'test' }] },
  });
  const ingestion = await openTestIngestion({
    probe: () => ({ kind: 'read', report: { container: 'mp3', duration: seconds, streams: [] } }),
    name: ofWild,
    full: { 'by-folder': ({ path }) => ofWild(path) },
  });
  onTestFinished(ingestion.close);
  const { entities, entityUpkeep } = ingestion.library;
  const album = async () => (await entities.list(serverViewer, { type: 'album' })).entities[0];

  await ingestion.scan(['A/a.mkv', 'B/b.mkv']);
  await entityUpkeep.sweep();
  expect(await album()).toMatchObject({ itemCount: 2, duration: null, year: 2000 });
  await ingestion.run();
  await entityUpkeep.sweep();
  expect(await album()).toMatchObject({ duration: 200 });

  seconds = 50;
  await ingestion.scan(['A/a.mkv', 'B/b.mkv'], 2);
  await ingestion.run();
  await entityUpkeep.sweep();
  expect(await album()).toMatchObject({ itemCount: 2, duration: 100, year: 1950 });
});
