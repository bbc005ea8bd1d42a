import { known, toLine, toText, type Finding } from '../findings/finding.ts';
import { textOf, type XmlElement } from '../xml/xml-element.ts';
import { picturesIn } from './nfo-artwork.ts';
import { commonEntities, commonFields } from './nfo-common.ts';
import { isLocked } from './nfo-locks.ts';
import { idsOf } from './nfo-ids.ts';
import { toCount, toDecimal, toDuration } from './nfo-values.ts';

/**
 * What the NFO says of the episodes in one file, in their order. The first gives the numbers, dates
 * and ids; titles and plots are joined.
 */
export function readEpisodes(elements: readonly XmlElement[]): Finding {
  const [first, ...others] = elements;
  if (first === undefined) return {};
  const fields = fieldsOf(first);
  if (others.length === 0) return { ...restOf(first), fields };
  const all = [fields, ...others.map(fieldsOf)];
  const rests = elements.map(restOf);
  return {
    ...restOf(first),
    fields: {
      ...fields,
      ...known({
        title: toLine(joined(all, 'title', ' / ')),
        overview: toText(joined(all, 'overview', '\n\n')),
        episodes: [...new Set(all.map(({ episode }) => episode).filter(isNumber))].sort(ascending),
        duration:
          all.reduce((sum, { duration }) => sum + (isNumber(duration) ? duration : 0), 0) ||
          undefined,
      }),
    },
    entities: together(rests),
    isLocked: rests.some((rest) => rest.isLocked),
  };
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const ascending = (a: number, b: number): number => a - b;

/** `3`, `3/12`, and `13.5` for a recap between two episodes. */
const toEpisode = (text: string | undefined): number | undefined =>
  toCount(text) ?? toDecimal(text);

function fieldsOf(element: XmlElement): Record<string, unknown> {
  return {
    ...commonFields(element),
    ...known({
      series: toLine(textOf(element, 'showtitle')),
      season: toCount(textOf(element, 'season')),
      episode: toEpisode(textOf(element, 'episode')),
      absoluteEpisode: toEpisode(textOf(element, 'absolute_number', 'absolutenumber')),
      duration: toDuration(textOf(element, 'runtime')),
    }),
  };
}

function restOf(element: XmlElement): Finding {
  return {
    ids: idsOf(element),
    entities: commonEntities(element),
    assets: picturesIn(element, 'thumb'),
    isLocked: isLocked(element),
  };
}

/** The different texts of one field, in their order. */
function joined(
  all: readonly Readonly<Record<string, unknown>>[],
  key: string,
  separator: string,
): string {
  const texts = all.map((fields) => fields[key]).filter((text) => typeof text === 'string');
  return [...new Set(texts)].join(separator);
}

/** The entities of all episodes, each name once in a role. */
function together(findings: readonly Finding[]): NonNullable<Finding['entities']> {
  const roleNames = new Set(findings.flatMap(({ entities = {} }) => Object.keys(entities)));
  return Object.fromEntries(
    [...roleNames].map((role) => {
      const all = findings.flatMap(({ entities = {} }) => entities[role] ?? []);
      return [
        role,
        [...new Map(all.toReversed().map((one) => [one.name, one])).values()].reverse(),
      ];
    }),
  );
}
