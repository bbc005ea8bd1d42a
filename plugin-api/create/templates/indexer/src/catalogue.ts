/** TVmaze over HTTP. Its answers are untrusted: each part is checked before it is used. */
import type { Host } from '@vitrine/plugin-api';

/** A series. */
export interface Show {
  readonly id: string;
  readonly name: string;
  readonly year?: number;
  readonly overview?: string;
  readonly url?: string;
}

/** An episode. */
export interface Episode {
  readonly name: string;
  readonly overview?: string;
  /** yyyy-mm-dd */
  readonly airDate?: string;
}

/** The queries. */
export interface Catalogue {
  readonly search: (name: string) => Promise<readonly Show[]>;
  /** `null` = it does not know the episode. */
  readonly episode: (show: string, season: number, number: number) => Promise<Episode | null>;
}

const address = 'https://api.tvmaze.com';
const aWeek = 7 * 24 * 60 * 60;

/** Creates it over the host. The server caches answers, so equal queries are sent once. */
export function createCatalogue(host: Host): Catalogue {
  async function ask(path: string): Promise<unknown> {
    const { status, body } = await host.net.fetch({ url: address + path, maxAge: aWeek });
    if (status === 404) return null;
    if (status === 200) return JSON.parse(body);
    throw Object.assign(new Error(`TVmaze answered ${status}.`), { code: 'not_now' });
  }

  return {
    search: async (name) => {
      const answer = await ask(`/search/shows?q=${encodeURIComponent(name)}`);
      if (!Array.isArray(answer)) return [];
      return answer.flatMap((hit: unknown) => (isObject(hit) ? toShow(hit['show']) : []));
    },
    episode: async (show, season, number) => {
      const path = `/shows/${encodeURIComponent(show)}/episodebynumber`;
      const answer = await ask(`${path}?season=${season}&number=${number}`);
      return isObject(answer) ? toEpisode(answer) : null;
    },
  };
}

/** The source is unavailable or limits the rate: these codes say nothing about a file. */
const notNow = new Set(['not_now', 'net_unreachable', 'net_timeout', 'quota_exceeded']);

/** Whether a later attempt may succeed. */
export const isNotNow = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && notNow.has(String(error.code));

function toShow(value: unknown): readonly Show[] {
  if (!isObject(value)) return [];
  const { id, name, premiered, summary, url } = value;
  if (typeof id !== 'number' || typeof name !== 'string' || name === '') return [];
  const year = Number(/^(\d{4})-/.exec(String(premiered))?.[1] ?? Number.NaN);
  const overview = plainText(summary);
  return [
    {
      id: String(id),
      name,
      ...(Number.isFinite(year) && { year }),
      ...(overview !== '' && { overview }),
      ...(typeof url === 'string' && /^https?:/.test(url) && { url }),
    },
  ];
}

function toEpisode({ name, summary, airdate }: Readonly<Record<string, unknown>>): Episode | null {
  if (typeof name !== 'string' || name === '') return null;
  const overview = plainText(summary);
  const isDate = typeof airdate === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(airdate);
  return { name, ...(overview !== '' && { overview }), ...(isDate && { airDate: airdate }) };
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Converts its HTML summaries to text. */
function plainText(html: unknown): string {
  if (typeof html !== 'string') return '';
  const text = html.replace(/<[^>]*>/g, '');
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity).trim();
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
