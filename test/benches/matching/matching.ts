/**
 * How right the matches are: names of files go through the real reader of names and the real lookup
 * of the `tmdb` plugin, against a made-up catalogue of films that look alike.
 */
import identify from '../../../builtin-plugins/identify/index.ts';
import { leastConfidence } from '../../../builtin-plugins/catalogue-lookup/score.ts';
import tmdb from '../../../builtin-plugins/tmdb/index.ts';
import type { IndexFile, IndexResult } from '../../../plugin-api/index.ts';
import type { Figure } from '../figure.ts';
import { createFilmService, type FilmService } from './film-service.ts';
import { madeFilms } from './made-films.ts';
import { noisyFiles, type NoisyFile } from './noisy-names.ts';

const batch = 100;

/** An answer for a file. */
interface Judged {
  readonly file: NoisyFile;
  readonly confidence: number;
  readonly isRight: boolean;
}

/** Measures it over so many films and names. */
export async function benchMatching(films: number, names: number): Promise<readonly Figure[]> {
  const catalogue = madeFilms(films);
  const service = createFilmService(catalogue);
  const files = noisyFiles(catalogue, names);
  const kept = new Map<string, unknown>();
  const answers = await matchAll(files, service, kept);
  const cold = service.requests();
  await matchAll(files.slice(0, 1000), service, kept);
  const again = service.requests() - cold;
  const applied = answers.filter(({ confidence }) => confidence >= leastConfidence);
  const right = applied.filter(({ isRight }) => isRight);
  const ofAll = (count: number, all: number): number => (100 * count) / all;
  return [
    figure('of the matches without a person are right', ofAll(right.length, applied.length), -99.5),
    figure('of the names are matched, and right', ofAll(right.length, names), -93),
    { ...figure('calibration error', calibrationError(answers), 0.03), unit: '' },
    { ...figure('requests a film, cold', cold / names, 2.2), unit: '' },
    { ...figure('requests a film, again', again / Math.min(1000, names), 0), unit: '' },
  ];
}

const figure = (name: string, ours: number, goal: number): Figure => ({
  ...{ name: `matching: ${name}`, ours, bare: null, unit: '%', goal },
});

type Index = (input: object, host: object) => Promise<IndexResult>;
const indexOf = (plugin: typeof tmdb): Index =>
  plugin.methods?.['indexer.index'] as unknown as Index;

async function matchAll(
  files: readonly NoisyFile[],
  service: FilmService,
  kept: Map<string, unknown>,
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (let from = 0; from < files.length; from += batch) {
    const some = files.slice(from, from + batch);
    const { results } = await indexOf(tmdb)(
      { libraryId: 'films', libraryType: 'movies', stage: 'full', files: await named(some) },
      hostOver(service, kept),
    );
    some.forEach((file, at) => {
      const result = results[at];
      const confidence = result?.confidence ?? 0;
      judged.push({ file, confidence, isRight: result?.match?.id === String(file.film.id) });
    });
  }
  return judged;
}

/** The files with what their names say. */
async function named(files: readonly NoisyFile[]): Promise<readonly IndexFile[]> {
  const plain = files.map(({ path, duration }) => ({ path, size: 1_000_000_000, duration }));
  const input = { libraryId: 'films', libraryType: 'movies', stage: 'name', files: plain };
  const { results } = await indexOf(identify)(input, {});
  return plain.map((file, at) => {
    const read = results[at];
    const known = read && { title: read.title, metadata: read.metadata, ids: {} };
    return { ...file, ...(known && { known }) };
  });
}

/** The host of the plugin: its configuration, and a network that keeps answers as the server does. */
function hostOver(service: FilmService, kept: Map<string, unknown>): object {
  const config = {
    baseUrl: 'https://films.example/3',
    imageBaseUrl: 'https://films.example/pictures',
    language: 'en-US',
    keepDays: 7,
  };
  return {
    config: { get: () => Promise.resolve(config) },
    net: {
      fetch: ({ url }: { readonly url: string }) => {
        if (!kept.has(url)) kept.set(url, service.answer(new URL(url)));
        const reply = kept.get(url);
        const body = JSON.stringify(reply);
        return Promise.resolve({ status: reply === null ? 404 : 200, headers: {}, body });
      },
    },
  };
}

/** The mean distance between confidence and truth, over ten groups by confidence. */
function calibrationError(answers: readonly Judged[]): number {
  const given = answers.filter(({ confidence }) => confidence > 0);
  const groups = Map.groupBy(given, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)));
  const errors = [...groups.values()].map((group) => {
    const sum = group.reduce((all, { confidence }) => all + confidence, 0);
    const right = group.filter(({ isRight }) => isRight).length;
    return Math.abs(sum - right);
  });
  return errors.reduce((all, one) => all + one, 0) / given.length;
}
