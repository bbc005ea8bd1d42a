/** The commands against a real server, with a marketplace source on the loopback. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpSource } from '../../../test/support/servers/http-source.ts';
import {
  startMarketplaceSite,
  type MarketplaceSite,
} from '../../../test/support/plugins/marketplace-site.ts';
import { createPublisher } from '../../../test/support/plugins/packages.ts';
import { adminToken, startServer, type TestServer } from '../../../test/support/servers/server.ts';
import { parseProgram } from './program.ts';

const publisher = createPublisher();
const reason = 'To look up\u001b[2J films.';
const first = { kv: { quotaMb: 1 }, net: ['a.example'], reasons: { net: reason } };
const second = { ...first, library: 'read', net: ['a.example', 'b.example'] };

let folder: string;
let site: MarketplaceSite;
let server: TestServer;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'vitrine-market-'));
  site = await startMarketplaceSite();
  server = await startServer({ env: { VITRINE_MARKETPLACE_MINUTES: '0' } });
}, 60_000);

afterAll(async () => {
  await server.stop();
  await site.close();
  rmSync(folder, { recursive: true });
});

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  /** The input on the terminal; absent = there is no terminal. */
  readonly typed?: string;
  readonly at?: string;
}

async function vitrine(
  args: readonly string[],
  { env = { VITRINE_TOKEN: adminToken }, typed, at = server.url }: Surroundings = {},
) {
  let output = '';
  let complaint = '';
  const asked = parseProgram({
    args: ['plugin', ...args, '--server', at],
    env,
    cwd: folder,
    version: '1.2.3',
    write: (text) => (output += text),
    complain: (text) => (complaint += text),
    stdin: Object.assign(new PassThrough().end(typed ?? ''), { isTTY: typed !== undefined }),
  });
  const exitCode =
    asked.command === 'task' ? await asked.run() : asked.command === 'none' ? asked.exitCode : -1;
  return { output, complaint, exitCode };
}

const publish = (id: string, version: string, permissions: object) =>
  site.publish({ id, version, permissions }, { signer: publisher, source: 'export default {};' });
const granted = async (id: string) =>
  (await server.get<{ granted: unknown }>(`/api/plugins/${id}/permissions`)).granted;
const versionOf = async (id: string) =>
  (await server.get<{ plugin: { version: string } }>(`/api/plugins/${id}`)).plugin.version;

describe('vitrine plugin, at a server', () => {
  test('adds a source, pins its key and lists it', async () => {
    publish('keeper', '1.0.0', first);
    publish('quiet', '1.0.0', {});

    const none = await vitrine(['sources']);
    const wrong = await vitrine([
      'sources',
      'add',
      site.indexUrl,
      '--publisher-key',
      'ab'.repeat(32),
    ]);
    const added = await vitrine(['sources', 'add', site.indexUrl]);
    const listed = await vitrine(['sources']);

    expect(none).toMatchObject({ exitCode: 0, output: expect.stringMatching(/no source yet/) });
    expect(wrong).toMatchObject({
      exitCode: 1,
      output: '',
      complaint: expect.stringMatching(/^vitrine: .*\(PUBLISHER_CHANGED\)\n$/),
    });
    expect(added).toMatchObject({ exitCode: 0, complaint: '' });
    expect(added.output).toContain(site.key.publicKey);
    expect(listed.output).toMatch(/\tA source\thttp.*\t2 plugins\n$/);
  });

  test('searches the plugins that the sources offer', async () => {
    const found = await vitrine(['search', 'keeper', 'test']);
    const nothing = await vitrine(['search', 'nowhere']);

    expect(found.output).toBe('keeper\t1.0.0\tA source\tnot installed\tWritten by a test.\n');
    expect(nothing).toMatchObject({ exitCode: 0, output: expect.stringMatching(/No source/) });
  });

  test('prints the details that a source gives of a plugin, before it is installed', async () => {
    site.publish(
      {
        ...{ id: 'told', version: '1.0.0', capabilities: ['search'], actions: ['find'] },
        subscriptions: { events: ['library.*'], views: ['ui.settings.sections'] },
        configuration: [
          { key: 'nas', label: 'Your NAS', input: 'string-list', grants: 'private-hosts' },
        ],
        permissions: { net: ['a.example'] },
      },
      { signer: publisher },
    );
    site.change(({ plugins }) => ({
      plugins: plugins.map((plugin) =>
        plugin.id === 'told'
          ? { ...plugin, homepage: 'https://told.example', readme: 'First.\n\tSecond \u202e.' }
          : plugin,
      ),
    }));
    await vitrine(['sources', 'refresh']);

    const { output, exitCode } = await vitrine(['info', 'told']);

    expect(exitCode).toBe(0);
    expect(output).toMatch(
      /^told, by A test \(MIT\)\nWritten by a test\.\nhttps:\/\/told\.example\ntold 1\.0\.0, published by/,
    );
    for (const power of ['net', 'serves', 'hears']) expect(output).toContain(`  ${power}: It `);
    expect(output).toContain('It adds views: ui.settings.sections.\nIt has the actions: find.\n');
    expect(output).toContain(
      'Provides: search\nEvents: library.*\nHosts that you may let it reach: Your NAS\n',
    );
    expect(output).toContain('Versions: 1.0.0\nSource: A source\n');
    expect(output).toMatch(/--- README ---\nFirst\.\n Second {2}\.\n$/);
    expect((await vitrine(['info', 'nowhere'])).complaint).toMatch(/No source offers/);
  });

  test('lists the permissions that a plugin asks for, with reasons, and installs nothing without consent', async () => {
    const nobody = await vitrine(['install', 'keeper']);
    const no = await vitrine(['install', 'keeper'], { typed: 'n\n' });
    const silent = await vitrine(['install', 'keeper'], { typed: '' });

    for (const { output } of [nobody, no, silent]) {
      expect(output).toContain('keeper 1.0.0, published by ' + publisher.publicKey);
      expect(output).toContain('  kv: It can keep up to 1 MB of its own on the server.\n');
      expect(output).toContain('    It gives no reason.\n');
      expect(output).toContain('  net: It can send to and read from a.example.\n');
      expect(output).toContain('    Why: To look up [2J films.\n');
    }
    expect(nobody).toMatchObject({ exitCode: 2, complaint: expect.stringMatching(/use --yes/) });
    expect([no.exitCode, silent.exitCode]).toEqual([1, 1]);
    expect((await server.request('GET', '/api/plugins/keeper')).status).toBe(404);
  });

  test('installs a plugin after consent, with the permissions that were shown', async () => {
    const typed = await vitrine(['install', 'keeper'], { typed: 'y\n' });
    const flagged = await vitrine(['install', 'quiet', '1.0.0', '--yes']);
    const again = await vitrine(['install', 'keeper', '--yes']);
    const unknown = await vitrine(['install', 'nothing', '--yes']);

    expect(typed).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(
        /Install keeper\? \[y\/N\] keeper is installed: 1.0.0 \(running\)/,
      ),
    });
    expect(flagged).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/asks for nothing/),
    });
    expect(await granted('keeper')).toEqual({ kv: { quotaMb: 1 }, net: ['a.example'] });
    expect(again).toMatchObject({ exitCode: 1, complaint: expect.stringMatching(/upgrade it/) });
    expect(unknown).toMatchObject({ exitCode: 1, complaint: expect.stringMatching(/NOT_FOUND/) });
  });

  test('marks the new permissions of a newer version, and does not grant those that were denied before', async () => {
    await server.request('PUT', '/api/plugins/keeper/permissions', {
      granted: { net: ['a.example'] },
    });
    publish('keeper', '1.1.0', second);
    await vitrine(['sources', 'refresh']);

    const listed = await vitrine(['list']);
    const no = await vitrine(['upgrade', 'keeper'], { typed: '\n' });
    const before = await versionOf('keeper');
    const yes = await vitrine(['upgrade', 'keeper', '--yes']);

    expect(listed.output).toMatch(/^keeper\t1.0.0\tmarketplace\trunning\t1.1.0 is available$/m);
    expect(no).toMatchObject({ exitCode: 1, complaint: expect.stringMatching(/is unchanged/) });
    expect(before).toBe('1.0.0');
    expect(yes.output).toContain('keeper 1.1.0 (now 1.0.0)');
    expect(yes.output).toContain('  NEW  library: It can see what is in your libraries.\n');
    expect(yes.output).toContain(
      '  NEW  net: It can send to and read from a.example and b.example.',
    );
    expect(yes.output).toContain('  kv: ');
    expect(yes).toMatchObject({ exitCode: 0, complaint: '' });
    expect(await versionOf('keeper')).toBe('1.1.0');
    expect(await granted('keeper')).toEqual({ net: ['a.example', 'b.example'], library: 'read' });
    expect((await vitrine(['upgrade', 'keeper', '--yes'])).complaint).toMatch(/ALREADY_LATEST/);
  });

  test('asks the sources, and upgrades all plugins, with one answer for each or one for the rest', async () => {
    publish('keeper', '1.2.0', second);
    publish('quiet', '1.1.0', {});

    const one = await vitrine(['upgrade', '--all'], { typed: 'n\ny\n' });
    const between = [await versionOf('keeper'), await versionOf('quiet')];
    const rest = await vitrine(['upgrade', '--all'], { typed: 'a\n' });
    const nothing = await vitrine(['upgrade', '--all']);

    expect(one.exitCode).toBe(1);
    expect(between).toEqual(['1.1.0', '1.1.0']);
    expect(rest).toMatchObject({ exitCode: 0, complaint: '' });
    expect(await versionOf('keeper')).toBe('1.2.0');
    expect(nothing).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/No plugin has a newer/),
    });
  });

  test('asks the source before it upgrades or installs, and says which source does not answer', async () => {
    publish('quiet', '1.2.0', {});
    publish('late', '1.0.0', {});

    const upgraded = await vitrine(['upgrade', 'quiet', '--yes']);
    const installed = await vitrine(['install', 'late', '--yes']);
    site.replace('/index.json', Buffer.from('gone'));
    const away = await vitrine(['upgrade', 'quiet', '--yes']);
    site.change((index) => index);

    expect(upgraded).toMatchObject({ exitCode: 0, complaint: '' });
    expect(await versionOf('quiet')).toBe('1.2.0');
    expect(installed).toMatchObject({ exitCode: 0, complaint: '' });
    expect(away.complaint).toMatch(/^vitrine: the source A source does not answer; .*\n.*ALREADY/);
  });

  test('lists the calls that another grant, or the permissions of a version, would have refused', async () => {
    publish('keeper', '1.3.0', { net: ['a.example'] });
    await server.request('POST', '/api/plugins/marketplace/refresh');

    const offered = await vitrine(['dry-run', 'keeper', '1.3.0']);
    const narrow = await vitrine(['dry-run', 'webhooks', '--granted', '{}']);
    const unknown = await vitrine(['dry-run', 'keeper', '9.9.9']);

    expect(offered).toEqual({
      exitCode: 0,
      complaint: '',
      output: '0 of 0 calls would have been refused.\n',
    });
    expect(narrow.output).toMatch(/It would not be called at the times that it has scheduled\.\n/);
    expect(narrow.exitCode).toBe(1);
    expect(unknown).toMatchObject({ exitCode: 1, complaint: expect.stringMatching(/NOT_FOUND/) });
  });

  test('grants named libraries, says what that means, and adds no other library', async () => {
    mkdirSync(path.join(folder, 'Kids'));
    const library = { name: 'Films', type: 'movies', roots: [folder] };
    await server.request('POST', '/api/libraries', library);
    await server.request('POST', '/api/libraries', { ...library, name: 'A=B' });

    const narrowed = await vitrine(['grant', 'keeper', '--library', 'Films=Kids', '--yes']);
    const again = await vitrine(['grant', 'keeper', '--granted', '{"net":["a.example"]}', '--yes']);
    const shown = await vitrine(['permissions', 'keeper']);
    const other = await vitrine(['grant', 'keeper', '--library', 'A=B', '--yes']);
    const all = await vitrine(['grant', 'keeper', '--all-libraries', '--yes']);

    expect(narrowed.exitCode).toBe(0);
    expect(narrowed.output).toContain('in Films (only Kids), and in no other\n');
    for (const { output } of [narrowed, again, shown])
      expect(output).toContain(
        'It may touch Films (only the folder Kids) and no other library; it receives nothing about other libraries.\nLibraries that it may not access: A=B\n',
      );
    expect(other.output).toContain('It may touch A=B and no other library');
    expect(all.output).toContain('It may touch all libraries, also future ones.\n');
  });

  test.each([
    [['--library', 'Music', '--yes'], 1, 'There is no library Music; there are'],
    [['--library', 'Films=../x', '--yes'], 1, 'is not a folder'],
    [['--library', 'Films=Kidz', '--yes'], 1, 'Kidz is not a folder of Films that can be granted'],
    [['--library', 'Films', 'Films=Kids', '--yes'], 2, 'either the whole library or folders'],
    [['--library', 'Films', '--all-libraries', '--yes'], 2, 'use only one of them'],
    [['--granted', 'x', '--yes'], 2, '--granted is not JSON'],
    [['--library', 'Films'], 2, 'use --yes'],
  ])('refuses grant %j', async (flags, exitCode, why) => {
    const refused = await vitrine(['grant', 'keeper', ...flags]);

    expect(refused).toMatchObject({ exitCode, complaint: expect.stringContaining(why) });
  });

  test('sets, lists and removes secrets, and never prints their values', async () => {
    const value = 'k3y-of-sixteen-or-more';
    writeFileSync(path.join(folder, 'key.txt'), `${value}\n`);
    const { body } = await server.request('GET', '/api/profiles');
    const [profile] = (body as { profiles: readonly { id: string }[] }).profiles;
    const forProfile = ['--profile', profile?.id ?? ''];
    const from = ['--value-file', 'key.txt'];

    const set = await vitrine(['secrets', 'set', 'webhooks', 'spare', ...from]);
    const listed = await vitrine(['secrets', 'webhooks']);
    const own = await vitrine(['secrets', 'set', 'webhooks', 'own', ...forProfile, ...from]);
    const ofProfile = await vitrine(['secrets', 'webhooks']);
    const gone = await vitrine(['secrets', 'remove', 'webhooks', 'own', ...forProfile]);
    const removed = await vitrine(['secrets', 'remove', 'webhooks', 'spare']);
    const again = await vitrine(['secrets', 'remove', 'webhooks', 'spare']);
    const modest = await vitrine(['secrets', 'set', 'keeper', 'a', '--value-file', 'key.txt']);
    const nothing = await vitrine(['secrets', 'set', 'keeper', 'a']);

    expect(set).toEqual({ exitCode: 0, complaint: '', output: 'spare is set.\n' });
    expect(listed.output).toMatch(/^spare\tplugin\tonly signs\t\S+$/m);
    expect(own).toMatchObject({ exitCode: 0, output: 'own is set.\n' });
    expect(ofProfile.output).toMatch(/^own\tprofile [\w-]{22}\tonly signs\t\S+$/m);
    expect(gone).toMatchObject({ exitCode: 0, output: 'own is removed.\n' });
    expect(removed).toMatchObject({ exitCode: 0, output: 'spare is removed.\n' });
    expect(again).toMatchObject({ exitCode: 1 });
    expect(modest).toMatchObject({
      exitCode: 1,
      complaint: expect.stringMatching(/does not ask for secrets/),
    });
    expect(nothing).toMatchObject({ exitCode: 2, complaint: expect.stringMatching(/value-file/) });
    expect(JSON.stringify([set, listed, modest])).not.toContain(value);
  });

  test('rolls back to each earlier version, and removes plugins and sources', async () => {
    const back = await vitrine(['rollback', 'keeper']);
    const second = await vitrine(['rollback', 'keeper']);
    const further = await vitrine(['rollback', 'keeper']);
    const listed = await vitrine(['rollback', 'keeper', '--list']);
    const forth = await vitrine(['rollback', 'keeper', '1.2.0']);
    const unknown = await vitrine(['rollback', 'keeper', '0.9.0']);
    const none = await vitrine(['rollback', 'late', '--list']);
    const removed = await vitrine(['remove', 'keeper']);
    const builtin = await vitrine(['remove', 'search']);
    const [id = ''] = (await vitrine(['sources'])).output.split('\t');

    expect(back).toMatchObject({ exitCode: 0, output: 'keeper is back at 1.1.0 (running).\n' });
    expect(second).toMatchObject({ exitCode: 0, output: 'keeper is back at 1.0.0 (running).\n' });
    expect(further).toMatchObject({ exitCode: 1, complaint: expect.stringMatching(/NOT_FOUND/) });
    expect(listed.output).toMatch(
      /^1\.1\.0\t\S+\twith its data of then\n1\.2\.0\t\S+\twith its data of then\n$/,
    );
    expect(forth).toMatchObject({ exitCode: 0, output: 'keeper is back at 1.2.0 (running).\n' });
    expect(unknown).toMatchObject({
      exitCode: 1,
      complaint: expect.stringMatching(
        /0\.9\.0 of keeper was not installed here.*1\.0\.0, 1\.1\.0/,
      ),
    });
    expect(none.output).toBe('No other version of late was installed here.\n');
    expect(removed.exitCode).toBe(0);
    expect((await server.request('GET', '/api/plugins/keeper')).status).toBe(404);
    expect(builtin).toMatchObject({ exitCode: 1, complaint: expect.stringMatching(/disable it/) });
    expect((await vitrine(['sources', 'remove', id])).exitCode).toBe(0);
    expect((await vitrine(['sources'])).output).toMatch(/no source yet/);
  });

  test('reads the key from a file that only its owner can read', async () => {
    const file = path.join(folder, 'admin.key');
    writeFileSync(file, `${adminToken}\n`, { mode: 0o600 });

    const good = await vitrine(['list', '--token-file', 'admin.key'], { env: {} });
    chmodSync(file, 0o644);
    const open = await vitrine(['list', '--token-file', 'admin.key'], { env: {} });

    expect(good).toMatchObject({ exitCode: 0, complaint: '' });
    expect(good.output).toMatch(/^search\t\S+\tbuiltin\trunning/m);
    expect(open).toMatchObject({ exitCode: 2, complaint: expect.stringMatching(/chmod 600/) });
  });

  test.each<[string, readonly string[], Surroundings, RegExp]>([
    ['no key', ['list'], { env: {} }, /no key.*VITRINE_TOKEN/],
    ['a key on the command line', ['list', '--token', 'vtk_1'], {}, /unknown option/],
    ['a malformed key', ['list'], { env: { VITRINE_TOKEN: 'two words' } }, /this is not a key/],
    ['an invalid address', ['list'], { at: 'ftp://127.0.0.1' }, /address of a server/],
    ['a key in the address', ['list'], { at: 'http://a:b@127.0.0.1' }, /address of a server/],
    ['an upgrade without a plugin', ['upgrade'], {}, /name a plugin, or use --all/],
    ['an upgrade of one and all', ['upgrade', 'a', '--all'], {}, /name a plugin, or use --all/],
    ['an installation without a plugin', ['install'], {}, /missing required argument/],
  ])('exits with 2 for %s', async (_, args, surroundings, message) => {
    const { exitCode, complaint } = await vitrine(args, surroundings);

    expect(exitCode).toBe(2);
    expect(complaint).toMatch(message);
    expect(complaint).not.toContain('two words');
  });

  test('exits with 1 and a message where the address is not that of a Vitrine server', async () => {
    const source = await startHttpSource((request, response) => {
      if (request.url?.startsWith('/moved') !== true) return response.end('<html>');
      return response.writeHead(307, { location: `${server.url}/api/plugins` }).end();
    });
    const stranger = await vitrine(['list'], { at: source.url });
    const moved = await vitrine(['list'], { at: `${source.url}/moved` });
    await source.close();
    const closed = await startHttpSource((_, response) => response.end());
    await closed.close();
    const gone = await vitrine(['list'], { at: closed.url });
    const unknown = await vitrine(['list'], { env: { VITRINE_TOKEN: `vtk_${'0'.repeat(64)}` } });

    expect([stranger, moved, gone, unknown].map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 1]);
    expect(stranger.complaint).toMatch(/is not a Vitrine server/);
    expect(moved.complaint).toMatch(/is not a Vitrine server \(status 307\)/);
    expect(gone.complaint).toMatch(/nothing listens there/);
    expect(unknown.complaint).toMatch(/does not know the key/);
  });
});
