/** Our own plugins pass exactly what a stranger's must pass. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../kernel/log.ts';
import { createManifestReader, createPacker, discover } from '../../kernel/plugins/index.ts';
import type { Discovery } from '../../kernel/plugins/index.ts';

const root = path.resolve(import.meta.dirname, '../..');

let cacheFolder: string;

beforeAll(async () => {
  cacheFolder = await mkdtemp(path.join(tmpdir(), 'vitrine-packages-'));
});

afterAll(() => rm(cacheFolder, { recursive: true }));

/** Looks at the folder as `<data>/plugins` is looked at. */
async function asStrangers(folder: string): Promise<Discovery> {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return discover({
    sources: [{ folder: path.join(root, folder), type: 'local' }],
    reader: createManifestReader(),
    serverVersion: version,
  });
}

describe.each([
  ['built-ins, as they are built', 'dist/builtin-plugins', 'builtin-plugins'],
  ['examples', 'examples', 'examples'],
])('the %s', (_, folder, source) => {
  test('are all packages that a server takes', async () => {
    const { packages, skipped } = await asStrangers(folder);

    const others = ['README.md', 'app'];
    const packagesSkipped = skipped.filter(({ path: at }) => !others.includes(path.basename(at)));
    expect(packagesSkipped).toEqual([]);
    expect(packages.map(({ folder: at }) => path.basename(at))).toEqual(await pluginsIn(source));
  });

  test('can be packed', async () => {
    const packer = createPacker({ cacheFolder, log: silentLog });
    const { packages } = await asStrangers(folder);

    for (const { mainFile } of packages) {
      expect(await packer.toScript(await readFile(mainFile, 'utf8'))).toContain('__plugin');
    }
  });
});

test('an example gives a reason for each permission that it asks for', async () => {
  const { packages } = await asStrangers('examples');

  for (const { manifest } of packages) {
    const { reasons = {}, ...powers } = manifest.permissions;
    expect(Object.keys(reasons).sort()).toEqual(Object.keys(powers).sort());
  }
});

async function pluginsIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(path.join(root, folder), { recursive: true });
  const manifests = files.filter((file) => /^[^/\\]+[/\\]manifest\.json$/.test(file));
  return manifests.map((file) => path.dirname(file)).sort();
}
