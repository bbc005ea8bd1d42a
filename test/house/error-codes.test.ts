/** Error codes: the catalogues, the docs, the code that raises them and the tests that provoke them agree. */
import { Type } from '@sinclair/typebox';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kernelErrorCodes } from '../../kernel/errors.ts';
import { silentLog } from '../../kernel/index.ts';
import { createDisk, encodePlainPath } from '../../src/files/disk/index.ts';
import { AppError, appErrorCodes } from '../../src/platform/errors.ts';
import { createFilesystems } from '../../src/files/filesystems/index.ts';
import { errorRules } from '../../src/http/error-replies.ts';
import { bearer, createTestApp } from '../support/servers/http.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const sources = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(folder, name)),
  );

const code = sources('kernel', 'packages', 'src').filter((file) => !file.endsWith('.test.ts'));
const tests = sources('kernel', 'packages', 'src', 'test', 'builtin-plugins').filter((file) =>
  file.endsWith('.test.ts'),
);

/** The rows of a table of the docs: its cells, by the code in the first. */
function table(heading: string): ReadonlyMap<string, readonly string[]> {
  const section = read('docs/errors.md').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  return new Map(cells.map(([, name = '', ...rest]) => [name, rest.slice(0, -1)]));
}

describe('docs/errors.md', () => {
  test('tells every code that a client can meet, with its status, and no other', () => {
    const told = [...table('Over HTTP')].map(([name, [status]]) => [name, status]);

    const raised = Object.entries(errorRules).map(([name, rule]) => [
      name,
      `${rule?.status ?? 500}${rule?.hasCode === true ? '' : '\\*'}`,
    ]);
    expect(told.sort()).toEqual(raised.sort());
  });

  test('tells every code that a host call can be refused with, and no other', () => {
    expect([...table('To plugins').keys()].sort()).toEqual(
      [...kernelErrorCodes, 'internal'].sort(),
    );
  });

  test('says of each code what it means and what to do', () => {
    const rows = [...table('Over HTTP').values(), ...table('To plugins').values()];

    expect(rows.filter((cells) => cells.slice(-2).some((cell) => cell === ''))).toEqual([]);
  });
});

/** How each catalogue's codes are raised: by the error itself, or by a table that leads to it. */
const raising: Readonly<Record<'app' | 'kernel', readonly RegExp[]>> = {
  // Refusals of packages are values in the kernel, and become errors in src/plugins/marketplace.
  app: [/new AppError\(\s*'(\w+)'/g, /\brefused\(\s*'([A-Z]\w+)'/g],
  kernel: [
    /new (?:KernelError|DiskFault)\(\s*'(\w+)'/g,
    // kernel/run/permissions/gate.ts
    /\brefuse\(\s*'(\w+)'/g,
    // src/files/disk/disk-fault.ts
    /\bE[A-Z]{3,}: '(\w+)'/g,
  ],
};

const raised = (kind: keyof typeof raising): ReadonlySet<string | undefined> => {
  const text = code.map(read).join('\n');
  return new Set(raising[kind].flatMap((how) => [...text.matchAll(how)].map(([, name]) => name)));
};

describe('every code of the catalogues', () => {
  test('is raised somewhere', () => {
    const [app, kernel] = [raised('app'), raised('kernel')];

    expect(appErrorCodes.filter((name) => !app.has(name))).toEqual([]);
    expect(kernelErrorCodes.filter((name) => !kernel.has(name))).toEqual([]);
  });

  test('is named in a test', () => {
    const named = new Set(
      tests.flatMap(
        (file) => read(file).match(/\b[a-z]+(_[a-z]+)*\b|\b[A-Z][A-Z0-9]+(_[A-Z]+)*\b/g) ?? [],
      ),
    );

    expect([...appErrorCodes, ...kernelErrorCodes].filter((name) => !named.has(name))).toEqual([]);
  });
});

describe('codes that no other test provokes', () => {
  test('unauthenticated and not_json: the door and the parser refuse with their messages', async () => {
    const schema = { summary: 'Echo', tags: [], response: { 200: Type.Null() } };
    const app = await createTestApp([
      async (one) => {
        one.post('/api/echo', { config: { access: 'guest' }, schema }, async () => null);
      },
    ]);
    onTestFinished(() => app.close());
    const post = (headers: Readonly<Record<string, string>>) =>
      app.inject({ method: 'POST', url: '/api/echo', headers, payload: '<a/>' });

    const stranger = await post({ 'content-type': 'application/json' });
    const xml = await post({ ...bearer('admin'), 'content-type': 'application/xml' });

    const { unauthenticated, not_json } = errorRules;
    expect([stranger.statusCode, xml.statusCode]).toEqual([
      unauthenticated?.status,
      not_json?.status,
    ]);
    expect(xml.json()).toEqual({ error: new AppError('not_json', {}).message });
  });

  test('no_filesystem: no plugin serves the scheme of a library', async () => {
    const nobody = () => Promise.reject(new Error('Nobody is asked.'));
    const disk = {
      read: nobody,
      readRanges: nobody,
      fingerprints: nobody,
      open: nobody,
      resolve: nobody,
      resolveAll: nobody,
    };
    const { stat } = createFilesystems({
      call: nobody,
      filesystemFor: () => undefined,
      hasLocalFiles: () => false,
      roots: () => ['smb://nas/films/'],
      disk: { ...disk, within: () => disk },
    });

    await expect(stat('smb://nas/films/a.mkv')).rejects.toMatchObject({
      code: 'no_filesystem',
      message: 'No running plugin serves smb:.',
    });
  });

  test('symlink_loop: a link that leads back to itself', async () => {
    const top = mkdtempSync(path.join(tmpdir(), 'vitrine-errors-'));
    onTestFinished(() => rmSync(top, { recursive: true }));
    mkdirSync(path.join(top, 'films'));
    symlinkSync('itself', path.join(top, 'films/itself'));
    const disk = createDisk({
      grantedRoots: () => [encodePlainPath(`${top}/films`)],
      workerScript: path.join(root, 'src/files/disk/disk-worker.ts'),
      watchTree: () => Promise.reject(new Error('Nobody watches.')),
      newEpoch: () => 'epoch',
      log: silentLog,
    });
    onTestFinished(() => disk.close());

    const stat = disk.stat('any', encodePlainPath(`${top}/films/itself`));

    await expect(stat).rejects.toMatchObject({ code: 'symlink_loop' });
  });
});
