import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  admin,
  openMentionLibrary,
  type MentionLibrary,
} from '../../../../test/support/library/mentions.ts';
import type { EntityDetail } from './entity-detail.ts';

let library: MentionLibrary;

beforeEach(async () => {
  library = await openMentionLibrary();
  onTestFinished(() => library.close());
});

async function theShow(): Promise<EntityDetail> {
  const { entities } = await library.entities.list(admin, { type: 'show' });
  return library.entities.get(entities[0]?.id ?? '', admin);
}

let told = 0;
/** A plugin describes the show, in an item of its own. */
const tell = (source: string, metadata: Record<string, unknown>, more = {}) =>
  library.say(`Item ${(told += 1)}`, {
    show: [{ name: 'Dark', status: 'complete', source, metadata, ...more }],
  });

const catalogue = {
  overview: 'A cave.',
  network: 'Elsewhere',
  assets: { poster: 'https://a.example/1.jpg' },
};

describe('a show that its document locks', () => {
  test('takes everything from the document, in any order of plugins', async () => {
    await tell('catalogue', catalogue);
    await tell('sidecars', {
      'sidecars.locked': true,
      overview: 'Four families.',
      assets: { poster: 'https://b.example/2.jpg' },
    });
    await tell('catalogue', { ...catalogue, genres: ['Drama'] }, { ids: { tmdb: '70523' } });

    const show = await theShow();
    expect(show.metadata).toEqual({ 'sidecars.locked': true, overview: 'Four families.' });
    expect(show.ids).toEqual({ tmdb: '70523' });
    expect(show.provenance).not.toContainEqual({ pluginId: 'catalogue', path: 'metadata' });
    expect(show.provenance).toContainEqual({ pluginId: 'sidecars', path: 'metadata' });
  });

  test('takes the locked fields from the document only, also when it leaves one out', async () => {
    await tell('catalogue', catalogue);
    await tell('sidecars', {
      'sidecars.lockedFields': ['fields.overview', 'fields.genres'],
      genres: ['Mystery'],
    });
    await tell('catalogue', { ...catalogue, genres: ['Drama'], status: 'Ended' });

    expect((await theShow()).metadata).toEqual({
      'sidecars.lockedFields': ['fields.overview', 'fields.genres'],
      network: 'Elsewhere',
      genres: ['Mystery'],
      status: 'Ended',
    });
  });

  test('takes other plugins’ data again, also earlier data, when its document is no longer locked', async () => {
    await tell('sidecars', { overview: 'Four families.' });
    await tell('sidecars', { 'sidecars.locked': true, overview: 'Four families.' });
    await tell('catalogue', catalogue);
    const locked = await theShow();
    await tell('sidecars', { overview: 'Four families.' });
    await tell('catalogue', catalogue);

    expect(locked.metadata).not.toHaveProperty('network');
    expect((await theShow()).metadata).toEqual({
      overview: 'Four families.',
      network: 'Elsewhere',
    });
  });

  test('still shows what a person edited', async () => {
    await tell('catalogue', catalogue);
    const { id } = await theShow();
    await library.entities.update(id, { metadata: { overview: 'Mine.' } }, admin);

    await tell('sidecars', { 'sidecars.locked': true, overview: 'Four families.', year: 2017 });

    expect((await theShow()).metadata).toEqual({
      'sidecars.locked': true,
      overview: 'Mine.',
      year: 2017,
    });
  });

  test('cannot be locked by one plugin in the name of another', async () => {
    await tell('catalogue', { 'sidecars.locked': true, overview: 'A cave.' });
    await tell('other', { genres: ['Drama'], 'sidecars.lockedFields': ['fields.genres'] });

    expect((await theShow()).metadata).toEqual({ overview: 'A cave.', genres: ['Drama'] });
  });
});
