/**
 * Answers a query in steps, each more tolerant than the last; the first step with a hit answers: the
 * words with the last one as a prefix, then every word as a prefix, then words within one edit for
 * those that the index does not have. Most queries end after the first step, which is one host call.
 */
import type { Host, SearchQueryInput, SearchQueryResult, TextHit } from '../../plugin-api/index.ts';
import { createConfidence, type Confidence, type SoughtWord } from './confidence.ts';
import { entityIdOf } from './documents.ts';
import { foldWord, queryWords, spellingsOf } from './words.ts';

interface Term {
  readonly text: string;
  readonly prefix: boolean;
  readonly alternatives: readonly string[];
}

interface Found {
  readonly items: readonly TextHit[];
  readonly itemsTotal: number;
  readonly entities: readonly TextHit[];
}

const usualEntities = 20;
const mostEntities = 200;
/** Entities have one document for each library, and are counted once. */
const hitsPerEntity = 1.5;
const mostSimilar = 8;
const nothing: SearchQueryResult = { items: [], itemsTotal: 0, entities: [] };

/** `search.query`: searches the present index, also during an update. */
export async function query(input: SearchQueryInput, host: Host): Promise<SearchQueryResult> {
  const words = queryWords(input.q);
  if (words.length === 0 || input.scopes?.length === 0) return nothing;
  const exact = words.map((text, index) => termOf(text, index === words.length - 1));
  const found = await ask(host, input, exact);
  if (hasHits(found)) return answer(found, exact, input);
  const open = words.map((text) => termOf(text, true));
  if (words.length > 1) {
    const opened = await ask(host, input, open);
    if (hasHits(opened)) return answer(opened, open, input);
  }
  const forgiving = await forgive(host, exact);
  if (forgiving === undefined) return nothing;
  const near = await ask(host, input, forgiving);
  return hasHits(near) ? answer(near, forgiving, input) : nothing;
}

function termOf(text: string, isLast: boolean): Term {
  return { text, prefix: isLast && foldWord(text) !== '', alternatives: spellingsOf(text) };
}

async function ask(host: Host, input: SearchQueryInput, terms: readonly Term[]): Promise<Found> {
  const { scopes, limit } = input;
  const kinds = [
    { kind: 'item', limit },
    { kind: 'entity', limit: Math.ceil(entityLimitOf(input) * hitsPerEntity) },
  ];
  const [items, entities] = (await host.textIndex.queryKinds({ terms, scopes, kinds })).kinds;
  return {
    items: items?.hits ?? [],
    itemsTotal: items?.total ?? 0,
    entities: entities?.hits ?? [],
  };
}

function entityLimitOf({ entityLimit = usualEntities }: SearchQueryInput): number {
  return Math.min(mostEntities, entityLimit);
}

function hasHits({ items, entities }: Found): boolean {
  return items.length > 0 || entities.length > 0;
}

/** The terms with words within one edit; `undefined` when there are none. */
async function forgive(host: Host, terms: readonly Term[]): Promise<readonly Term[] | undefined> {
  let hasChanged = false;
  const forgiven = await Promise.all(
    terms.map(async (term) => {
      const text = foldWord(term.text);
      if (Array.from(text).length < 3) return term;
      const { words } = await host.textIndex.similar({ text, limit: mostSimilar });
      if (words.some((word) => word.text === text)) return term;
      if (words.length === 0) return term;
      hasChanged = true;
      return { ...term, alternatives: [...term.alternatives, ...words.map((word) => word.text)] };
    }),
  );
  return hasChanged ? forgiven : undefined;
}

function answer(
  found: Found,
  sought: readonly SoughtWord[],
  input: SearchQueryInput,
): SearchQueryResult {
  const confidence = createConfidence(sought);
  return {
    items: ranked(found.items, confidence, (id) => id).slice(0, input.limit),
    itemsTotal: found.itemsTotal,
    entities: ranked(found.entities, confidence, entityIdOf).slice(0, entityLimitOf(input)),
  };
}

/** Hits by confidence, equal ones in the index's own order, each id once. */
function ranked(
  hits: readonly TextHit[],
  confidenceOf: Confidence,
  idOf: (documentId: string) => string,
): readonly { readonly id: string; readonly confidence: number }[] {
  const best = new Map<string, number>();
  for (const hit of hits) {
    const id = idOf(hit.id);
    const confidence = confidenceOf(hit.title);
    if ((best.get(id) ?? -1) < confidence) best.set(id, confidence);
  }
  return [...best]
    .map(([id, confidence]) => ({ id, confidence }))
    .sort((a, b) => b.confidence - a.confidence);
}
