/** The package as authors get it from a registry: packed, unpacked, run. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unpackKit } from '../../test/support/plugins/unpack-kit.ts';
import { templates } from './index.ts';

const run = promisify(execFile);

let folder: string;
let packed: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-create-package-'));
  packed = await unpackKit('create-vitrine-plugin', path.join(folder, 'installed'));
});

afterAll(() => rm(folder, { recursive: true }));

const create = (...args: readonly string[]) =>
  run(process.execPath, [path.join(folder, 'installed/dist/bin.js'), ...args], { cwd: folder });

test('holds each template completely, and no source of its own', () => {
  for (const name of Object.keys(templates)) {
    for (const file of ['manifest.json', 'src/index.ts', 'plugin.test.ts', 'gitignore', 'LICENSE'])
      expect(packed).toContain(`templates/${name}/${file}`);
  }
  const own = packed.filter((name) => !name.startsWith('templates/'));
  expect(
    own.filter((name) => !/^(dist\/bin\.js|package\.json|README\.md|LICENSE)$/.test(name)),
  ).toEqual([]);
});

test('makes a plugin without anything else installed', async () => {
  const { stdout } = await create('film-tags', '--template', 'hook', '--author', 'Ada');

  const manifest = await readFile(path.join(folder, 'film-tags/manifest.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ id: 'film-tags', author: 'Ada' });
  expect(stdout).toContain('cd film-tags\n');
});

test('names the fault and what would be right, and ends with 1', async () => {
  const refused = async (...args: readonly string[]) => {
    const { code, stderr } = await create(...args).then(
      () => ({ code: 0, stderr: '' }),
      (error: unknown) => error as { code: number; stderr: string },
    );
    return `${code} ${stderr}`;
  };

  expect(await refused('other', '--template', 'theme')).toMatch(/^1 .*"theme" is unknown/);
  expect(await refused()).toMatch(/^1 .*Name one folder[^]*Templates:\n {2}hook/);
  expect(await refused('other', '--colour', 'red')).toMatch(/^1 .*--colour/);
});
