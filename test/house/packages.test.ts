/** Our own plugins pass exactly what a stranger's must pass. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testByNight } from '../support/run/test-by-night.ts';
import { silentLog } from '../../kernel/log.ts';
import { createManifestReader } from '../../kernel/run/manifest/index.ts';
import { powersAsked } from '../../kernel/run/powers/index.ts';
import { createPacker } from '../../kernel/run/scripts/index.ts';
import { discover, type Discovery } from '../../kernel/run/packages/discovery.ts';
import { bundlePlugin } from '../../packages/app/plugin-kit/packing/bundle.ts';

const root = path.resolve(import.meta.dirname, '../..');

let cacheFolder: string;
/** The examples as a server gets them: those in TypeScript are bundled. */
let built: string;

beforeAll(async () => {
  cacheFolder = await mkdtemp(path.join(tmpdir(), 'vitrine-packages-'));
  built = await mkdtemp(path.join(tmpdir(), 'vitrine-examples-'));
  for (const name of await pluginsIn('examples')) await buildExample(name);
});

afterAll(async () => {
  await rm(cacheFolder, { recursive: true });
  await rm(built, { recursive: true });
});

async function buildExample(name: string): Promise<void> {
  const [from, to] = [path.join(root, 'examples', name), path.join(built, name)];
  await cp(from, to, { recursive: true });
  const { main } = JSON.parse(await readFile(path.join(from, 'manifest.json'), 'utf8')) as {
    main: string;
  };
  if (!(await readdir(from)).includes('src')) return;
  const { code } = await bundlePlugin(path.join(from, 'src/index.ts'));
  await mkdir(path.join(to, path.dirname(main)), { recursive: true });
  await writeFile(path.join(to, main), code);
}

/** Looks at the folder as `<data>/plugins` is looked at. */
async function asStrangers(folder: string): Promise<Discovery> {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return discover({
    sources: [{ folder: folder === 'examples' ? built : path.join(root, folder), type: 'local' }],
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

    expect(skipped).toEqual([]);
    expect(packages.map(({ folder: at }) => path.basename(at))).toEqual(await pluginsIn(source));
  });

  testByNight('can be packed', async () => {
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
    const { reasons = {}, ...powers } = powersAsked(manifest);
    expect(Object.keys(reasons).sort()).toEqual(Object.keys(powers).sort());
  }
});

async function pluginsIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(path.join(root, folder), { recursive: true });
  const manifests = files.filter((file) => /^[^/\\]+[/\\]manifest\.json$/.test(file));
  return manifests.map((file) => path.dirname(file)).sort();
}
