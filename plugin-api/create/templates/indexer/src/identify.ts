import type { Identification, IndexCandidate, IndexFile } from '@vitrine/plugin-api';
import type { Catalogue, Show } from './catalogue.ts';

/** What the name of an episode's file says about it. */
interface Wanted {
  readonly series: string;
  readonly season: number;
  readonly episode: number;
  readonly year?: number;
}

/** Identifies a file; `null` = unknown. */
export async function identify(
  { known, match }: IndexFile,
  catalogue: Catalogue,
): Promise<Identification | null> {
  const wanted = wantedIn(known?.metadata ?? {});
  if (wanted === null) return null;
  // A person's choice is final.
  const found = match ? { id: match.id, confidence: 1 } : await bestShow(wanted, catalogue);
  if (found === null) return null;
  const episode = await catalogue.episode(found.id, wanted.season, wanted.episode);
  if (episode === null) return null;
  const { name, overview, airDate } = episode;
  return {
    title: name,
    metadata: { ...(overview && { overview }), ...(airDate && { airDate }) },
    confidence: found.confidence,
    match: { id: found.id },
  };
}

/** The confidence that a series is the right one. Below 0.6 a server only offers it to people. */
export function confidenceOf(
  show: Show,
  { series, year }: { readonly series: string; readonly year?: number | undefined },
): number {
  if (plain(show.name) !== plain(series)) return 0.3;
  if (year === undefined || show.year === undefined) return 0.8;
  return Math.abs(year - show.year) <= 1 ? 1 : 0.4;
}

/** A series as a candidate for a person. */
export const candidateOf = (show: Show, confidence: number): IndexCandidate => ({
  id: show.id,
  title: show.name,
  confidence,
  ...(show.year !== undefined && { year: show.year }),
  ...(show.overview !== undefined && { overview: show.overview }),
  ...(show.url !== undefined && { url: show.url }),
});

async function bestShow(wanted: Wanted, catalogue: Catalogue) {
  const shows = await catalogue.search(wanted.series);
  const rated = shows
    .map((show) => ({ id: show.id, confidence: confidenceOf(show, wanted) }))
    .sort((one, other) => other.confidence - one.confidence);
  const [best, second] = rated;
  if (best === undefined) return null;
  // With two equally good candidates, either may be wrong.
  const isTie = second !== undefined && second.confidence === best.confidence;
  return isTie ? { ...best, confidence: Math.min(best.confidence, 0.5) } : best;
}

function wantedIn(metadata: Readonly<Record<string, unknown>>): Wanted | null {
  const { series, season, episode, year } = metadata;
  if (typeof series !== 'string' || !isCount(season) || !isCount(episode)) return null;
  return { series, season, episode, ...(isCount(year) && { year }) };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

/** Without case, accents and punctuation. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
