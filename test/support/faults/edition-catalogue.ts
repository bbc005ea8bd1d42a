/** A catalogue on the loopback whose answers name their edition, and the indexers that ask it. */
import type { PluginText } from '../../faults/write-plugin.ts';
import { sendJson, startHttpSource } from '../servers/http-source.ts';

/** A moment of an edition, by the questions that were asked of it. */
export interface EditionMoment {
  /** Resolves when half of its questions were asked. */
  readonly half: Promise<void>;
  /** Resolves when all of them were asked. */
  readonly reached: Promise<void>;
}

export interface EditionCatalogue {
  readonly url: string;
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** Begins an edition that answers so many questions; those beyond wait for ever. */
  readonly nextEdition: (questions: number) => EditionMoment;
  /** Answers all questions from now on, from the present edition, and gives its number. */
  readonly lastEdition: () => number;
  readonly close: () => Promise<void>;
}

/** Starts it. */
export async function editionCatalogue(): Promise<EditionCatalogue> {
  let edition = 0;
  let asked = 0;
  let questions = Infinity;
  let moments: readonly { readonly at: number; readonly tell: () => void }[] = [];
  const source = await startHttpSource((request, response) => {
    asked += 1;
    for (const { at, tell } of moments) if (asked >= at) tell();
    if (asked <= questions) sendJson(response, sayOf(request.url ?? '', edition));
  });
  const momentAt = (at: number): Promise<void> =>
    new Promise((tell) => {
      moments = [...moments, { at, tell }];
    });
  return {
    ...source,
    nextEdition: (most) => {
      [edition, asked, questions, moments] = [edition + 1, 0, most, []];
      return { half: momentAt(Math.ceil(most / 2)), reached: momentAt(most) };
    },
    lastEdition: () => {
      questions = Infinity;
      return edition;
    },
  };
}

/** What it says at `/<source>/<title or id of an entry>`. */
function sayOf(url: string, edition: number): object {
  const [source = '', name = ''] = url.slice(1).split('/').map(decodeURIComponent);
  return { says: `${source} on ${name}, edition ${edition}` };
}

/** An indexer that asks one question a film; the `first` one knows actors, others a genre. */
export const editionIndexer = (id: string, url: string): PluginText => ({
  id,
  capabilities: ['indexer'],
  capabilityConfig: { indexer: { stages: ['full'] } },
  permissions: { net: ['127.0.0.1'], metadata: 'write' },
  further: { mediaTypes: ['movies'], resources: { netRequestsPerSecond: { '*': 1000 } } },
  definition: `methods: {
    'indexer.supports': ({ libraryType }) => libraryType === 'movies',
    'indexer.index': async ({ files }, host) => {
      const results = await Promise.all(files.map(async ({ known, match }) => {
        const entry = match?.id ?? known.title;
        const url = '${url}/${id}/' + encodeURIComponent(entry);
        const { says } = JSON.parse((await host.net.fetch({ url, maxAge: 0 })).body);
        const number = Number(known.title.split(' ')[1]);
        const name = match ? 'Actor of the choice' : 'Actor ' + (number % 7);
        const entity = { status: 'complete', source: '${id}' };
        return {
          title: known.title,
          confidence: 0.9,
          match: { id: entry },
          ...('${id}' === 'first'
            ? { metadata: { tagline: says }, entities: { actor: [{ ...entity, name, type: 'person' }] } }
            : { metadata: { overview: says }, entities: { genre: [{ ...entity, name: 'Drama', type: 'genre' }] } }),
        };
      }));
      return { results, later: [] };
    },
  }`,
});
