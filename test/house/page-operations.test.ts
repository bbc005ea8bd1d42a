/** Every operation of the API that people need is called by a page (design/web.md 5.9, check 18). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { apiOperations, withoutPage, type Operation } from '../support/pages/operations.ts';

const pages = path.resolve(import.meta.dirname, '../../packages/app/web');

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

const files = readdirSync(pages, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
  .map((name) => ({ name, text: readFileSync(path.join(pages, name), 'utf8') }));

/** A declaration at the top of a file, such as a component. */
interface Declared {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

const declared: readonly Declared[] = files.flatMap(({ name: file, text }) =>
  text
    .split(/^(?=(?:export )?(?:default )?(?:async )?(?:function|const|let|class) )/m)
    .slice(1)
    .map((part) => ({
      file,
      name: /(?:function|const|let|class) (\w+)/.exec(part)?.[1] ?? '',
      text: part,
    })),
);

const textOf = new Map(files.map(({ name, text }) => [name, text]));

/** The declarations that name this one, or load its file where it is what that file is for. */
function usersOf({ file, name, text }: Declared): readonly Declared[] {
  const whole = new RegExp(`\\b${name}\\b`);
  const from = `/${path.basename(file)}'`;
  const isDefault = text.startsWith('export default');
  return declared.filter((one) => {
    if (one.file === file) return one.name !== name && whole.test(one.text);
    if (!text.startsWith('export') || textOf.get(one.file)?.includes(from) !== true) return false;
    return isDefault ? one.text.includes(from) : whole.test(one.text);
  });
}

/** Pages for admins ask for the role in their frame. */
const isOpen = ({ file }: Declared): boolean => !file.startsWith('pages/admin/');

/** What says that the person has the role that an operation needs. */
const gates: Readonly<Record<string, RegExp>> = { user: /\bisUser\b/, admin: /\bisAdmin\b/ };

/** Declarations that only what was asked for the role leads to, and where it was asked. */
const askedBefore: Readonly<Record<string, string>> = {
  runAction: 'usePieces and PluginPiece give guests no action, and no form that sends',
};

/** The ways to a declaration on which nothing asks for the role; each from the declaration up to a page. */
function openWays(one: Declared, gate: RegExp, way: readonly Declared[] = []): readonly string[] {
  if (
    !isOpen(one) ||
    gate.test(one.text) ||
    askedBefore[one.name] !== undefined ||
    way.includes(one)
  )
    return [];
  const users = usersOf(one);
  const past = [...way, one];
  if (users.length === 0 || users.some(({ file }) => file === 'routes.ts'))
    return [past.map(({ file, name }) => `${file} ${name}`).join(' < ')];
  return users.flatMap((user) => openWays(user, gate, past));
}

const all = await apiOperations();

const isNamed = ({ method, route }: Operation, among: readonly Named[]): boolean =>
  among.some(
    (one) =>
      one.methods?.includes(method) !== false && fits(patternOf(one.route), patternOf(route)),
  );

describe('the operations of the API', () => {
  test('that a role may not call are asked for only where the page asks for that role', () => {
    const open = declared.filter(isOpen).flatMap((one) => {
      const calls = namedRoutes(one.text).filter(({ isCall }) => isCall);
      const refused = all.filter(
        ({ role, ...rest }) => gates[role] && isNamed({ role, ...rest }, calls),
      );
      return refused.flatMap(({ id, role }) => {
        const gate = gates[role];
        return gate === undefined ? [] : openWays(one, gate).map((way) => `${id}: ${way}`);
      });
    });

    expect(open).toEqual([]);
  });

  test('are each called by a page, or are in the list of those that need none', () => {
    const named = files.flatMap(({ text }) => namedRoutes(text));

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
