import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { splitRanges } from '../../../plugin-api/index.ts';
import { createDiskCalls, type DiskScope } from './disk-calls.ts';

let top: string;

/** `inner` lies in `outer`; `rated` is a link out of `outer`; `films` has two roots. */
beforeAll(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'vitrine-library-links-')));
  for (const folder of ['films', 'more', 'secret', 'pool', 'outer/inner', 'disk'])
    mkdirSync(`${top}/${folder}`, { recursive: true });
  for (const folder of ['films', 'more', 'secret', 'pool', 'outer', 'outer/inner', 'disk'])
    writeFileSync(`${top}/${folder}/film.mkv`, folder);
  const links = {
    'films/same.mkv': 'film.mkv',
    'films/other-root.mkv': '../more/film.mkv',
    'films/secret.mkv': '../secret/film.mkv',
    'films/pool.mkv': '../pool/film.mkv',
    'films/box': '../secret',
    'films/pools': '../pool',
    'more/pool.mkv': '../pool/film.mkv',
    'outer/to-inner.mkv': 'inner/film.mkv',
    'outer/inner/to-outer.mkv': '../film.mkv',
    'outer/rated': '../disk',
    'outer/to-disk.mkv': '../disk/film.mkv',
  };
  for (const [name, to] of Object.entries(links)) symlinkSync(to, `${top}/${name}`);
});

afterAll(() => rmSync(top, { recursive: true }));

const library = (roots: readonly string[], links: readonly string[] = []) => ({
  roots: roots.map((name) => `${top}/${name}`),
  links: links.map((name) => ({ root: `${top}/${roots[0]}`, folder: `${top}/${name}` })),
});
const films = () => library(['films', 'more']);
const others = () =>
  ['secret', 'outer', 'outer/inner', 'outer/rated'].map((name) => library([name]));

/** A reader that was granted every root, as the scanner is. */
function scopeOf(libraries: DiskScope['libraries'] = [films(), ...others()]): DiskScope {
  return { roots: libraries.flatMap(({ roots }) => roots), libraries };
}

const call = createDiskCalls([]);

/** What each way to read gives for a file: its content, or `null`. */
function allReads(name: string, scope = scopeOf()): readonly (string | null)[] {
  const file = `${top}/${name}`;
  const whole = { offset: 0, length: 100 };
  const orNull = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch {
      return null;
    }
  };
  const read = orNull(() => call({ operation: 'read', ...scope, path: file, ...whole }));
  const packed = call({ operation: 'ranges', ...scope, ranges: [{ path: file, ...whole }] });
  const [range] = splitRanges(packed as Uint8Array);
  const content = (bytes: unknown) => (bytes ? Buffer.from(bytes as Uint8Array).toString() : null);
  return [content(read), content(range)];
}

/** What each question about a file says: whether it is there. */
function allLooks(name: string, scope = scopeOf()): readonly boolean[] {
  const file = `${top}/${name}`;
  const listed = JSON.parse(
    call({
      operation: 'list',
      ...scope,
      paths: [path.dirname(file)],
      ...{ after: {}, extensions: null, markers: [], limit: null, below: null },
    }) as string,
  ) as { folders: { entries: { name: string }[] }[] };
  const [real] = JSON.parse(
    call({ operation: 'locate-all', ...scope, paths: [file] }) as string,
  ) as unknown[];
  const [print] = JSON.parse(
    call({ operation: 'fingerprints', ...scope, paths: [file] }) as string,
  ) as unknown[];
  const entries = listed.folders[0]?.entries ?? [];
  return [entries.some((one) => one.name === path.basename(file)), real !== null, print !== null];
}

test.each([
  ['to the same root', 'films/same.mkv', 'films'],
  ['to another root of the library', 'films/other-root.mkv', 'more'],
  ['to a library inside of this one', 'outer/to-inner.mkv', 'outer/inner'],
  ['that is the root itself', 'outer/rated/film.mkv', 'disk'],
])('a reader of all libraries follows a link %s', (_where, name, content) => {
  expect(allReads(name)).toEqual([content, content]);
  expect(allLooks(name)).toEqual([true, true, true]);
});

test.each([
  ['into another library', 'films/secret.mkv'],
  ['of a folder into another library', 'films/box/film.mkv'],
  ['out of a library inside of another one', 'outer/inner/to-outer.mkv'],
  ['to the place of a root that is a link', 'outer/to-disk.mkv'],
  ['to a folder of no library', 'films/pool.mkv'],
])('a reader of all libraries follows no link %s', (_where, name) => {
  expect(allReads(name)).toEqual([null, null]);
  expect(allLooks(name)).toEqual([false, false, false]);
});

test('a listing says of a link that it leads out of the library', () => {
  const answer = call({
    operation: 'list',
    ...scopeOf(),
    paths: [`${top}/films`],
    ...{ after: {}, extensions: null, markers: [], limit: null, below: null },
  });

  const problems = ['box', 'secret.mkv', 'pool.mkv'].map((name) => ({
    name,
    code: 'outside-root',
  }));
  expect(JSON.parse(answer as string)).toMatchObject({
    folders: [{ problems: expect.arrayContaining(problems) }],
  });
});

test('links to a folder that one root names are followed below that root only', () => {
  const linking = library(['films', 'more'], ['pool']);
  const scope = scopeOf([linking, ...others()]);

  expect(allReads('films/pool.mkv', scope)).toEqual(['pool', 'pool']);
  expect(allLooks('films/pool.mkv', scope)).toEqual([true, true, true]);
  expect(allReads('films/pools/film.mkv', scope)).toEqual(['pool', 'pool']);
  expect(allReads('films/secret.mkv', scope)).toEqual([null, null]);
  expect(allReads('more/pool.mkv', scope)).toEqual([null, null]);
  expect(allReads('pool/film.mkv', scope)).toEqual([null, null]);
  const elsewhere = scopeOf([films(), library(['secret'], ['pool'])]);
  expect(allReads('films/pool.mkv', elsewhere)).toEqual([null, null]);
});

test('where two libraries have the same folder, a link leads to what both of them have', () => {
  const scope = scopeOf([library(['films']), library(['films', 'secret'])]);

  expect(allReads('films/same.mkv', scope)).toEqual(['films', 'films']);
  expect(allReads('films/secret.mkv', scope)).toEqual([null, null]);
});

describe('a library with a folder for links', () => {
  const scope = () => scopeOf([library(['films', 'more'], ['lent']), ...others()]);
  const place = (to: string, name: string): void => {
    mkdirSync(path.dirname(`${top}/${name}`), { recursive: true });
    symlinkSync(to, `${top}/${name}`);
  };
  const secret = (): string => `${top}/secret/film.mkv`;

  beforeEach(() => {
    mkdirSync(`${top}/lent`);
    writeFileSync(`${top}/lent/film.mkv`, 'lent');
    mkdirSync(`${top}/films/deep`);
    place(secret(), 'lent/secret.mkv');
    place(`${top}/secret`, 'lent/secret');
  });

  afterEach(() => {
    for (const name of ['lent', 'films/deep', 'films/try.mkv', 'films/try'])
      rmSync(`${top}/${name}`, { recursive: true, force: true });
  });

  test.each([
    ['the root of the process', () => `/proc/self/root${secret()}`],
    ['the root of a thread', () => `/proc/thread-self/root${secret()}`],
    ['dots', () => `../films/deep/../../secret/film.mkv`],
    ['a folder that leads out and back', () => `${top}/secret/../secret/./film.mkv`],
    ['another link', () => `${top}/films/secret.mkv`],
    ['a link in the folder for links', () => '../lent/secret.mkv'],
    ['a link of a folder in it', () => '../lent/secret/film.mkv'],
    ['itself', () => 'try.mkv'],
    ['the list of open files', () => '/proc/self/fd/0'],
    ['the memory of the process', () => '/proc/self/environ'],
  ])('follows no link into another library by %s', (_by, to) => {
    place(to(), 'films/try.mkv');

    expect(allReads('films/try.mkv', scope())).toEqual([null, null]);
    expect(allLooks('films/try.mkv', scope())).toEqual([false, false, false]);
  });

  test.each([
    ['becomes a link to a folder around all', () => place(top, 'lent')],
    ['becomes a link into another library', () => place(`${top}/secret`, 'lent')],
    ['is a folder whose file became a link', () => place(secret(), 'lent/film.mkv')],
  ])('reads nothing else when that folder %s', (_how, swap) => {
    place('../lent', 'films/try');
    expect(allReads('films/try/film.mkv', scope())).toEqual(['lent', 'lent']);
    rmSync(`${top}/lent`, { recursive: true });

    swap();

    expect(allReads('films/try/film.mkv', scope())).toEqual([null, null]);
  });

  test.each(['films/../secret/film.mkv', 'films/./film.mkv', 'films//film.mkv', 'films/..'])(
    'reads no path as it would be shorter: %s',
    (name) => {
      expect(allReads(name, scope())).toEqual([null, null]);
    },
  );
});
