/**
 * How right the matches are: names of files go through the real reader of names and the real lookups
 * of the plugins, against made-up catalogues whose entries look alike.
 */
import musicbrainz from '../../../builtin-plugins/musicbrainz/index.ts';
import openlibrary from '../../../builtin-plugins/openlibrary/index.ts';
import tmdb from '../../../builtin-plugins/tmdb/index.ts';
import type { IndexFile, PluginDefinition } from '../../../plugin-api/index.ts';
import type { Figure } from '../figure.ts';
import { bookFiles, createBookService, madeBooks } from './books.ts';
import { createFilmService } from './film-service.ts';
import { figure, figuresOf, hostOver, indexOf, named, type Judged } from './judged.ts';
import { madeFilms } from './made-films.ts';
import { benchMerging } from './merging.ts';
import { createMusicService, madeAlbums, musicFiles } from './music.ts';
import { noisyFiles } from './noisy-names.ts';

/** How much is made of each kind. */
export interface MatchingSizes {
  readonly films: number;
  /** Names of films that are asked for. */
  readonly names: number;
  readonly albums: number;
  /** Albums of which there are files. */
  readonly copies: number;
  readonly books: number;
  /** Names of books that are asked for. */
  readonly titles: number;
  /** Films of which several sources are merged. */
  readonly merged: number;
  /** `films`, `music`, `books` or `merging`; empty = all. */
  readonly only: string;
}

/** Measures all kinds. */
export async function benchMatching(sizes: MatchingSizes): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [kind, measure] of Object.entries({
    films: benchFilms,
    music: benchMusic,
    books: benchBooks,
    merging: ({ merged }: MatchingSizes) => benchMerging(merged),
  }))
    if (sizes.only === '' || sizes.only === kind) figures.push(...(await measure(sizes)));
  return figures;
}

async function benchFilms({ films, names }: MatchingSizes): Promise<readonly Figure[]> {
  const catalogue = madeFilms(films);
  const service = createFilmService(catalogue);
  const kept = new Map<string, unknown>();
  const files = noisyFiles(catalogue, names).map(({ path, duration, film }) => ({
    file: { path, size: 1_000_000_000, duration },
    isRight: (id: string) => id === String(film.id),
  }));
  const config = {
    baseUrl: 'https://films.example/3',
    imageBaseUrl: 'https://films.example/pictures',
  };
  const host = hostOver(config, service.answer, kept);
  const lookup = { plugin: tmdb, libraryType: 'movies', batch: 100, host };
  const answers = await matchAll(files, lookup);
  const cold = service.requests();
  await matchAll(files.slice(0, 1000), lookup);
  const again = service.requests() - cold;
  return [
    ...figuresOf('films', answers),
    { ...figure('requests a film, cold', cold / names, 2.2), unit: '' },
    { ...figure('requests a film, again', again / Math.min(1000, names), 0), unit: '' },
  ];
}

async function benchMusic({ albums, copies }: MatchingSizes): Promise<readonly Figure[]> {
  const catalogue = madeAlbums(albums);
  const files = musicFiles(catalogue, copies).map(({ path, duration, tags, album }) => ({
    file: { path, size: 30_000_000, tags, ...(duration > 0 && { duration }) },
    // Any release of the album, or the track itself.
    isRight: (id: string) =>
      Math.floor(Number(id.slice(-12)) / (id.startsWith('a') ? 10 : 100)) === album.no,
  }));
  const config = { baseUrl: 'https://music.example', imageBaseUrl: 'https://covers.example' };
  const host = hostOver(config, createMusicService(catalogue), new Map());
  const lookup = { plugin: musicbrainz, libraryType: 'music', batch: 16, host };
  return figuresOf('tracks', await matchAll(files, lookup));
}

async function benchBooks({ books, titles }: MatchingSizes): Promise<readonly Figure[]> {
  const catalogue = madeBooks(books);
  const files = bookFiles(catalogue, titles).map(({ path, isbn, book }) => ({
    file: {
      ...{ path, size: 1_000_000 },
      ...(isbn !== undefined && {
        known: { title: '', metadata: {}, ids: { isbn: { id: isbn } } },
      }),
    },
    isRight: (id: string) => id === `OL${book.no}W`,
  }));
  const config = { baseUrl: 'https://books.example', imageBaseUrl: 'https://covers.example' };
  const host = hostOver(config, createBookService(catalogue), new Map());
  const lookup = { plugin: openlibrary, libraryType: 'books', batch: 16, host };
  return figuresOf('books', await matchAll(files, lookup));
}

interface Asked {
  readonly file: IndexFile;
  readonly isRight: (id: string) => boolean;
}

interface BenchLookup {
  readonly plugin: PluginDefinition;
  readonly libraryType: string;
  readonly batch: number;
  readonly host: object;
}

async function matchAll(
  asked: readonly Asked[],
  { plugin, libraryType, batch, host }: BenchLookup,
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (let from = 0; from < asked.length; from += batch) {
    const some = asked.slice(from, from + batch);
    const files = await named(
      libraryType,
      some.map(({ file }) => file),
    );
    const { results } = await indexOf(plugin)(
      { libraryId: 'made', libraryType, stage: 'full', files },
      host,
    );
    some.forEach(({ isRight }, at) => {
      const { confidence = 0, match } = results[at] ?? {};
      judged.push({ confidence, isRight: match !== undefined && isRight(match.id) });
    });
  }
  return judged;
}
