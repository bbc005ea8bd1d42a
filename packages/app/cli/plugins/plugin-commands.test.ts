import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { manifestOf } from '../../../../test/support/plugins/packages.ts';
import { temporaryFolder } from '../../../../test/support/storage/storage.ts';
import { createIndexReader } from '../../../../kernel/run/packages/index.ts';
import { parseProgram } from '../program.ts';
import { testByNight } from '../../../../test/support/run/test-by-night.ts';

let folder: string;
/** What `published` made; '' = nothing yet. */
let prepared = '';
beforeEach(() => {
  folder = temporaryFolder();
});
afterAll(() => rmSync(prepared, { recursive: true, force: true }));

async function vitrine(...args: readonly string[]) {
  let output = '';
  let complaint = '';
  const asked = parseProgram({
    args: ['plugin', ...args],
    env: {},
    cwd: folder,
    version: '1.2.3',
    write: (text) => (output += text),
    complain: (text) => (complaint += text),
  });
  const exitCode = asked.command === 'task' ? await asked.run() : 2;
  return { output, complaint, exitCode };
}

const good = 'export default {};';

function writePlugin(fields: Readonly<Record<string, unknown>> = {}, source = good): void {
  const at = path.join(folder, 'a-plugin');
  mkdirSync(path.join(at, 'node_modules/left-out'), { recursive: true });
  writeFileSync(
    path.join(at, 'manifest.json'),
    JSON.stringify(manifestOf({ id: 'a-plugin', ...fields })),
  );
  writeFileSync(path.join(at, 'index.js'), source);
  writeFileSync(path.join(at, 'index.test.js'), 'left out');
  writeFileSync(path.join(at, '.env'), 'SECRET=1');
  writeFileSync(path.join(at, 'node_modules/left-out/index.js'), 'left out');
}

const keygen = async (file: string): Promise<string> =>
  /[0-9a-f]{64}/.exec((await vitrine('keygen', '--out', file)).output)?.[0] ?? '';

const readIndex = async () => {
  const read = await createIndexReader()(
    readFileSync(path.join(folder, 'site/index.json'), 'utf8'),
  );
  if (!read.ok) throw new Error(read.fault);
  return read.index;
};

describe('vitrine plugin', () => {
  test('keygen creates a private key that only its owner can read, and never overwrites one', async () => {
    const key = await keygen('publisher.key');

    expect(key).not.toBe('');
    expect(statSync(path.join(folder, 'publisher.key')).mode & 0o777).toBe(0o600);
    expect((await vitrine('keygen', '--out', 'publisher.key')).complaint).toMatch(
      /never overwritten/,
    );
  });

  test('pack gives the same bytes for the same source, and leaves out files that a package does not need', async () => {
    writePlugin();
    await keygen('publisher.key');

    const first = await vitrine('pack', 'a-plugin', '--key', 'publisher.key');
    const second = await vitrine(
      'pack',
      'a-plugin',
      '--key',
      'publisher.key',
      '--out',
      'b.vplugin',
    );

    const file = path.join(folder, 'a-plugin-1.0.0.vplugin');
    expect(first).toEqual({ output: `${file}\n`, complaint: '', exitCode: 0 });
    expect(second.exitCode).toBe(0);
    expect(readFileSync(file).equals(readFileSync(path.join(folder, 'b.vplugin')))).toBe(true);
    expect((await vitrine('verify', 'b.vplugin')).output).toMatch(/, 3 files$/m);
  });

  test('sign signs an unsigned package, and verify prints its publisher', async () => {
    writePlugin({ id: '@someone/tags' });
    const key = await keygen('publisher.key');
    await vitrine('pack', 'a-plugin');
    const file = 'someone-tags-1.0.0.vplugin';

    const unsigned = await vitrine('verify', file);
    const signed = await vitrine('sign', file, '--key', 'publisher.key');
    const verified = await vitrine('verify', file, '--publisher', key);
    const stranger = await vitrine('verify', file, '--publisher', 'ab'.repeat(32));

    expect(unsigned).toMatchObject({
      exitCode: 1,
      complaint: expect.stringMatching(/SIGNATURE_INVALID/),
    });
    expect(signed.exitCode).toBe(0);
    expect(verified).toMatchObject({ exitCode: 0 });
    expect(verified.output).toContain(`publisher ${key}`);
    expect(stranger).toMatchObject({ exitCode: 1 });
  });

  test('verify refuses a package with one changed bit', async () => {
    writePlugin();
    await keygen('publisher.key');
    const packed = await vitrine('pack', 'a-plugin', '--key', 'publisher.key');
    expect(packed.complaint).toBe('');
    const file = path.join(folder, 'a-plugin-1.0.0.vplugin');
    const bytes = readFileSync(file);
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    writeFileSync(file, bytes);

    expect((await vitrine('verify', file)).complaint).toContain('INVALID_PACKAGE');
  });

  test.each([
    ['a manifest that is refused', { version: '1' }, good, /version: "1" is not a strict/],
    [
      'a level that a power does not have',
      { permissions: { files: 'write' } },
      good,
      /permissions\.files: "write" is not one of read\./,
    ],
    ['a missing main', { main: 'gone.js' }, good, /main: gone.js is not in the package/],
    ['a source that does not parse', {}, 'export default {', /not one bundled ES module/],
    ['a source without default export', {}, 'const a = 1;', /no default export/],
    [
      'a source that imports',
      {},
      'import "fs"; export default {};',
      /no modules of Node; host\.fs/,
    ],
  ])('check and pack refuse %s', async (_, fields, source, message) => {
    writePlugin(fields, source);

    const checked = await vitrine('check', 'a-plugin');

    expect(checked.exitCode).toBe(1);
    expect(checked.complaint).toMatch(message);
    expect((await vitrine('pack', 'a-plugin')).exitCode).toBe(1);
  });

  testByNight(
    'check warns of permissions without a reason, and of unused permissions',
    async () => {
      writePlugin(
        { permissions: { kv: { quotaMb: 1 }, secrets: true, reasons: { kv: 'Cache' } } },
        ['export default { methods: { ping: (_, host) => host.kv.get({ key: "a" }) } };'].join(
          '\n',
        ),
      );

      const { output, exitCode } = await vitrine('check', 'a-plugin');

      expect(exitCode).toBe(0);
      expect(output).toMatch(/permissions.secrets has no reason/);
      expect(output).toMatch(
        /permissions.secrets is asked for, and the plugin never uses host.secrets/,
      );
      expect(output).not.toMatch(/permissions.kv/);
      expect(output).toMatch(
        /An admin reads before it may do anything:\n {2}It can keep .*\n {4}Why: Cache\n/,
      );
      expect(output).toMatch(/a-plugin 1.0.0 would be accepted/);
    },
  );

  testByNight(
    'publish adds versions to a signed index, newest first, and never changes a version',
    async () => {
      const publisher = await keygen('publisher.key');
      const source = await keygen('source.key');
      const publish = () =>
        vitrine('publish', 'p.vplugin', '--index', 'site', '--key', 'source.key', '--name', 'Mine');
      for (const version of ['1.0.0', '1.2.0', '1.1.0']) {
        writePlugin({ version });
        await vitrine('pack', 'a-plugin', '--key', 'publisher.key', '--out', 'p.vplugin');
        expect(await publish()).toMatchObject({ exitCode: 0, complaint: '' });
      }

      const index = await readIndex();
      expect(index).toMatchObject({ name: 'Mine', publisherKey: source });
      expect(index.plugins).toMatchObject([{ id: 'a-plugin', publisherKey: publisher }]);
      expect(index.plugins[0]?.versions.map(({ version }) => version)).toEqual([
        '1.2.0',
        '1.1.0',
        '1.0.0',
      ]);
      const [newest] = index.plugins[0]?.versions ?? [];
      const file = readFileSync(path.join(folder, 'site', newest?.url ?? ''));
      expect(file.length).toBe(newest?.size);

      writePlugin({ version: '1.0.0', description: 'Another.' });
      await vitrine('pack', 'a-plugin', '--key', 'publisher.key', '--out', 'p.vplugin');
      expect(await publish()).toMatchObject({
        exitCode: 1,
        complaint: expect.stringMatching(/A published version cannot change/),
      });
    },
  );

  /** A folder with keys, a package and its source, made once and copied. */
  async function published(): Promise<readonly string[]> {
    const to = ['--index', 'site', '--key', 'source.key'];
    if (prepared !== '') {
      cpSync(prepared, folder, { recursive: true });
      return to;
    }
    await keygen('publisher.key');
    await keygen('source.key');
    writePlugin();
    await vitrine('pack', 'a-plugin', '--key', 'publisher.key', '--out', 'p.vplugin');
    await vitrine('publish', 'p.vplugin', ...to, '--name', 'Mine');
    prepared = mkdtempSync(path.join(tmpdir(), 'vitrine-published-'));
    cpSync(folder, prepared, { recursive: true });
    return to;
  }

  testByNight(
    'an index lasts 14 days, keeps its id, and has a higher sequence after each change',
    async () => {
      const to = await published();
      const first = await readIndex();
      const renewed = await vitrine('renew', ...to, '--expires-days', '30');
      const second = await readIndex();
      await vitrine('revoke', 'a-plugin', ...to, '--reason', 'It leaks.');
      const third = await readIndex();

      const days = ({ updatedAt, expiresAt }: typeof first) =>
        (Date.parse(expiresAt) - Date.parse(updatedAt)) / 86_400_000;
      expect([first, second, third].map(days)).toEqual([14, 30, 14]);
      expect([first, second, third].map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
      expect(new Set([first, second, third].map(({ indexId }) => indexId)).size).toBe(1);
      expect(renewed).toMatchObject({ exitCode: 0, complaint: '' });
      expect(renewed.output).toContain(`expires at ${second.expiresAt}`);
      expect(second.plugins).toEqual(first.plugins);
    },
  );

  testByNight(
    'an index has all that an admin decides on, and the texts of the package',
    async () => {
      await keygen('publisher.key');
      await keygen('source.key');
      writePlugin({
        ...{ author: 'Ada', license: 'MIT', homepage: 'https://ada.example' },
        ...{ capabilities: ['search'], permissions: { net: ['a.example'] } },
        subscriptions: { events: ['playback.*'] },
      });
      const page = (file: string, text: string) =>
        writeFileSync(path.join(folder, 'a-plugin', file), text);
      page('README.md', `# A\r\n\u001b[2Jplugin ${'é'.repeat(20_000)}`);
      page('CHANGELOG.md', '1.0.0: the first.');
      await vitrine('pack', 'a-plugin', '--key', 'publisher.key', '--out', 'p.vplugin');
      const to = ['--index', 'site', '--key', 'source.key', '--name', 'Mine'];
      const { exitCode } = await vitrine('publish', 'p.vplugin', ...to);
      const [plugin] = (await readIndex()).plugins;

      expect(exitCode).toBe(0);
      expect(plugin).toMatchObject({
        ...{ author: 'Ada', license: 'MIT', homepage: 'https://ada.example' },
        changes: '1.0.0: the first.',
        versions: [
          {
            permissions: { net: ['a.example'], serves: ['search'], hears: ['playback'] },
            capabilities: ['search'],
            subscriptions: { events: ['playback.*'] },
          },
        ],
      });
      expect(plugin?.readme).toMatch(/^# A\n\[2Jplugin é+…$/);
      expect(plugin?.readme).toHaveLength(16_000);
      expect(plugin).not.toHaveProperty('repository');
    },
  );

  test('publish into a new folder creates an index, with the words of each language', async () => {
    const [, , ...key] = await published();
    writePlugin({ permissions: { net: ['a.example'], reasons: { net: 'To ask.' } } });
    mkdirSync(path.join(folder, 'a-plugin/locales'));
    const german = { name: 'Ein Plugin', reasons: { net: 'Um zu fragen.' } };
    writeFileSync(path.join(folder, 'a-plugin/locales/de.json'), JSON.stringify(german));
    await vitrine('pack', 'a-plugin', '--key', 'publisher.key', '--out', 'q.vplugin');
    await vitrine('publish', 'q.vplugin', '--index', 'other', ...key, '--name', 'Mine');
    const other = JSON.parse(readFileSync(path.join(folder, 'other/index.json'), 'utf8')) as object;

    const translated = {
      translations: { de: { name: 'Ein Plugin' } },
      versions: [{ reasons: { de: german.reasons } }],
    };
    expect(other).toMatchObject({ sequence: 1, plugins: [translated] });
    expect(other).not.toMatchObject({ indexId: (await readIndex()).indexId });
  });

  test.each(['0', '31', '1.5', 'a week'])('an index cannot last %s days', async (days) => {
    const to = await published();

    expect(await vitrine('renew', ...to, '--expires-days', days)).toEqual({
      output: '',
      complaint: `vitrine: --expires-days ${days}: it must be a whole number of days, 1 to 30.\n`,
      exitCode: 1,
    });
  });

  testByNight(
    'rotate lists the packages of the old key that stay valid, and replaces a key only once',
    async () => {
      const to = await published();
      const [next, other] = [await keygen('next.key'), await keygen('other.key')];
      const good = (await readIndex()).plugins[0]?.versions[0]?.sha256;
      writePlugin({ version: '1.1.0' });
      await vitrine('pack', 'a-plugin', '--key', 'publisher.key', '--out', 'p.vplugin');
      await vitrine('publish', 'p.vplugin', ...to);
      await vitrine('revoke', 'a-plugin', '1.1.0', ...to, '--reason', 'It leaks.');

      const rotated = await vitrine('rotate', ...to, '--from', 'publisher.key', '--to', next);
      const again = await vitrine('rotate', ...to, '--from', 'publisher.key', '--to', other);

      expect(rotated.output).toContain('Packages of the old key that stay valid: 1.');
      expect((await readIndex()).rotations).toMatchObject([{ to: next, packages: [good] }]);
      expect(again.complaint).toMatch(/was replaced by .*; a key can be replaced only once/);
    },
  );

  test('a source can change to a new key, which then signs the index', async () => {
    const [folderFlag = '', site = ''] = await published();
    const next = await keygen('next.key');
    const rotate = (key: string) =>
      vitrine('rotate', folderFlag, site, '--key', key, '--from', 'source.key', '--to', next);

    const withTheOld = await rotate('source.key');
    const withTheNew = await rotate('next.key');
    const later = await vitrine('renew', folderFlag, site, '--key', 'source.key');

    expect(withTheOld.complaint).toMatch(/the replaced key may no longer sign the index/);
    expect(withTheNew).toMatchObject({ exitCode: 0, complaint: '' });
    expect(await readIndex()).toMatchObject({ publisherKey: next, sequence: 2 });
    expect(later.complaint).toMatch(/is signed with the key .* and --key is a different one/);
  });

  testByNight(
    'publish refuses the package of another publisher until a rotation names the key',
    async () => {
      await keygen('publisher.key');
      await keygen('source.key');
      const next = await keygen('next.key');
      const to = ['--index', 'site', '--key', 'source.key'];
      const publishWith = async (key: string, version: string) => {
        writePlugin({ version });
        await vitrine('pack', 'a-plugin', '--key', key, '--out', 'p.vplugin');
        return vitrine('publish', 'p.vplugin', ...to, '--name', 'Mine');
      };
      await publishWith('publisher.key', '1.0.0');

      const before = await publishWith('next.key', '1.1.0');
      const rotated = await vitrine('rotate', ...to, '--from', 'publisher.key', '--to', next);
      const after = await publishWith('next.key', '1.1.0');

      expect(before).toMatchObject({
        exitCode: 1,
        complaint: expect.stringMatching(/vitrine plugin rotate/),
      });
      expect([rotated.exitCode, after.exitCode]).toEqual([0, 0]);
      expect((await readIndex()).plugins[0]?.publisherKey).toBe(next);
    },
  );

  test('revoke marks versions, with the reason that admins see', async () => {
    await keygen('publisher.key');
    await keygen('source.key');
    writePlugin();
    await vitrine('pack', 'a-plugin', '--key', 'publisher.key', '--out', 'p.vplugin');
    const to = ['--index', 'site', '--key', 'source.key'];
    await vitrine('publish', 'p.vplugin', ...to, '--name', 'Mine');

    const { exitCode } = await vitrine(
      'revoke',
      'a-plugin',
      '1.0.0',
      ...to,
      '--reason',
      'It leaks.',
    );
    const none = await vitrine('revoke', 'a-plugin', '9.0.0', ...to, '--reason', 'It leaks.');

    expect(exitCode).toBe(0);
    expect((await readIndex()).plugins[0]?.versions).toMatchObject([{ revoked: 'It leaks.' }]);
    expect(none).toMatchObject({ exitCode: 1, complaint: expect.stringMatching(/no such plugin/) });
  });

  testByNight('a source belongs to its key', async () => {
    await keygen('publisher.key');
    await keygen('source.key');
    await keygen('thief.key');
    writePlugin();
    await vitrine('pack', 'a-plugin', '--key', 'publisher.key', '--out', 'p.vplugin');
    await vitrine(
      'publish',
      'p.vplugin',
      '--index',
      'site',
      '--key',
      'source.key',
      '--name',
      'Mine',
    );

    const { complaint } = await vitrine(
      'publish',
      'p.vplugin',
      '--index',
      'site',
      '--key',
      'thief.key',
    );

    expect(complaint).toMatch(/is signed with the key .* and --key is a different one/);
  });
});
