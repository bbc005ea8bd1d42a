/** What a check reads out of a manifest and a bundle, without running either. */
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuthorFolder } from '../../test/support/author-plugin.ts';
import type { Manifest } from '../../plugin-api/index.ts';
import { bundlePlugin } from './bundle.ts';
import type { DescribedPlugin } from './guest-rehearsal.ts';
import { reviewCode } from './review-code.ts';
import { reviewHandlers } from './review-handlers.ts';
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
const nothing: DescribedPlugin = { events: [], hooks: [], views: [], actions: [], methods: [] };
const messages = (findings: readonly { readonly message: string }[]) =>
  findings.map(({ message }) => message);

describe('a bundle', () => {
  test.each([
    ['fetch("https://a.test")', /uses fetch, .* host\.net\.fetch asks the network/],
    ['const home = process.env.HOME;', /uses process/],
    ['Buffer.from("a")', /uses Buffer, .*Uint8Array/],
    ['const a = require("a");', /uses require/],
    ['host.kv.put({ key: "a" })', /host\.kv has no method put; it has get, set, remove/],
    ['async (_, host) => host.fs.write({})', /host\.fs has no method write; it has list/],
    ['[{ type: "action", slot: "settings-pane" }]', /The slot settings-pane .*settings-panes/],
    ['[{ type: "html", html: "<b>" }]', /type html is dropped/],
  ])('that has %s is told that no server does that', (code, why) => {
    expect(messages(reviewCode(withViews, code))).toEqual([expect.stringMatching(why)]);
  });

  test.each([
    'host.net.fetch({ url: "https://a.test" })',
    'const fetch = make(); fetch("a")',
    'typeof process === "undefined" ? "" : process.env.HOME',
    'options.process.exit(); my.Buffer.from("a")',
    'host.kv.get({ key: "a" }); host.viewer?.role',
    '[{ type: "form", slot: "settings-panes" }]',
  ])('that has %s is not', (code) => {
    expect(reviewCode(withViews, code)).toEqual([]);
  });
});

describe('a source that does not build', () => {
  test.each([
    ["import 'node:path';", /no modules of Node; docs\/plugin-globals\.md/],
    ["import chunk from 'lodash/chunk'; export default chunk;", /Run npm install lodash in/],
  ])('says what to do about %s', async (source, hint) => {
    const { folder, remove } = createAuthorFolder({}, source);
    onTestFinished(remove);

    await expect(bundlePlugin(path.join(folder, 'index.ts'))).rejects.toThrow(hint);
  });
});

describe('permissions', () => {
  const secrets = manifestOf({ permissions: { net: ['a.test'], secrets: true } });
  const inHeader = 'host.net.fetch({ url, headers: { authorization: "{secret:apiKey}" } })';

  test('secrets are used in a header that names one', () => {
    expect(reviewPermissions(secrets, inHeader)).toEqual([]);
    expect(messages(reviewPermissions(secrets, 'host.net.fetch({ url })'))).toEqual([
      expect.stringContaining('permissions.secrets is asked for'),
    ]);
  });

  test('each service that is not used is named, and each that is used and not asked for', () => {
    const asking = manifestOf({ permissions: { eventLog: true, notifications: true } });

    expect(messages(reviewPermissions(asking, 'export default {};'))).toEqual([
      'permissions.eventLog is asked for, and the plugin never uses host.eventLog.',
      'permissions.notifications is asked for, and the plugin never uses host.notifications.',
    ]);
    expect(messages(reviewPermissions(manifestOf({}), 'host.notifications.tell({})'))).toEqual([
      expect.stringContaining('permissions.notifications is not asked for'),
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
  test('that names a capability and not what it is for is told so', () => {
    const incomplete = manifestOf({ capabilities: ['probe', 'filesystem', 'transcode'] });

    expect(messages(reviewManifest(incomplete))).toEqual([
      expect.stringContaining('capabilityConfig.probe.extensions'),
      expect.stringContaining('permissions.files, "read"'),
      expect.stringContaining('capabilityConfig.filesystem.schemes'),
      expect.stringContaining('The capability transcode has no method'),
    ]);
  });

  test('that needs another plugin is told that it starts only with it', () => {
    expect(messages(reviewManifest(manifestOf({ dependencies: { other: '^1.0.0' } })))).toEqual([
      'It starts only where the plugin other ^1.0.0 runs.',
    ]);
    expect(reviewManifest(manifestOf({}))).toEqual([]);
  });
});
