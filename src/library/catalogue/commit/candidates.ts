/** Validates the candidates that plugins offer: an answer comes from an isolate. */
import type { MatchCandidate } from '../../../contract/resources/library/matches.ts';

/** A candidate as its plugin offers it. */
export type Offer = Omit<MatchCandidate, 'pluginId' | 'pluginName'>;

const longestMatchId = 200;
const longestTitle = 1000;
const longestOverview = 5000;
const longestUrl = 8192;

/** How many candidates of one plugin are kept for an item. */
const mostKept = 8;
const longestKeptOverview = 500;

/** What each file of an answer to `indexer.index` may be; empty where the plugin offers nothing. */
export function parseOffers(answer: unknown, count: number): readonly (readonly Offer[])[] {
  const offers = isMap(answer) ? answer['candidates'] : undefined;
  const list: readonly unknown[] = Array.isArray(offers) ? offers : [];
  return Array.from({ length: count }, (_, at) => parseKept(list[at]));
}

/** The candidates of one plugin, as they are kept with an item. */
export function parseKept(candidates: unknown): readonly Offer[] {
  const offers = parseCandidates({ candidates }, mostKept) ?? [];
  return offers.map((one) => ({
    ...one,
    overview: one.overview?.slice(0, longestKeptOverview) ?? null,
  }));
}

/** The candidates of an answer to `indexer.search`; `null` when it is not a list. */
export function parseCandidates(answer: unknown, limit: number): readonly Offer[] | null {
  const candidates = isMap(answer) ? answer['candidates'] : undefined;
  if (!Array.isArray(candidates)) return null;
  const list: readonly unknown[] = candidates;
  return list.slice(0, limit).flatMap(parseCandidate);
}

function parseCandidate(value: unknown): readonly Offer[] {
  if (!isMap(value)) return [];
  const { id, title, year, overview, url, imageUrl, confidence } = value;
  if (!isText(id, longestMatchId) || !isText(title, longestTitle)) return [];
  return [
    {
      id,
      title,
      year:
        Number.isInteger(year) && Number(year) > 0 && Number(year) < 10_000 ? Number(year) : null,
      overview: typeof overview === 'string' ? overview.slice(0, longestOverview) : null,
      url: isWebUrl(url) ? url : null,
      imageUrl: isWebUrl(imageUrl) ? imageUrl : null,
      confidence: typeof confidence === 'number' ? Math.min(1, Math.max(0, confidence)) : 0,
    },
  ];
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= longest;
}

function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestUrl && /^https?:\/\/\S+$/.test(value);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
