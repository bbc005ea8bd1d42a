/** A rule as people write it: `Nineties: year=1990..1999 watched=unwatched sort=rating-desc limit=50`. */
import type { MediaQuery } from '@vitrine/plugin-api';

/** A playlist, and what it has. */
export interface Rule {
  readonly name: string;
  readonly query: Omit<MediaQuery, 'fields' | 'cursor'>;
  readonly limit: number;
}

/** What is wrong with a rule, in words for the person who wrote it. */
export class RuleError extends Error {}

const usualLimit = 100;
const mostItems = 1000;

const texts = ['type', 'genre', 'year', 'rating', 'myRating', 'language', 'addedAfter'] as const;
const sorts = [
  ...(['title', 'addedAt', 'releasedAt', 'year', 'rating', 'duration'] as const),
  ...(['lastPlayedAt', 'playCount', 'random'] as const),
];
const states = ['unwatched', 'started', 'watched'] as const;
const sizes = ['sd', 'hd', '4k'] as const;

/** Reads one line. Throws a {@link RuleError}. */
export function parseRule(line: string): Rule {
  const [, name = '', words = ''] = /^([^:]{1,100}):(.*)$/s.exec(line) ?? [];
  if (name.trim() === '') throw new RuleError(`"${line.slice(0, 60)}" has no name before a colon.`);
  const query: Record<string, unknown> = {};
  let limit = usualLimit;
  for (const [, key = '', quoted, plain] of words.matchAll(/([A-Za-z]+)=(?:"([^"]*)"|(\S+))/g)) {
    const value = quoted ?? plain ?? '';
    if (key === 'limit') limit = limitOf(value);
    else Object.assign(query, condition(key, value));
  }
  return { name: name.trim(), query, limit };
}

function limitOf(value: string): number {
  const limit = Number(value);
  if (Number.isInteger(limit) && limit >= 1 && limit <= mostItems) return limit;
  throw new RuleError(`limit=${value}: right is a number from 1 to ${mostItems}.`);
}

function condition(key: string, value: string): Partial<MediaQuery> {
  if (texts.some((one) => one === key)) return { [key]: value };
  if (key === 'favourite') return { favourite: value === 'yes' };
  if (key === 'watched') return { watched: oneOf(states, key, value) };
  if (key === 'resolution') return { resolution: oneOf(sizes, key, value) };
  if (key !== 'sort')
    throw new RuleError(
      `${key} is not known; known are ${texts.join(', ')}, watched, favourite, resolution, sort and limit.`,
    );
  const [by = '', order = 'asc'] = value.split('-');
  return {
    sortBy: oneOf(sorts, 'sort', by),
    sortOrder: oneOf(['asc', 'desc'] as const, 'sort', order),
  };
}

function oneOf<Word extends string>(words: readonly Word[], key: string, value: string): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new RuleError(`${key}=${value}: right is one of ${words.join(', ')}.`);
}
