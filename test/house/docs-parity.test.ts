/** What pages say of commands, routes, scheduled tasks and metrics is what the code has. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseProgram } from '../../packages/app/cli/index.ts';
import type { HttpApp } from '../../src/http/index.ts';
import { createRoutesApp } from '../support/servers/api-document.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const filesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .map((name) => path.join(folder, name));

const pages = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...filesIn('docs', '.md')];
const texts = pages.map((page) => ({ page, text: read(page) }));

/** The names in the first column of the table that begins with this head. */
function firstColumn(page: string, head: string): readonly string[] {
  const [, rest = ''] = read(page).split(`| ${head}`);
  const [table = ''] = rest.split('\n\n');
  return [...table.matchAll(/^\| ([^|]+)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}

describe('commands', () => {
  const helpOf = (words: readonly string[]): string => {
    let help = '';
    parseProgram({
      args: [...words, '--help'],
      env: {},
      cwd: root,
      version: '0.0.0',
      write: (text) => (help += text),
      complain: () => undefined,
    });
    return help;
  };

  /** Every command that has no commands below it, as its words. */
  function leavesOf(words: readonly string[]): readonly string[] {
    const [, list = ''] = helpOf(words).split('\nCommands:\n');
    const below = [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'help');
    if (below.length === 0) return [words.join(' ')];
    return below.flatMap((name) => leavesOf([...words, name]));
  }

  const commands = leavesOf([]);
  const known = new Set(
    commands.flatMap((command) => {
      const words = command.split(' ');
      return words.map((_, at) => words.slice(0, at + 1).join(' '));
    }),
  );

  test('are found', () => {
    expect(commands).toEqual(expect.arrayContaining(['serve', 'plugin grant', 'backup create']));
  });

  test('all stand on a page', () => {
    const said = texts.map(({ text }) => text).join('\n');

    expect(commands.filter((command) => !said.includes(`vitrine ${command}`))).toEqual([]);
  });

  test.each(texts)('on $page exist', ({ text }) => {
    const named = [
      ...text.matchAll(/`(?:npm run )?vitrine (?:-- )?([a-z][a-z-]*(?: [a-z-]+)?)/g),
    ].map(([, words = '']) => words);
    const unknown = named.filter((words) => {
      const [first = '', second = ''] = words.split(' ');
      // `task` belongs to the project itself and exists only in a clone.
      if (first === 'task' || known.has(words) || commands.includes(first)) return false;
      return !known.has(first) || second !== '';
    });

    expect(unknown).toEqual([]);
  });
});

describe('routes', () => {
  const routes = new Set<string>();
  let app: HttpApp;

  beforeAll(async () => {
    const collect = (one: HttpApp): void =>
      void one.addHook('onRoute', ({ method, url }: RouteOptions) => {
        for (const each of [method].flat()) routes.add(`${each} ${formOf(url)}`);
      });
    app = await createRoutesApp([collect]);
    // The broker is a server of its own.
    for (const file of filesIn('packages/app/broker', '.ts'))
      for (const [, method = '', url = ''] of read(file).matchAll(
        /\.(get|post|put|patch|delete)\(\s*'(\/[^']*)'/g,
      ))
        routes.add(`${method.toUpperCase()} ${formOf(url)}`);
  });

  afterAll(() => app.close());

  /** With a star for each part of the path that a client fills in. */
  function formOf(url: string): string {
    const [pathname = ''] = url.split(/[?[]/);
    return pathname
      .replace(/[.,;:)]+$/, '')
      .split('/')
      .map((part) => (/^(:|\{|<|…|\$|[A-Z_]{2,}|greeter$)/.test(part) ? '*' : part))
      .join('/');
  }

  test.each(texts)('on $page exist', ({ text }) => {
    const named = [
      ...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/(?:api|metrics)[^\s`'"|)]*)/g),
    ].map(([, method = '', url = '']) => `${method} ${formOf(url)}`);

    // The license authority is another server.
    const own = named.filter((route) => !route.includes(' /api/licenses/'));

    expect(own.filter((route) => !routes.has(route))).toEqual([]);
  });
});

describe('scheduled tasks', () => {
  test('are those that the server has', () => {
    const tasks = [...read('src/compose/maintenance.ts').matchAll(/^ {4}name: '([a-z-]+)'/gm)].map(
      ([, name = '']) => name,
    );

    expect(tasks.length).toBeGreaterThan(5);
    expect([...firstColumn('docs/jobs.md', 'task')].sort()).toEqual([...tasks].sort());
  });
});

describe('metrics', () => {
  test('are those that the server has', () => {
    const recorder = read('src/platform/metrics/recorder.ts');
    const counted = [...recorder.matchAll(/name: 'vitrine_([a-z_]+)'/g)];
    const gauges = [...recorder.matchAll(/= gauge\(\s*'([a-z_]+)'/g)];
    const series = [...counted, ...gauges].map(([, name = '']) => `vitrine_${name}`);
    let stem = '';
    const told = firstColumn('docs/monitoring.md', 'series').flatMap((name) => {
      if (name.includes('*')) return [];
      if (!name.startsWith('_')) stem = name;
      return [name.startsWith('_') ? `${stemOf(stem)}${name}` : name];
    });

    expect(series.length).toBeGreaterThan(20);
    expect([...told].sort()).toEqual([...series].sort());
  });

  /** `vitrine_plugin_cpu_seconds`, `_memory_bytes` share their first two words. */
  const stemOf = (name: string): string => name.split('_').slice(0, 2).join('_');
});
