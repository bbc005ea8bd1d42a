import { AppError } from '../../errors.ts';
import type { RatingLimit } from '../sight.ts';
import { keyOf, readers, type Reader } from './reading.ts';

const longest = 60;
const mostNamed = 12;

/**
 * Reads `PG-13`, `FSK 12`, `FSK:12`, `DE:12`. A refusal names what the text could mean: `12` is a
 * step of many systems, and to guess one would show to a child what was not meant for it.
 */
export function parseRatingLimit(text: string, field = 'maxRating'): RatingLimit {
  const found = text.length > longest ? [] : meanings(text);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const quoted = JSON.stringify(text.slice(0, longest));
  const what =
    only === undefined
      ? `${field}: ${quoted} is no rating that is known; write one such as PG-13, TV-14, FSK 12 or BBFC 15.`
      : `${field}: ${quoted} is a rating of several systems; write one of ${namesOf(found)}.`;
  throw new AppError('invalid_request', { what });
}

/** A limit as text that `parseRatingLimit` reads back. */
export const limitText = ({ system, label }: RatingLimit): string => `${system} ${label}`;

const namesOf = (limits: readonly RatingLimit[]): string =>
  [...limits.slice(0, mostNamed).map(limitText), ...(limits.length > mostNamed ? ['…'] : [])].join(
    ', ',
  );

/** With the system first; then as a system writes it, to the letter; then in any spelling. */
function meanings(text: string): readonly RatingLimit[] {
  const key = keyOf(text);
  const named = limitsWhere((reader) => reader.named.get(key));
  if (named.length > 0) return named;
  const spelled = text.trim().toUpperCase();
  const exact = limitsWhere(({ system: { rungs } }) => {
    const place = rungs.findIndex(({ label, aliases }) =>
      [label, ...aliases].some((one) => one.toUpperCase() === spelled),
    );
    return place < 0 ? undefined : place;
  });
  return exact.length > 0 ? exact : limitsWhere((reader) => reader.bare.get(key));
}

function limitsWhere(place: (reader: Reader) => number | undefined): readonly RatingLimit[] {
  return [...readers.values()].flatMap((reader) => {
    const rung = reader.system.rungs[place(reader) ?? -1];
    return rung === undefined ? [] : [{ system: reader.system.id, label: rung.label }];
  });
}
