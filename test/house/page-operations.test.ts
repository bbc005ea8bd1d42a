/** Every operation of the API that people need is called by a page (design/web.md 5.9, check 18). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { apiOperations, withoutPage, type Operation } from '../support/pages/operations.ts';

const pages = path.resolve(import.meta.dirname, '../../packages/web');

/**
 * What a page names: `call('get', '/api/items')`, or a route in another text. Pages of the web app read what
 * they name so; `null` = any method may be meant.
 */
interface Named {
  readonly methods: readonly string[] | null;
  readonly route: string;
  /** In a `call`, whose method is known. */
  readonly isCall: boolean;
}

function namedRoutes(text: string): readonly Named[] {
  const calls = /\bcall\(\s*([^,]+),\s*(['`])(\/[^'`]*)\2/g;
  const named: Named[] = [];
  const rest = text.replaceAll(calls, (_whole, given: string, _quote, route: string) => {
    const methods = [...given.matchAll(/'(\w+)'/g)].map(([, method = '']) => method);
    named.push({ methods: methods.length > 0 ? methods : null, route, isCall: true });
    return '';
  });
  for (const [, , route = ''] of rest.matchAll(/(['`"])(\/(?:api|metrics)\b[^'`"]*)\1/g))
    named.push({ methods: ['get'], route, isCall: false });
  return named;
}

/** `/api/items/{id}` and `/api/items/${item.id}?x` are one pattern. */
const patternOf = (route: string): string =>
  route.replace(/\?.*$/, '').replaceAll(/\$\{[^}]*\}|\{[^}]*\}/g, '*');

/** A part that a page puts in may be a word of the route: `/api/plugins/{id}/${verb}`. */
function fits(named: string, route: string): boolean {
  const [own, other] = [named.split('/'), route.split('/')];
  return own.length === other.length && own.every((part, at) => part === '*' || part === other[at]);
}

describe('the operations of the API', () => {
  test('are each called by a page, or are in the list of those that need none', async () => {
    const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !name.includes('.test.'),
    );
    const named = files
      .flatMap((name) => namedRoutes(readFileSync(path.join(pages, name), 'utf8')))
      .map((one) => ({ ...one, route: patternOf(one.route) }));
    const all = await apiOperations();
    const isNamed = ({ method, route }: Operation, among: readonly Named[]): boolean =>
      among.some(
        (one) => one.methods?.includes(method) !== false && fits(one.route, patternOf(route)),
      );

    expect(named.length).toBeGreaterThan(150);
    const missing = all.filter((one) => !isNamed(one, named) && withoutPage[one.id] === undefined);
    expect(missing.map(({ id }) => id)).toEqual([]);
    const calls = named.filter(({ isCall }) => isCall);
    const needless = Object.keys(withoutPage).filter((id) =>
      all.every((one) => one.id !== id || isNamed(one, calls)),
    );
    expect(needless).toEqual([]);
  });
});
