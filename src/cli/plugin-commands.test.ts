import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { manifestOf } from '../../test/support/packages.ts';
import { temporaryFolder } from '../../test/support/storage.ts';
import { createIndexReader } from '../../kernel/index.ts';
import { parseProgram } from './program.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

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
  test('keygen makes a private key for its owner alone, and never overwrites one', async () => {
    const key = await keygen('publisher.key');

    expect(key).not.toBe('');
    expect(statSync(path.join(folder, 'publisher.key')).mode & 0o777).toBe(0o600);
    expect((await vitrine('keygen', '--out', 'publisher.key')).complaint).toMatch(
      /not overwritten/,
    );
  });

  test('pack gives the same bytes for the same source, without what nobody needs in it', async () => {
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

  test('sign signs what was packed without a key, and verify says whose it is', async () => {
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

  test('verify refuses a package of which one bit is another', async () => {
    writePlugin();
    await keygen('publisher.key');
    await vitrine('pack', 'a-plugin', '--key', 'publisher.key');
    const file = path.join(folder, 'a-plugin-1.0.0.vplugin');
    const bytes = readFileSync(file);
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    writeFileSync(file, bytes);

    expect((await vitrine('verify', file)).complaint).toContain('INVALID_PACKAGE');
  });

  test.each([
    ['a manifest that is refused', { version: '1' }, good, /version: "1" is no strict/],
    ['a main that is not there', { main: 'gone.js' }, good, /main: gone.js is not in the package/],
    ['a source that does not parse', {}, 'export default {', /not one bundled ES module/],
    ['a source without default export', {}, 'const a = 1;', /no default export/],
    ['a source that imports', {}, 'import "fs"; export default {};', /bundle it into main/],
  ])('check and pack refuse %s', async (_, fields, source, message) => {
    writePlugin(fields, source);

    const checked = await vitrine('check', 'a-plugin');

    expect(checked.exitCode).toBe(1);
    expect(checked.complaint).toMatch(message);
    expect((await vitrine('pack', 'a-plugin')).exitCode).toBe(1);
  });

  test('check warns of powers without a reason, and of powers that are not used', async () => {
    writePlugin(
      { permissions: { kv: { quotaMb: 1 }, secrets: true, reasons: { kv: 'Cache' } } },
      ['export default { methods: { ping: (_, host) => host.kv.get({ key: "a" }) } };'].join('\n'),
    );

    const { output, exitCode } = await vitrine('check', 'a-plugin');

    expect(exitCode).toBe(0);
    expect(output).toMatch(/permissions.secrets has no reason/);
    expect(output).toMatch(
      /permissions.secrets is asked for, and the plugin never uses host.secrets/,
    );
    expect(output).not.toMatch(/permissions.kv/);
    expect(output).toMatch(/a-plugin 1.0.0 would be taken/);
  });

  test('publish adds to a signed index, versions newest first, and never changes one', async () => {
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
      complaint: expect.stringMatching(/a version never changes/),
    });
  });

  test('publish refuses the package of another publisher until a rotation tells of the key', async () => {
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
  });

  test('revoke marks versions with the reason that admins are told', async () => {
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

  test('a source belongs to its key', async () => {
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

    expect(complaint).toMatch(/is signed with the key .* and --key is another/);
  });
});
