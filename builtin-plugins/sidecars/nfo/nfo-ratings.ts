import { childOf, childrenOf, textOf, type XmlElement } from '../xml/xml-element.ts';
import { toDecimal, toNumber } from './nfo-values.ts';

/** A rating of 0 to 10, and the number of votes. */
export interface Rating {
  readonly rating?: number;
  readonly votes?: number;
}

/** `<ratings><rating name max default>` of Kodi, else `<rating>` and `<votes>`. */
export function ratingOf(element: XmlElement): Rating {
  const ratings = childOf(element, 'ratings');
  const list = ratings === undefined ? [] : childrenOf(ratings, 'rating');
  const chosen = list.find(({ attributes }) => attributes.get('default') === 'true') ?? list[0];
  if (chosen !== undefined) {
    const scaled = scale(toDecimal(textOf(chosen, 'value') ?? chosen.text), chosen);
    if (scaled !== undefined) return toRating(scaled, textOf(chosen, 'votes'));
  }
  const plain = childOf(element, 'rating');
  if (plain === undefined) return {};
  const scaled = scale(toDecimal(plain.text), plain);
  return scaled === undefined ? {} : toRating(scaled, textOf(element, 'votes'));
}

function scale(value: number | undefined, { attributes }: XmlElement): number | undefined {
  const max = toDecimal(attributes.get('max')) ?? 10;
  const scaled = value === undefined || max <= 0 ? undefined : (value / max) * 10;
  return scaled === undefined || scaled <= 0 || scaled > 10
    ? undefined
    : Math.round(scaled * 100) / 100;
}

function toRating(rating: number, votes: string | undefined): Rating {
  const count = toNumber(votes);
  return count === undefined || count <= 0 ? { rating } : { rating, votes: Math.round(count) };
}
