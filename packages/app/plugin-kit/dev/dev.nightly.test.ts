import { expect, onTestFinished, test } from 'vitest';
import { testByNight } from '../../../../test/support/run/test-by-night.ts';
import {
  authorManifest,
  createAuthorFolder,
  type AuthorFolder,
} from '../../../../test/support/plugins/author-plugin.ts';
import { fakeId } from '../fakes/fake-item.ts';
import { createPrinter, runDev } from '../index.ts';

const manifest = {
  permissions: { kv: { quotaMb: 1 }, metadata: 'write', reasons: { kv: 'To count.' } },
  configuration: [{ key: 'word', label: 'Word', input: 'text', default: 'usual' }],
  subscriptions: {
    events: ['library.item.*'],
    hooks: [{ name: 'pipeline.index.afterProcess' }],
  },
  actions: ['count'],
};

const sourceOf = (word: string): string => `
import { definePlugin, type Host } from '@vitrine/plugin-api';
import { count } from './count.ts';

export default definePlugin({
  events: { 'library.item.*': (_: never, host: Host) => count(host) },
  hooks: { 'pipeline.index.afterProcess': () => ({ fields: { word: '${word}' } }) },
  actions: {
    count: async (_, host) => [await host.kv.get({ key: 'count' }), (await host.config.get({})).word],
  },
});
`;

const countSource = `
import type { Host } from '@vitrine/plugin-api';

export async function count(host: Host): Promise<void> {
  const before = Number((await host.kv.get({ key: 'count' })) ?? 0);
  await host.kv.set({ key: 'count', value: before + 1 });
}
`;

function createAuthor(): AuthorFolder {
  const author = createAuthorFolder(manifest, sourceOf('first'));
  onTestFinished(author.remove);
  author.write('count.ts', countSource);
  return author;
}

/** What is printed and typed. */
function createDesk() {
  let text = '';
  const waiting = new Set<() => void>();
  const typed: string[] = [];
  let wake = Promise.withResolvers<undefined>();
  async function* lines(): AsyncGenerator<string> {
    for (;;) {
      for (let line = typed.shift(); line !== undefined; line = typed.shift()) yield line;
      await wake.promise;
      wake = Promise.withResolvers();
    }
  }
  const printer = createPrinter({
    write: (more) => {
      text += more;
      for (const look of waiting) look();
    },
    isTerminal: false,
    now: () => 0,
  });
  /** Resolves with what was printed since the last time, as soon as that is in it. */
  const until = (what: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = what.exec(text);
        if (!found) return;
        const end = found.index + found[0].length;
        const told = text.slice(0, end);
        text = text.slice(end);
        waiting.delete(look);
        resolve(told);
      };
      waiting.add(look);
      look();
    });
  const type = (line: string): void => {
    typed.push(line);
    wake.resolve(undefined);
  };
  return { printer, lines: lines(), until, type, text: () => text };
}

const usual = { configuration: {}, allowedHosts: [], elapsed: () => performance.now() };

testByNight(
  'a saved change runs at once, keeps what was stored, and every call is printed',
  async () => {
    const author = createAuthor();
    const desk = createDesk();
    const ended = new AbortController();
    const running = runDev({
      ...usual,
      ...desk,
      folder: author.folder,
      isOnce: false,
      signal: ended.signal,
    });

    const first = await desk.until(/Waiting for changes.*\n/);
    expect(first).toMatch(/event {3}library\.item\.added +\d+\.\d ms\n/);
    expect(first).toMatch(/event {3}library\.item\.enriched/);
    expect(first).toMatch(
      /hook {4}pipeline\.index\.afterProcess +\d+\.\d ms {2}\{"fields":\{"word":"first"\}\}/,
    );
    expect(first).not.toContain('\u001b');

    desk.type('config {"word": "other"}');
    await desk.until(/Configured\.\n/);
    author.write('index.ts', sourceOf('second'));
    expect(await desk.until(/\{"fields":\{"word":"second"\}\}\n/)).toMatch(/Loaded \d+ ms after/);
    desk.type('action count');
    expect(await desk.until(/action {2}count .*\n/)).toContain('[8,"other"]');

    author.write(
      'count.ts',
      countSource.replace('before + 1', '(() => { throw new Error("Odd."); })()'),
    );
    const broken = await desk.until(/plugin_error: Odd\.\n.* at .*\n/);
    expect(broken).toContain(`${author.folder}/count.ts:6:`);

    author.write('count.ts', '}{');
    expect(await desk.until(/count\.ts:1:1: .*\n/)).toContain('Unexpected');
    author.write('count.ts', countSource);
    await desk.until(/Loaded \d+ ms after/);

    author.write('manifest.json', authorManifest({ ...manifest, actions: ['count', 'gone'] }));
    await desk.until(/Loaded \d+ ms after/);
    desk.type('event library.item.added {"itemId": "1"}');
    desk.type('action gone');
    await desk.until(/action {2}gone .*no handler\n/);
    desk.type('action other');
    await desk.until(/other.* does not exist\.\n/);
    desk.type('what is this');
    await desk.until(/is not a command/);
    desk.type('action count');
    expect(await desk.until(/action {2}count .*\n/)).toContain('"other"]');

    ended.abort();
    expect(await running).toBe(0);
  },
);

testByNight(
  'with a grant of one library it plays the samples of that library, and prints what it withholds',
  async () => {
    const author = createAuthor();
    const desk = createDesk();
    const ended = new AbortController();
    const libraries = ['Series'];
    const parts = { ...usual, ...desk, libraries, folder: author.folder, isOnce: false };
    const running = runDev({ ...parts, signal: ended.signal });

    const first = await desk.until(/Waiting for changes.*\n/);
    desk.type(
      `event library.item.added {"itemId": "${fakeId(2, 1)}", "libraryId": "${fakeId(1, 1)}"}`,
    );
    await desk.until(/Withheld: library\.item\.added concerns what was not granted\.\n/);
    ended.abort();

    expect(first).toMatch(/event {3}library\.item\.added +\d+\.\d ms\n/);
    expect(first).not.toContain('Withheld');
    expect(await running).toBe(0);
  },
);

test('a view is printed in words, and wrong types are told while the plugin runs', async () => {
  const author = createAuthor();
  author.write(
    'manifest.json',
    authorManifest({ subscriptions: { views: ['ui.settings.sections'] } }),
  );
  author.write('locales/en.json', '{ "texts": { "hello": "Good day, {name}" } }');
  const source = (
    name: string,
  ): string => `export default { views: { 'ui.settings.sections': () => [
    { type: 'metadata', slot: 'settings-panes', title: { text: 'hello', with: { name: '${name}' } } },
  ] } };`;
  author.write('index.ts', source('Ada'));
  const desk = createDesk();
  const ended = new AbortController();
  let errors: readonly string[] = ['index.ts:3:1: TS2322: That is not a name.'];
  const running = runDev({
    ...{ ...usual, ...desk, folder: author.folder, isOnce: false, signal: ended.signal },
    checkTypes: async () => errors,
  });

  expect(await desk.until(/Waiting[^]*TS2322: That is not a name\.\n/)).toContain(
    '"Good day, Ada"',
  );
  errors = [];
  author.write('index.ts', source('Bob'));
  await desk.until(/right again[^]*"Good day, Bob"|"Good day, Bob"[^]*right again/);
  ended.abort();

  expect(await running).toBe(0);
});

test.each([
  ['nothing went wrong', sourceOf('first'), 0],
  ['a sample failed', sourceOf('first').replace('count(host)', 'count(null as never)'), 1],
  ['it does not start', 'export default nothing;', 1],
])('run once, the exit code says whether %s', async (_, source, code) => {
  const author = createAuthor();
  author.write('index.ts', source);
  const { printer } = createDesk();
  const { signal } = new AbortController();

  const exit = await runDev({
    ...usual,
    folder: author.folder,
    printer,
    isOnce: true,
    lines: null,
    signal,
  });

  expect(exit).toBe(code);
});
