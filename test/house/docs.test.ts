/** The docs say what is so: links lead somewhere, and settings, services and permissions are all there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { settings } from '../../src/platform/config.ts';
import { settingInUse } from '../../src/platform/setting-in-use.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const pagesIn = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => path.join(folder, name));

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...['docs', 'kernel', 'packages', 'src', 'plugin-api', 'builtin-plugins', 'examples'].flatMap(
    pagesIn,
  ),
];

describe('every link of a page', () => {
  test.each(pages)('%s leads to a file that is there, and to a heading in it', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const own = links.filter((link) => !/^[a-z]+:/.test(link));

    expect(own.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });

  test('is looked at on the pages of all folders', () => {
    expect(pages).toEqual(
      expect.arrayContaining(['docs/plugins.md', 'kernel/README.md', 'src/http/README.md']),
    );
  });
});

function leadsSomewhere(page: string, link: string): boolean {
  const [target = '', heading] = link.split('#');
  const file = target === '' ? page : path.join(path.dirname(page), target);
  if (!existsSync(path.join(root, file))) return false;
  return heading === undefined || headingsOf(file).includes(heading);
}

/** As GitHub spells them in links. */
const headingsOf = (file: string): readonly string[] =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** What stands in backticks in each row of the tables of a page. */
const rowsOf = (page: string): readonly (readonly string[])[] =>
  read(page)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));

describe('the pages of docs', () => {
  const docs = pagesIn('docs');
  const changelog = read('CHANGELOG.md');
  const [, first = changelog] = changelog.split('\n## 0.1.0\n');
  const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

  test.each([
    ['docs', 90_000, words(docs.map(read).join('\n'))],
    ['the changelog of 0.1.0', 600, words(first)],
  ])('%s: at most %i words', (_what, most, present) => {
    expect(present).toBeLessThanOrEqual(most);
  });

  test('have no line above 400 characters', () => {
    const isLong = ({ length }: string): boolean => length > 400;

    expect(docs.filter((page) => read(page).split('\n').some(isLong))).toEqual([]);
  });
});

describe('docs/configuration.md', () => {
  const rows = rowsOf('docs/configuration.md');

  test('has a row for each setting, with its flag, variable and key', () => {
    const missing = settings.filter(({ flag, env, key }) => {
      const row = rows.find(([first]) => first === `--${flag}`) ?? [];
      return !row.includes(env) || (key !== 'data' && !row.includes(key));
    });

    expect(missing.map(({ key }) => key)).toEqual([]);
    expect(read('docs/configuration.md')).toContain('VITRINE_ADMIN_TOKEN');
  });

  test('has no row for a setting that is none', () => {
    const flags = rows.flatMap(([first = '']) => (first.startsWith('--') ? [first] : []));

    expect(flags).toEqual(settings.map(({ flag }) => `--${flag}`));
  });

  test('has the default of each setting, where it is a value', () => {
    const defaults = new Map(
      read('docs/configuration.md')
        .split('\n')
        .filter((line) => line.startsWith('| `--'))
        .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
        .map(([, flag, , , usual]) => [flag, usual]),
    );
    const none = { flag: {}, variable: {}, file: {} };
    const usual = settings
      .map((one) => settingInUse(one, none))
      .filter((one) => one.usual === null || !one.usual.includes(' '));

    expect(usual.map(({ flag }) => [flag, defaults.get(`--${flag}`)?.split(' ')[0]])).toEqual(
      usual.map((one) => [one.flag, one.usual ?? '']),
    );
  });
});

describe('docs/jobs.md', () => {
  test('has a row for each scheduled task, in their order', () => {
    const [, section = ''] = read('docs/jobs.md').split('## What happens at intervals');
    const [table = ''] = section.split('\n## ');
    const rows = [...table.matchAll(/^\| `([\w-]+)` /gm)].map(([, name]) => name);

    const [, works = ''] = read('src/compose/maintenance.ts').split('const recurringWorks = ');
    const names = [...works.matchAll(/^ {4}name: '([\w-]+)',$/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(rows).toEqual(names);
  });
});

describe('docs/contributors/decisions', () => {
  test('has one index, with a line for each decision, and no number twice', () => {
    const folder = 'docs/contributors/decisions';
    const files = readdirSync(path.join(root, folder)).filter((name) => name !== 'README.md');
    const lines = [...read(`${folder}/README.md`).matchAll(/^- \[(\d{4})\]\(([^)]+)\) (.+)$/gm)];

    expect(lines.map(([, , file]) => file).sort()).toEqual(files.sort());
    expect(new Set(files.map((name) => name.slice(0, 4))).size).toBe(files.length);
    for (const [, number, file, title] of lines)
      expect(read(`${folder}/${file}`)).toMatch(`# ${number} ${title}\n`);
  });
});

describe('the README of a group', () => {
  const foldersIn = (folder: string): readonly string[] =>
    readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['dist', 'node_modules'].includes(entry.name))
      .map(({ name }) => name);
  /** The groups that consist of parts. The others are one part with folders of its own. */
  const groups = ['platform', 'people', 'files', 'work', 'library', 'viewing', 'plugins'];
  const withParts = [
    'packages',
    'packages/app',
    'packages/lib',
    'kernel/run',
    'src',
    ...[...groups, 'operations'].map((name) => `src/${name}`),
  ];

  test.each(withParts)('%s has a row for each folder', (folder) => {
    const named = new Set(rowsOf(`${folder}/README.md`).flat());

    const folders = foldersIn(folder).map((name) => `${name}/`);
    expect(folders.length).toBeGreaterThan(1);
    expect(folders.filter((name) => !named.has(name))).toEqual([]);
  });

  test('says what the group refuses', () => {
    const groupsAndPackages = ['src', 'packages', 'packages/lib', 'packages/app'].flatMap(
      (folder) => foldersIn(folder).map((name) => `${folder}/${name}/README.md`),
    );

    const silent = groupsAndPackages.filter((page) => !/^It refuses: /m.test(read(page)));
    expect(silent).toEqual([]);
  });
});

describe('docs/plugins.md', () => {
  const program = ts.createProgram([path.join(root, 'plugin-api/index.ts')], {
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const rows = rowsOf('docs/plugins.md');
  const powers = rowsOf('docs/powers/README.md');

  /** The properties of an interface of plugin-api, by name. */
  function membersOf(file: string, name: string): readonly ts.Symbol[] {
    const module = program.getSourceFile(path.join(root, 'plugin-api', file));
    const exported = module && checker.getSymbolAtLocation(module)?.exports;
    const symbol = exported?.get(ts.escapeLeadingUnderscores(name));
    return symbol ? checker.getDeclaredTypeOfSymbol(symbol).getProperties() : [];
  }

  test('names each host service with exactly its methods', () => {
    const members = membersOf('host/host.ts', 'Host').filter(({ name }) => name !== 'as');
    const services = members.map((service) => {
      const type = checker.getNonNullableType(checker.getTypeOfSymbol(service));
      const methods = type.getProperties();
      return [`host.${service.name}`, ...methods.map(({ name }) => name)];
    });

    expect(services.length).toBeGreaterThan(7);
    for (const service of services) {
      expect(rows.filter(([first]) => first === service[0])).toContainEqual(service);
    }
  });

  test('leads to a page that names each permission', () => {
    const names = membersOf('permissions.ts', 'Permissions').map(({ name }) => name);

    const told = new Set(powers.map(([first]) => first));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => name !== 'reasons' && !told.has(name))).toEqual([]);
    expect(read('docs/plugins.md')).toContain('`reasons`');
  });
});
