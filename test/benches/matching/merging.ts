/**
 * What sources cost the server, beside the network: the CPU of storing what one says of a film, and of
 * merging all that is known again, by the number of sources. A real database and a real queue.
 */
import type { BundleEntity, Identification } from '../../../plugin-api/index.ts';
import { openTestIngestion, type TestIngestion } from '../../support/library/ingestion.ts';
import type { Figure } from '../figure.ts';

/** The numbers of sources that are compared. */
const few = 1;
const many = 6;

/** Measures films, each known to one source, and then to six. */
export async function benchMerging(films: number): Promise<readonly Figure[]> {
  // The first run is not counted: code is compiled in it.
  await costsOf(Math.min(films, 200), many);
  const one = await costsOf(films, few);
  const all = await costsOf(films, many);
  const value = (name: string, ours: number, goal: number): Figure => ({
    ...{ name: `merging: ${name}`, ours, bare: null, unit: 'ms', goal },
  });
  return [
    value('CPU to store what a source says of a film', one.toldMs, 5),
    value(`the same of ${many} sources, each`, all.toldMs / many, 5),
    value('CPU to merge a film of one source again', one.againMs, 4),
    value('a further source adds', (all.againMs - one.againMs) / (many - few), 0.7),
  ];
}

/** Milliseconds of CPU for each film. */
interface Costs {
  /** All sources were asked, one after the other, and what they said was stored. */
  readonly toldMs: number;
  /** All of it was merged again, and nothing changed. */
  readonly againMs: number;
}

async function costsOf(films: number, sources: number): Promise<Costs> {
  const names = Array.from({ length: sources }, (_, at) => `source-${at}`);
  const ingestion = await openTestIngestion({
    full: Object.fromEntries(
      names.map((name) => [name, ({ path }) => answerOf(name, path)] as const),
    ),
    remote: names,
    probe: () => ({ kind: 'read', report: { container: 'matroska', streams: [] } }),
  });
  try {
    await ingestion.scan(
      Array.from({ length: films }, (_, at) => `Film ${at} (${1950 + (at % 70)})/film.mkv`),
    );
    await ingestion.run();
    const told = await cpuOf(() => lookUp(ingestion, names));
    const merge = { type: 'refresh', payload: { media: 'keep', network: 'keep' } };
    const again = await cpuOf(() => ingestion.run(merge));
    return { toldMs: told / films, againMs: again / films };
  } finally {
    await ingestion.close();
  }
}

/** As the queue of look-ups does it: a job for some items of one source. */
async function lookUp(ingestion: TestIngestion, names: readonly string[]): Promise<void> {
  const ids: readonly string[] = await ingestion.library.storage.database.read('items').pluck('id');
  for (const name of names)
    for (let at = 0; at < ids.length; at += 500) {
      await ingestion.lookUpLater(ingestion.libraryId, ids.slice(at, at + 500), name);
      await ingestion.jobs.idle();
    }
}

/** Milliseconds of CPU of this process, with the threads of its database. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What a catalogue says of a film: twenty people, three genres, two studios, two pictures. */
function answerOf(source: string, path: string): Identification {
  const title = path.split('/')[0] ?? '';
  const number = Number(/\d+/.exec(title)?.[0] ?? 0);
  const named = (type: string, count: number): readonly BundleEntity[] =>
    Array.from({ length: count }, (_, at) => ({
      ...{ name: `${type} ${(number * 7 + at * 13) % 5000}`, type, status: 'complete', source },
    })) as readonly BundleEntity[];
  return {
    title,
    metadata: {
      overview: `${source} tells of ${title}. `.repeat(12),
      tagline: `A tagline of ${source}.`,
      originalTitle: title,
      rating: 7.25,
      votes: 1200 + number,
      genres: ['Drama', 'Crime', 'Comedy'],
      countries: ['DE', 'FR'],
      airDate: '1990-05-06',
      [`${source}Url`]: `https://${source}.example.org/films/${number}`,
      ids: { [source]: String(number), imdb: `tt${7_000_000 + number}` },
    },
    entities: {
      actor: named('person', 20),
      director: named('person', 1),
      genre: named('genre', 3),
      studio: named('studio', 2),
    },
    assets: ['poster', 'backdrop'].map((type) => ({
      ...{ type, uri: `https://${source}.example.org/${type}${number}.jpg`, source },
    })) as Identification['assets'] & object,
    confidence: 0.95,
    match: { id: String(number) },
  };
}
