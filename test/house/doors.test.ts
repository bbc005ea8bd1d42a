/** A door is narrow: a part that exports many names is many parts, or shows what it should hide. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** The names that an `index.ts` may export. */
const mostNames = 40;

/** Doors with a limit of their own, and why. */
const ownLimits: Readonly<Record<string, number>> = {
  // A published SDK: an app writes each of these names, most of them types of its state.
  'packages/app/client/index.ts': 42,
};

/** The contract of plugin-api is public and is not counted. */
const doors = execFileSync('git', ['ls-files', '-z', 'kernel', 'src', 'packages'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => path.basename(file) === 'index.ts');

const isName = (name: string): boolean => name.trim() !== '';

/** Counts the exported names of a text; each name of a list counts. */
function namesOf(text: string): number {
  const code = text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const lists = [...code.matchAll(/^export\s+(?:type\s+)?\{(.*?)\}/gms)].flatMap(([, names = '']) =>
    names.split(',').filter(isName),
  );
  const declared = code.match(
    /^export\s+(?:(?:default|declare|abstract|async)\s+)*(?:const|let|function|class|interface|type|enum)\b(?!\s*\{)/gm,
  );
  return lists.length + (declared?.length ?? 0);
}

const textOf = (door: string): string => readFileSync(path.join(root, door), 'utf8');

test('a name of a list, of a type list and of a declaration counts', () => {
  const text = [
    '/** export const inComment = 1; */',
    "export { a, type B } from './a.ts';",
    "export type { C } from './c.ts';",
    'export {',
    '  d,',
    '  e as f,',
    "} from './d.ts';",
    'export const g = 1;',
    'export type H = string;',
    'export async function i(): Promise<void> {}',
  ].join('\n');

  expect(namesOf(text)).toBe(8);
});

test('each door names what it exports', () => {
  expect(doors.length).toBeGreaterThan(40);
  expect(doors.filter((door) => /^export\s+(?:type\s+)?\*/m.test(textOf(door)))).toEqual([]);
});

test('a door exports few names', () => {
  const wide = doors
    .map((door) => [door, namesOf(textOf(door))] as const)
    .filter(([door, names]) => names > (ownLimits[door] ?? mostNames))
    .map(([door, names]) => `${door} exports ${names} names`);

  expect(wide).toEqual([]);
});

test('a door with a limit of its own needs it', () => {
  const narrow = Object.keys(ownLimits).filter(
    (door) => !doors.includes(door) || namesOf(textOf(door)) <= mostNames,
  );

  expect(narrow).toEqual([]);
});
