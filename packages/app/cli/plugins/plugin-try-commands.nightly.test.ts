/** `vitrine plugin check`, `build`, `pack` and `test` on the folder of an author. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  createAuthorFolder,
  type AuthorFolder,
} from '../../../../test/support/plugins/author-plugin.ts';
import { runBuilt } from '../../../../test/support/run/built-program.ts';
import { parseProgram } from '../program.ts';
import { reviewAt, type PluginCheck } from './plugin-check.ts';

async function vitrine(cwd: string, ...args: readonly string[]) {
  let output = '';
  let complaint = '';
  const asked = parseProgram({
    args: ['plugin', ...args],
    env: process.env,
    cwd,
    version: '1.2.3',
    write: (text) => (output += text),
    complain: (text) => (complaint += text),
  });
  const exitCode = asked.command === 'task' ? await asked.run() : 2;
  return { output, complaint, exitCode };
}

function author(manifest: object, source: string): AuthorFolder {
  const made = createAuthorFolder(manifest, source);
  onTestFinished(made.remove);
  return made;
}

const codes = ({ findings }: PluginCheck) => findings.map(({ code, message }) => [code, message]);

test('check finds declared handlers that are missing, and permissions that are not used', async () => {
  const { folder } = author(
    {
      capabilities: ['indexer'],
      permissions: { kv: { quotaMb: 1 }, textIndex: true, reasons: { kv: 'To count.' } },
      subscriptions: {
        events: ['library.item.*', 'job.failed'],
        hooks: [{ name: 'pipeline.index.afterProcess' }],
        views: ['ui.settings.sections'],
      },
      actions: ['gone'],
    },
    `
    // host.textIndex is named only in a comment.
    export default {
      events: { 'library.item.added': (_, host) => host.kv.set({ key: 'a', value: 1 }), 'library.created': () => 1 },
      hooks: { 'pipeline.index.afterProcess': () => null },
      actions: { other: (_, host) => host.net.fetch({ url: 'https://example.org' }) },
      methods: { 'indexer.supports': () => true, 'probe.probe': () => ({ results: [] }) },
    };`,
  );

  const check = await reviewAt(folder);

  expect(check).toMatchObject({ ok: true, id: 'tried-out', version: '1.0.0' });
  expect(check.packedBytes).toBeGreaterThan(200);
  expect(check.startCpuMs).not.toBeNull();
  const told = codes(check).filter(([code]) => code !== 'slow-start');
  expect(told).toEqual([
    ['handler-missing', expect.stringContaining('the event job.failed')],
    ['handler-undeclared', expect.stringContaining('the event library.created')],
    ['handler-missing', expect.stringContaining('the view ui.settings.sections')],
    ['handler-missing', expect.stringContaining('the action gone')],
    ['handler-undeclared', expect.stringContaining('the action other')],
    ['handler-missing', expect.stringContaining('indexer.index')],
    ['handler-undeclared', expect.stringContaining('probe.probe')],
    ['permission-unused', expect.stringContaining('permissions.textIndex')],
    ['permission-missing', expect.stringContaining('permissions.net')],
    ['hook-without-permission', expect.stringContaining('pipeline.index.afterProcess')],
    ['reason-missing', expect.stringContaining('permissions.textIndex')],
    ['reason-missing', expect.stringContaining('permissions.serves')],
    ['reason-missing', expect.stringContaining('permissions.hears')],
    ['reason-missing', expect.stringContaining('permissions.hooks')],
    ['readme-missing', expect.any(String)],
    ['license-missing', expect.any(String)],
  ]);
});

test('check and pack refuse a plugin that does not start, with the line of its source', async () => {
  const { folder, write } = author({ main: 'dist/index.js' }, '');
  write('src/index.ts', "import { no } from '../no.ts';\n\nexport default { events: no() };");
  write(
    'src/no.ts',
    'interface Word {}\nexport const no = (): Word => {\n  throw new Error("No.");\n};',
  );

  const { output, complaint, exitCode } = await vitrine(folder, 'check', '--json');
  const packing = await vitrine(folder, 'pack', '.', '--out', 'a.vplugin');

  const why = 'did not start: No. at no (src/no.ts:3:9) at src/index.ts:3:26';
  expect([exitCode, packing.exitCode]).toEqual([1, 1]);
  expect(complaint).toContain(why);
  expect(packing.complaint).toMatch(/ is not packed\. .* Right is a module that starts/);
  expect(packing.complaint).toContain(why);
  expect(existsSync(path.join(folder, 'a.vplugin'))).toBe(false);
  expect(JSON.parse(output)).toMatchObject({
    ok: false,
    startCpuMs: null,
    findings: expect.arrayContaining([
      { level: 'error', code: 'does-not-start', message: expect.stringContaining('No.') },
    ]),
  });
});

test('pack bundles TypeScript, leaves out files that only the author needs, and is reproducible', async () => {
  const { folder, write } = author({ main: 'dist/index.js' }, 'export default {};');
  write(
    'src/index.ts',
    "import { word } from '../word.ts';\nexport default { actions: { word: () => word } };",
  );
  write('src/word.ts', "export const word: string = 'bundled';");
  write('tsconfig.json', '{}');
  write('README.md', '# Tried out');

  const first = await vitrine(folder, 'pack', '.', '--out', 'a.vplugin');
  await vitrine(folder, 'pack', '.', '--out', 'b.vplugin');

  expect(first).toMatchObject({ exitCode: 0 });
  const bytes = readFileSync(path.join(folder, 'a.vplugin'));
  expect(bytes.equals(readFileSync(path.join(folder, 'b.vplugin')))).toBe(true);
  expect(existsSync(path.join(folder, 'dist'))).toBe(false);
  expect((await reviewAt(path.join(folder, 'a.vplugin'))).ok).toBe(true);
  const built = await vitrine(folder, 'build');
  expect(built.output).toBe(`${path.join(folder, 'dist/index.js')}\n`);
  expect(readFileSync(path.join(folder, 'dist/index.js'), 'utf8')).toContain('bundled');
});

test('test runs the named tests in the sandbox, and exits with their exit code', async () => {
  const { folder, write } = author(
    { actions: ['add'] },
    "import { definePlugin } from '@vitrine/plugin-api';\nexport default definePlugin({ actions: { add: ({ a, b }) => Number(a) + Number(b) } });",
  );
  write(
    'plugin.test.ts',
    `import { expect, test } from 'vitest';
    import { openPlugin } from 'vitrine/plugin-test';
    test('adds', async () => {
      await using plugin = await openPlugin(import.meta.dirname);
      expect(await plugin.action('add', { a: 1, b: 2 })).toBe(3);
    });
    test('adds wrongly', () => expect(1 + 2).toBe(4));
    test('is left out', () => expect(1 + 2).toBe(4));`,
  );

  const ended = await runBuilt(['plugin', 'test', '.', '-t', 'adds'], folder);

  expect(ended).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/Tests +1 failed \| 1 passed \| 1 skipped \(3\)/),
  });
  expect(existsSync(path.join(folder, 'node_modules'))).toBe(false);
}, 180_000);

test('a folder that is not a plugin is refused with a message', async () => {
  const { folder } = author({}, '');

  expect(await vitrine(folder, 'test', 'elsewhere')).toMatchObject({
    exitCode: 1,
    complaint: expect.stringContaining('it is not a plugin'),
  });
});
