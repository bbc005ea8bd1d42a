import { AppError } from '../../platform/errors.ts';
import type { RatingLimit } from './admission.ts';
import { keyOf, readers, type Reader } from './read-certification.ts';

const longest = 60;
const mostNamed = 12;

/**
 * Parses `PG-13`, `FSK 12`, `FSK:12`, `DE:12`. An ambiguous text is refused with the possible
 * meanings: `12` is a level of many systems, and a wrong guess could show a child unsuitable items.
 */
export function parseRatingLimit(text: string, field = 'maxRating'): RatingLimit {
  const found = text.length > longest ? [] : meanings(text);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const quoted = JSON.stringify(text.slice(0, longest));
  const what =
    only === undefined
      ? `${field}: ${quoted} is not a known rating; write one such as PG-13, TV-14, FSK 12 or BBFC 15.`
      : `${field}: ${quoted} is a rating of several systems; write one of ${namesOf(found)}.`;
  throw new AppError('invalid_request', { what });
}

/**
 * A rating that several systems have, such as `PG`, with the name of the only one of the country
 * (ISO 3166-1); any other text as it is.
 */
export function ratingIn(country: string | null, text: string): string {
  const found = country === null || text.length > longest ? [] : meanings(text);
  if (country === null || found.length < 2) return text;
  const [only, ...others] = found.filter(({ system }) =>
    readers.get(system)?.system.countries.some((one) => keyOf(one) === keyOf(country)),
  );
  return only === undefined || others.length > 0 ? text : limitText(only);
}

/** The text of a limit, which `parseRatingLimit` reads back. */
export const limitText = ({ system, label }: RatingLimit): string => `${system} ${label}`;

const namesOf = (limits: readonly RatingLimit[]): string =>
  [...limits.slice(0, mostNamed).map(limitText), ...(limits.length > mostNamed ? ['…'] : [])].join(
    ', ',
  );

/** Tries a label with its system first, then the exact spelling of a system, then any spelling. */
function meanings(text: string): readonly RatingLimit[] {
  const key = keyOf(text);
  const named = limitsWhere((reader) => reader.named.get(key));
  if (named.length > 0) return named;
  const spelled = text.trim().toUpperCase();
  const exact = limitsWhere(({ system: { levels } }) => {
    const index = levels.findIndex(({ label, aliases }) =>
      [label, ...aliases].some((one) => one.toUpperCase() === spelled),
    );
    return index < 0 ? undefined : index;
  });
  return exact.length > 0 ? exact : limitsWhere((reader) => reader.bare.get(key));
}

function limitsWhere(index: (reader: Reader) => number | undefined): readonly RatingLimit[] {
  return [...readers.values()].flatMap((reader) => {
    const level = reader.system.levels[index(reader) ?? -1];
    return level === undefined ? [] : [{ system: reader.system.id, label: level.label }];
  });
}
