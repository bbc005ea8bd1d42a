/**
 * Fifty mistakes of authors. What is said of each names the fault, the place and the remedy.
 * What a manifest alone can have wrong is in `test/house/manifest-examples.test.ts`.
 */
import { expect, test } from 'vitest';
import { createAuthorFolder } from '../../../../test/support/plugins/author-plugin.ts';
import { bundlePlugin } from '../packing/bundle.ts';
import type { DescribedPlugin } from '../packing/guest-test-harness.ts';
import { readPluginSource } from '../packing/plugin-source.ts';
import { tryStart } from '../test-harness/try-start.ts';
import { hostCallsIn } from './host-calls.ts';
import { readCode } from './read-code.ts';
import { hostServices, reviewCode } from './review-code.ts';
import { reviewHandlers } from './review-handlers.ts';
import { reviewManifest } from './review-manifest.ts';
import { reviewPermissions } from './review-permissions.ts';

interface Wrong {
  readonly manifest?: object;
  /** Text of the manifest, where it is not JSON. */
  readonly manifestText?: string;
  readonly source?: string;
  /** Its own code runs at the start. */
  readonly starts?: true;
  /** The words for fault, place and remedy. */
  readonly says: readonly string[];
}

const settings = { subscriptions: { views: ['ui.settings.sections'] } };
const acts = { actions: [{ name: 'go', access: 'admin' }] };
const acting = (body: string): string =>
  `export default { actions: { go: async (_, host) => ${body} } };`;
const fine = 'export default {};';

const plugins: Readonly<Record<string, Wrong>> = {
  // The manifest.
  'a manifest that is not JSON': {
    manifestText: '{ "id": ',
    says: ['manifest.json', 'not JSON', 'Unexpected end'],
  },
  'a missing id': { manifest: { id: undefined }, says: ['id', 'missing', 'lower-case letters'] },
  'an id with capitals': { manifest: { id: 'Tags' }, says: ['id', '"Tags"', 'lower-case letters'] },
  'a misspelled key': {
    manifest: { permisions: {} },
    says: ['permisions', 'permissions may be meant'],
  },
  'a version of two numbers': { manifest: { version: '1.0' }, says: ['version', '"1.0"', '1.4.0'] },
  'a power that is just true': {
    manifest: { permissions: { kv: true } },
    says: ['permissions.kv', 'an object with quotaMb'],
  },
  'a main that is not there': {
    manifest: { main: 'dist/other.js' },
    says: ['manifest.json', 'dist/other.js', 'src/other.ts'],
  },
  'several faults at once': {
    manifest: { id: 'A', main: '/x', name: '' },
    says: ['id: "A"', 'name: ""', '1 to 80'],
  },
  'an unknown permission': {
    manifest: { permissions: { network: ['a.org'] } },
    says: ['permissions.network', 'known are'],
  },
  'a host with a scheme': {
    manifest: { permissions: { net: ['https://a.org'] } },
    says: ['permissions.net[0]', 'https://a.org', 'api.example.org'],
  },
  'files to write': {
    manifest: { permissions: { files: 'write' } },
    says: ['permissions.files', '"write"', 'one of read'],
  },
  'a disk without a filesystem': {
    manifest: { permissions: { disk: 'read' } },
    says: ['permissions.disk', 'capability filesystem'],
  },
  'a capability with a capital letter': {
    manifest: { capabilities: ['Filesystem'] },
    says: ['capabilities[0]', '"Filesystem"', 'filesystem'],
  },
  'an unknown capability': {
    manifest: { capabilities: ['telepathy'] },
    says: ['capabilities[0]', '"telepathy"', 'filesystem'],
  },
  'an unknown event': {
    manifest: { subscriptions: { events: ['library.item.addded'] } },
    says: ['subscriptions.events[0]', 'library.item.addded', 'event of the server'],
  },
  'half a star in an event': {
    manifest: { subscriptions: { events: ['library.it*.added'] } },
    says: ['subscriptions.events[0]', 'whole segment'],
  },
  'an unknown hook': {
    manifest: { subscriptions: { hooks: [{ name: 'pipeline.done' }] } },
    says: ['hooks[0].name', 'pipeline.scan.prepare'],
  },
  'an order above 100': {
    manifest: { subscriptions: { hooks: [{ name: 'pipeline.scan.prepare', order: 140 }] } },
    says: ['hooks[0].order', '140', '0 to 100'],
  },
  'an unknown view': {
    manifest: { subscriptions: { views: ['ui.start'] } },
    says: ['views[0]', '"ui.start"', 'ui.settings.sections'],
  },
  'a job type of another form': {
    manifest: { permissions: { jobs: ['Tidy Up'] } },
    says: ['permissions.jobs[0]', '"Tidy Up"', 'lower'],
  },
  'a select without options': {
    manifest: { configuration: [{ key: 'a', label: 'A', input: 'select' }] },
    says: ['configuration[0].options', 'values to choose'],
  },
  'a default of another kind': {
    manifest: { configuration: [{ key: 'a', label: 'A', input: 'toggle', default: 'yes' }] },
    says: ['configuration[0].default', '"yes"', 'true or false'],
  },
  'a homepage that is not a link': {
    manifest: { homepage: 'javascript:a' },
    says: ['homepage', 'https://'],
  },
  'memory above the limit': {
    manifest: { resources: { memoryMb: 1024 } },
    says: ['resources.memoryMb', '1024', '1 to 512'],
  },
  // The source.
  'a syntax error': {
    source: 'export default {\n  a: ,\n};',
    says: ['index.ts:2:6', 'Unexpected'],
  },
  'await outside of functions': {
    source: 'export default { a: await 1 };',
    says: ['index.ts:1:21', 'into a handler'],
  },
  'a module of Node': {
    source: "import 'node:path';\nexport default {};",
    says: ['index.ts:1:', 'node:path', 'no modules of Node', 'new URL('],
  },
  'a package that is not installed': {
    source: "import a from 'lodash/chunk';\nexport default a;",
    says: ['index.ts:1:', 'npm install lodash'],
  },
  'no default export': {
    starts: true,
    source: 'export const a = 1;',
    says: ['index.ts', 'default export', 'definePlugin'],
  },
  'a start that throws': {
    starts: true,
    source: 'const a = undefined;\na.boom;\nexport default {};',
    says: ['index.ts:2:', 'boom'],
  },
  fetch: {
    manifest: acts,
    source: acting('fetch("https://a.org")'),
    says: ['fetch', 'host.net.fetch'],
  },
  process: { manifest: acts, source: acting('process.env.HOME'), says: ['process'] },
  Buffer: { manifest: acts, source: acting('Buffer.from("a")'), says: ['Buffer', 'Uint8Array'] },
  setImmediate: {
    manifest: acts,
    source: acting('setImmediate(() => 1)'),
    says: ['setImmediate', 'setTimeout'],
  },
  'a method that host lacks': {
    manifest: { ...acts, permissions: { kv: { quotaMb: 1 } } },
    source: acting('host.kv.put({ key: "a" })'),
    says: ['host.kv', 'put', 'set'],
  },
  'a service that host lacks': {
    manifest: acts,
    source: acting('host.storage.read({})'),
    says: ['storage', 'kv'],
  },
  'a power that it uses and never asks for': {
    manifest: acts,
    source: acting('host.kv.get({ key: "a" })'),
    says: ['permissions.kv', 'not asked for'],
  },
  'a power that it asks for and never uses': {
    manifest: { permissions: { eventLog: true } },
    source: fine,
    says: ['permissions.eventLog', 'never uses'],
  },
  'notifications that it never sends': {
    manifest: { permissions: { notifications: true } },
    source: fine,
    says: ['permissions.notifications', 'never uses'],
  },
  'an action without a handler': { manifest: acts, source: fine, says: ['go', 'nothing handles'] },
  'a handler that is a text': {
    manifest: acts,
    source: "export default { actions: { go: 'later' } };",
    says: ['actions.go', 'string', 'a function'],
  },
  'a handler that is not declared': { source: acting('1'), says: ['go', 'manifest.json'] },
  'an event without a handler': {
    manifest: { subscriptions: { events: ['library.item.added'] } },
    source: fine,
    says: ['library.item.added', 'nothing handles'],
  },
  'a job type without job.run': {
    manifest: { permissions: { jobs: ['tried-out.tidy'] } },
    source: fine,
    says: ['tried-out.tidy', 'job.run'],
  },
  'a hook that may not write': {
    manifest: { subscriptions: { hooks: [{ name: 'pipeline.probe.afterProcess' }] } },
    source: 'export default { hooks: { "pipeline.probe.afterProcess": () => null } };',
    says: ['pipeline.probe.afterProcess', 'metadata'],
  },
  'a slot that a server drops': {
    manifest: settings,
    source:
      'export default { views: { "ui.settings.sections": () => [{ type: "action", slot: "settings-pane" }] } };',
    says: ['settings-pane', 'settings-panes'],
  },
  'a type of piece that a server drops': {
    manifest: settings,
    source:
      'export default { views: { "ui.settings.sections": () => [{ type: "html", slot: "settings-panes" }] } };',
    says: ['html', 'dropped'],
  },
  'a probe without extensions': {
    manifest: { capabilities: ['probe'] },
    source: fine,
    says: ['capabilityConfig.probe.extensions', 'probe'],
  },
  'a filesystem without schemes': {
    manifest: { capabilities: ['filesystem'] },
    source: fine,
    says: ['capabilityConfig.filesystem.schemes'],
  },
  'a plugin that it needs': {
    manifest: { dependencies: { other: '^1.0.0' } },
    source: fine,
    says: ['other ^1.0.0', 'runs'],
  },
};

/** All that is said of a plugin without running it, unless its start is what is wrong. */
async function saidOf({
  manifest: fields = {},
  manifestText,
  source = fine,
  starts,
}: Wrong): Promise<string> {
  const { folder, write, remove } = createAuthorFolder(fields, source);
  try {
    if (manifestText !== undefined) write('manifest.json', manifestText);
    const { entry, manifest } = await readPluginSource(folder);
    const bundle = await bundlePlugin(entry);
    if (starts) {
      await tryStart({ manifest, source: bundle.code, origin: { folder, entry } }, async () => '');
      return '';
    }
    const code = await readCode(bundle.code);
    const calls = hostCallsIn(code.text, hostServices);
    const findings = [
      ...reviewHandlers(manifest, await described(bundle.code)),
      ...reviewManifest(manifest),
      ...reviewPermissions(manifest, code, calls),
      ...reviewCode(manifest, code, calls),
    ];
    return findings.map(({ message }) => message).join('\n');
  } catch (error) {
    return error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
  } finally {
    remove();
  }
}

async function described(code: string): Promise<DescribedPlugin> {
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const module = (await import(/* @vite-ignore */ url)) as {
    readonly default?: Readonly<Record<string, object>>;
  };
  const all = (section: string) => Object.entries(module.default?.[section] ?? {});
  const names = (section: string): readonly string[] =>
    all(section).flatMap(([name, one]) => (typeof one === 'function' ? [name] : []));
  const sections = ['events', 'hooks', 'views', 'actions', 'methods', 'exports'];
  return {
    ...{ events: names('events'), hooks: names('hooks'), views: names('views') },
    ...{ actions: names('actions'), methods: names('methods'), exports: names('exports') },
    notFunctions: sections.flatMap((section) =>
      all(section)
        .filter(([, one]) => typeof one !== 'function')
        .map(([name, one]) => `${section}.${name}: ${typeof one}`),
    ),
  };
}

const names = Object.keys(plugins);

test('there are 50', () => {
  expect(names).toHaveLength(50);
});

test.each(names)('%s', async (name) => {
  const wrong = plugins[name] ?? { says: [] };
  const said = await saidOf(wrong);

  for (const word of wrong.says) expect(said).toContain(word);
});
