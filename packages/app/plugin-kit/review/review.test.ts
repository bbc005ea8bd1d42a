/** What a check reads out of a manifest and a bundle, without running either. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuthorFolder } from '../../../../test/support/plugins/author-plugin.ts';
import type { LocaleFile, Manifest } from '../../../../plugin-api/index.ts';
import { bundlePlugin } from '../packing/bundle.ts';
import type { DescribedPlugin } from '../packing/guest-test-harness.ts';
import { hostCallsIn } from './host-calls.ts';
import { lackingGlobals } from './lacking-globals.ts';
import { readCode } from './read-code.ts';
import { hostServices, reviewCode } from './review-code.ts';
import { reviewHandlers } from './review-handlers.ts';
import { reviewLocales } from './review-locales.ts';
import { reviewManifest } from './review-manifest.ts';
import { reviewPermissions } from './review-permissions.ts';

const manifestOf = (fields: Partial<Manifest>): Manifest => ({
  manifestVersion: 1,
  id: 'tried-out',
  name: 'Tried out',
  version: '1.0.0',
  description: 'For tests.',
  author: 'Its author',
  license: 'MIT',
  main: 'index.js',
  minVersion: '>=0.1.0',
  capabilities: [],
  mediaTypes: [],
  permissions: {},
  ...fields,
});

const withViews = manifestOf({ subscriptions: { views: ['ui.settings.sections'] } });
const nothing: DescribedPlugin = {
  events: [],
  hooks: [],
  views: [],
  actions: [],
  methods: [],
  exports: [],
  notFunctions: [],
};
const messages = (findings: readonly { readonly message: string }[]) =>
  findings.map(({ message }) => message);

/** What is said of a module for its text alone. */
async function review(manifest: Manifest, source: string): Promise<readonly string[]> {
  const code = await readCode(source);
  const calls = hostCallsIn(code.text, hostServices);
  return messages([
    ...reviewPermissions(manifest, code, calls),
    ...reviewCode(manifest, code, calls),
  ]);
}

test('a check tells what a language lacks, and texts that no language has', async () => {
  const { text } = await readCode(`export default { views: { a: () => [
    { title: { text: 'found' }, label: { text: 'fuond', with: { count: 1 } } },
    { title: { text: 'go' } }, { title: { text: 'found', with: { count: 1 } } },
  ] } };`);
  const english = { texts: { found: '{count} found', go: 'Go' } };
  const form = [{ key: 'most', label: 'Most', input: 'number' }] as const;
  const manifest = manifestOf({ configuration: form });
  const locales = new Map<string, LocaleFile>([
    ['en', english],
    ['de', { texts: { go: 'Los' } }],
  ]);

  expect(messages(reviewLocales(manifest, locales, text))).toEqual([
    'locales/de.json does not have configuration.most, texts.found: they are shown in the language of manifest.json, or in English. Add them, or delete the file if nobody translates it.',
    'The text found needs values, such as with: { count }.',
    'The text fuond is not in locales/en.json: a piece that shows it is dropped.',
  ]);
  expect(reviewLocales(manifest, new Map(), text)).toEqual([]);
});

describe('a bundle', () => {
  const asking = { ...withViews, permissions: { net: ['a.test'], kv: { quotaMb: 1 } } } as const;
  const uses = 'const used = (_, host) => [host.net.fetch({}), host.kv.get({})];';

  test.each([
    ['fetch("https://a.test")', /uses fetch, .* host\.net\.fetch asks the network/],
    ['export const get = globalThis.fetch("a")', /uses fetch/],
    ['export const home = process.env.HOME;', /uses process/],
    ['Buffer.from("a")', /uses Buffer, .*Uint8Array/],
    ['const { length } = [Buffer];', /uses Buffer/],
    ['const a = require("a");', /uses require/],
    ['setImmediate(() => 1)', /uses setImmediate, .*setTimeout/],
    ['new WebSocket("a")', /uses WebSocket/],
    ['localStorage.a = 1', /uses localStorage, .*host\.kv/],
    ['host.kv.put({ key: "a" })', /host\.kv has no method put; it has get, set, remove/],
    ['const a = (_, h) => h.kv.put({});', /host\.kv has no method put/],
    ['const a = (_, { kv, net: web }) => web.get({});', /host\.net has no method get/],
    ['const a = (_, host) => { const { config, kv } = host; kv.put({}); };', /no method put/],
    ['const a = (_, host) => { const store = host.kv; store.put({}); };', /no method put/],
    [
      'const a = (_, host) => host.storage.read({});',
      /host has no service storage; it has config,/,
    ],
    ['[{ type: "action", slot: "settings-pane" }]', /The slot settings-pane .*settings-panes/],
    ['[{ type: "html", html: "<b>" }]', /type html is dropped/],
  ])('that has %s gives a finding', async (code, why) => {
    expect(await review(asking, `${uses}\n${code}`)).toEqual([expect.stringMatching(why)]);
  });

  test.each([
    'host.net.fetch({ url: "https://a.test" })',
    'const fetch = make(); fetch("a")',
    'const read = (fetch) => fetch("a");',
    'typeof process === "undefined" ? "" : process.env.HOME',
    'typeof window === "undefined" ? null : document.title',
    'options.process.exit(); my.Buffer.from("a"); ({ process: 1 })',
    'host.kv.get({ key: "a" }); host.viewer?.role',
    'const a = (url, options) => { options.kv.put({}); options.timeout.clear(); };',
    'const a = (_, { kv }) => kv.get({}); const b = (kv) => kv.put({});',
    'const name = (url, host) => host.name.toLowerCase();',
    '[{ type: "form", slot: "settings-panes" }]',
  ])('that has %s gives no finding', async (code) => {
    expect(await review(asking, `${uses}\n${code}`)).toEqual([]);
  });

  test('gives no finding for anything that the page for authors lists', () => {
    const page = readFileSync(
      path.resolve(import.meta.dirname, '../../../../docs/plugin-globals.md'),
    );
    const [there = ''] = page.toString().split('\nSome globals are missing');

    expect([...lackingGlobals.keys()].filter((name) => there.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('a source that does not build', () => {
  test.each([
    ["import 'node:path';", /no modules of Node; places of files are URIs/],
    ["import chunk from 'lodash/chunk'; export default chunk;", /Run npm install lodash in/],
    [
      'const a = 1;\nexport default { a: await a };',
      /index\.ts:2:21: The plugin uses await outside of a function.*into a handler/,
    ],
  ])('says what to do about %s', async (source, hint) => {
    const { folder, remove } = createAuthorFolder({}, source);
    onTestFinished(remove);

    await expect(bundlePlugin(path.join(folder, 'index.ts'))).rejects.toThrow(hint);
  });
});

describe('permissions', () => {
  const secrets = manifestOf({ permissions: { net: ['a.test'], secrets: true } });
  const inHeader =
    '(_, host) => host.net.fetch({ url, headers: { authorization: "{secret:apiKey}" } })';

  test('secrets are used in a header that names one', async () => {
    expect(await review(secrets, inHeader)).toEqual([]);
    expect(await review(secrets, 'host.net.fetch({ url: "https://a.test" })')).toEqual([
      expect.stringContaining('permissions.secrets is asked for'),
    ]);
    expect(await review(manifestOf({ permissions: { net: ['a.test'] } }), inHeader)).toEqual([
      expect.stringContaining('permissions.secrets is not asked for'),
    ]);
  });

  test('each unused permission is named', async () => {
    const permissions: Manifest['permissions'] = {
      ...{ net: ['a.test'], files: 'read', library: 'read', metadata: 'write', events: 'emit' },
      viewing: 'write',
      ...{ kv: { quotaMb: 1 }, textIndex: true, eventLog: true, notifications: true, wasm: true },
      ...{ jobs: ['scan'], schedule: true, secrets: true, calls: ['film-facts:rating'] },
    };
    const named = await review(manifestOf({ permissions }), 'export default "https://a.net/kv";');

    expect(named.map((message) => /^permissions\.(\w+) is asked for/.exec(message)?.[1])).toEqual(
      Object.keys(permissions),
    );
  });

  test.each([
    ['host.notifications.tell({})', 'permissions.notifications is not asked for'],
    ['const a = (_, h) => h.library.get({});', 'permissions.library is not asked for'],
    ['const a = (_, { eventLog }) => eventLog.read({});', 'permissions.eventLog is not asked for'],
    ['new WebAssembly.Module(bytes)', 'permissions.wasm is not asked for'],
    [
      'host.jobs.enqueue({ type: "scan" })',
      'neither permissions.jobs nor capabilityConfig.jobs.runs',
    ],
  ])('%s needs a permission that it did not ask for', async (source, message) => {
    expect(await review(manifestOf({}), source)).toEqual([expect.stringContaining(message)]);
  });

  test('a job of a type that is not named gives a finding', async () => {
    const asking = manifestOf({
      permissions: { jobs: ['scan'] },
      capabilityConfig: { jobs: { runs: ['tried-out.tidy'] } },
    });
    const enqueue = (type: string) => `host.jobs.enqueue({ libraryId, type: "${type}" });`;

    expect(await review(asking, enqueue('scan') + enqueue('tried-out.tidy'))).toEqual([]);
    expect(await review(asking, enqueue('backup'))).toEqual([
      expect.stringContaining('jobs of the type backup, and permissions.jobs does not name it'),
    ]);
  });
});

describe('handlers', () => {
  test('a job type of its own needs job.run; one of the server that it only asks for does not', () => {
    const jobs = (types: readonly string[]) => manifestOf({ permissions: { jobs: types } });

    expect(messages(reviewHandlers(jobs(['tried-out.nightly']), nothing))).toEqual([
      'manifest.json names the job type tried-out.nightly, and nothing handles job.run: such a job fails.',
    ]);
    expect(reviewHandlers(jobs(['scan']), nothing)).toEqual([]);
    const running = { ...nothing, methods: ['job.run'] };
    expect(reviewHandlers(jobs(['tried-out.nightly']), running)).toEqual([]);
    const runs = manifestOf({ capabilityConfig: { jobs: { runs: ['scan'] } } });
    expect(reviewHandlers(runs, running)).toEqual([]);
    expect(messages(reviewHandlers(manifestOf({}), running))).toEqual([
      expect.stringContaining('handles job.run'),
    ]);
  });

  test('a notifier needs notifier.deliver, and nothing but a notifier gets it', () => {
    const notifier = manifestOf({ capabilities: ['notifier'] });
    const handling = { ...nothing, methods: ['notifier.deliver'] };

    expect(messages(reviewHandlers(notifier, nothing))).toEqual([
      'manifest.json promises notifier.deliver, and nothing handles it.',
    ]);
    expect(reviewHandlers(notifier, handling)).toEqual([]);
    expect(messages(reviewHandlers(manifestOf({}), handling))).toEqual([
      expect.stringContaining('handles notifier.deliver'),
    ]);
  });
});

describe('a manifest', () => {
  test('that names a capability without its configuration gives a finding', () => {
    const incomplete = manifestOf({ capabilities: ['probe', 'filesystem', 'transcode'] });

    expect(messages(reviewManifest(incomplete))).toEqual([
      expect.stringContaining('capabilityConfig.probe.extensions'),
      expect.stringContaining('permissions.files, "read"'),
      expect.stringContaining('capabilityConfig.filesystem.schemes'),
      expect.stringContaining('The capability transcode needs permissions.files'),
    ]);
  });

  test('that needs another plugin gives a warning that it starts only with it', () => {
    expect(messages(reviewManifest(manifestOf({ dependencies: { other: '^1.0.0' } })))).toEqual([
      'It starts only where the plugin other ^1.0.0 runs.',
    ]);
    expect(reviewManifest(manifestOf({}))).toEqual([]);
  });
});
