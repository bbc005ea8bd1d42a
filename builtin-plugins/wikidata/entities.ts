/** Entities of Wikidata: asked for many at once, and read without trust in their form. */
import { NotNow, type Ask } from '../catalogue-lookup/ask.ts';
import { firstText, languageIn } from '../catalogue-lookup/languages.ts';
import { idOf, partOf, partsOf, textOf, yearOf, type Part } from '../catalogue-lookup/values.ts';

/** Entities by id. */
export type Entities = ReadonlyMap<string, Part>;

/** Whole entities are large, and a reply has 4 MiB at most. */
const wholeAtOnce = 8;
const labelsAtOnce = 50;

export const isItemId = (id: unknown): id is string =>
  typeof id === 'string' && /^Q[1-9]\d{0,15}$/.test(id);

/** Parts of at most so many. */
export const portions = <One>(all: readonly One[], most: number): readonly (readonly One[])[] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) =>
    all.slice(at * most, (at + 1) * most),
  );

/** The pages of a reply to a question for titles; there is one for each title, also if it is missing. */
export function pagesOf(reply: unknown): readonly Part[] {
  const { pages } = partOf(partOf(reply)['query']);
  if (!Array.isArray(pages)) throw new NotNow('The catalogue answers without pages.');
  return partsOf(pages);
}

/** Whole entities; the ones that are missing are left out. */
export const wholeEntities = (
  ids: readonly string[],
  ask: Ask,
  languages: readonly string[],
): Promise<Entities> =>
  entities(ids, ask, {
    props: 'labels|aliases|claims|sitelinks',
    languages,
    atOnce: wholeAtOnce,
  });

/** Entities with their labels only. */
export const labelledEntities = (
  ids: readonly string[],
  ask: Ask,
  languages: readonly string[],
): Promise<Entities> => entities(ids, ask, { props: 'labels', languages, atOnce: labelsAtOnce });

async function entities(
  ids: readonly string[],
  ask: Ask,
  { props, languages, atOnce }: { props: string; languages: readonly string[]; atOnce: number },
): Promise<Entities> {
  const wanted = [...new Set(ids)];
  const replies = await Promise.all(
    portions(wanted, atOnce).map((portion) =>
      ask(
        `/w/api.php?action=wbgetentities&format=json&formatversion=2&ids=${portion.join('%7C')}&props=${encodeURIComponent(props)}&languages=${[...languages, 'mul'].join('%7C')}`,
      ),
    ),
  );
  const found = replies.flatMap((reply) => Object.entries(partOf(partOf(reply)['entities'])));
  return new Map(
    found
      .map(([id, one]) => [id, partOf(one)] as const)
      .filter(([id, one]) => isItemId(id) && one['missing'] === undefined),
  );
}

/** The label in the first language that has one; `mul` is for names that are alike in many. */
export function labelOf(
  entity: Part | undefined,
  languages: readonly string[],
): string | undefined {
  const labels = partOf(entity?.['labels']);
  return firstText([...languages, 'mul'], (language) => partOf(labels[language])['value']);
}

/** The label in a language, with or without its region. */
export function labelIn(entity: Part, tag: string): string | undefined {
  const labels = partOf(entity['labels']);
  return firstText([tag, languageIn(tag)], (language) => partOf(labels[language])['value']);
}

/** All labels and aliases, in any language that is known of the entity. */
export function titlesOf(entity: Part): readonly string[] {
  const labels = Object.values(partOf(entity['labels']));
  const aliases = Object.values(partOf(entity['aliases'])).flatMap(partsOf);
  const titles = [...labels, ...aliases].flatMap((one) => textOf(partOf(one)['value']) ?? []);
  return [...new Set(titles)].slice(0, 200);
}

/** The values of a property, the preferred ones first, without those that are out of date. */
export function valuesOf(entity: Part, property: string): readonly unknown[] {
  const claims = partsOf(partOf(entity['claims'])[property]).filter(
    ({ rank }) => rank !== 'deprecated',
  );
  const preferred = claims.filter(({ rank }) => rank === 'preferred');
  const rest = claims.filter(({ rank }) => rank !== 'preferred');
  return [...preferred, ...rest].map(
    ({ mainsnak }) => partOf(partOf(mainsnak)['datavalue'])['value'],
  );
}

/** The ids of the items that a property names. */
export const itemsOf = (entity: Part, property: string): readonly string[] =>
  valuesOf(entity, property)
    .map((value) => partOf(value)['id'])
    .filter(isItemId);

/** A text, an id or the name of a file. */
export const plainOf = (entity: Part, property: string): string | undefined =>
  idOf(valuesOf(entity, property)[0]);

/** The earliest year of a date such as `+1995-12-15T00:00:00Z`. */
export function yearIn(entity: Part, property: string): number | undefined {
  const years = valuesOf(entity, property).flatMap((value) => {
    const time = textOf(partOf(value)['time'])?.replace(/^\+/, '');
    return yearOf(time) ?? [];
  });
  return years.length === 0 ? undefined : Math.min(...years);
}
