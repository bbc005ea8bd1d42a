/** The catalogue that `examples/film-index` asks, as its README describes it, on the loopback. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson, startHttpSource, type HttpSource } from '../servers/http-source.ts';

/** An entry of a shelf; what a search answers with, and more. */
export interface CatalogueEntry {
  readonly id: string;
  readonly title: string;
  readonly [key: string]: unknown;
}

/** What is on the shelves. Parts stand under their path: `series:1/seasons/1/episodes/2`. */
export interface Shelves {
  readonly films?: readonly CatalogueEntry[];
  readonly series?: readonly CatalogueEntry[];
  readonly albums?: readonly CatalogueEntry[];
  readonly parts?: Readonly<Record<string, CatalogueEntry>>;
}

/** A catalogue that can be put out of order. */
export interface Catalogue extends HttpSource {
  /** From now on it answers every request with this status; `null` = as it should. */
  readonly failWith: (status: number | null) => void;
}

/** The key that it wants to see. */
export const catalogueKey = 'open sesame';

const searchFields = ['id', 'title', 'originalTitle', 'otherTitles', 'year', 'artist'].concat(
  ...['overview', 'url', 'image'],
);

/** Starts it, on a free port or the one that is named. */
export async function startCatalogue(shelves: Shelves, port = 0): Promise<Catalogue> {
  let failure: number | null = null;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (failure !== null) {
      sendJson(response, { error: 'out of order' }, {}, failure);
      return;
    }
    if (request.headers['x-api-key'] !== catalogueKey) {
      sendJson(response, {}, {}, 401);
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://catalogue');
    const found = find(pathname, searchParams.get('q'));
    if (found === undefined) sendJson(response, { error: 'no such thing' }, {}, 404);
    else sendJson(response, found, { 'cache-control': 'max-age=60' });
  }

  function find(pathname: string, q: string | null): unknown {
    const [, shelf = '', id, ...part] = decodeURIComponent(pathname).split('/');
    const entries = Object.entries(shelves).find(([name]) => name === shelf)?.[1] as unknown;
    if (!Array.isArray(entries)) return undefined;
    const list = entries as readonly CatalogueEntry[];
    if (id === undefined) return { results: list.filter((one) => isLike(one, q ?? '')).map(brief) };
    if (part.length > 0) return shelves.parts?.[[id, ...part].join('/')];
    return list.find((one) => one.id === id);
  }

  const source = await startHttpSource(answer, port);
  return {
    ...source,
    failWith: (status) => {
      failure = status;
    },
  };
}

/** One word in common will do, as in catalogues that mean well. */
function isLike({ title, otherTitles }: CatalogueEntry, q: string): boolean {
  const words = new Set(
    wordsOf(`${title} ${Array.isArray(otherTitles) ? otherTitles.join(' ') : ''}`),
  );
  return wordsOf(q).some((word) => words.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function brief(entry: CatalogueEntry): object {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => searchFields.includes(key)));
}
