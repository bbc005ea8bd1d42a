import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { discover, type Discovery } from './discovery.ts';
import { createManifestReader } from '../manifest/manifest.ts';

const reader = createManifestReader();

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'vitrine-discovery-'));
  folder = path.join(root, 'plugins');
  await mkdir(folder);
});

afterEach(() => rm(root, { recursive: true }));

/** Writes a valid package, which the test then breaks. */
async function add(id: string, more: object = {}): Promise<string> {
  const at = path.join(folder, id);
  await mkdir(at);
  await writeFile(path.join(at, 'manifest.json'), JSON.stringify({ ...sound(id), ...more }));
  await writeFile(path.join(at, 'index.js'), 'export default {};');
  return at;
}

function sound(id: string): object {
  return {
    manifestVersion: 1,
    id,
    name: 'A name',
    version: '1.0.0',
    description: 'Written by a test.',
    author: 'A test',
    license: 'MIT',
    main: 'index.js',
    minVersion: '0.1.0',
    capabilities: [],
    mediaTypes: [],
    permissions: {},
  };
}

const look = (serverVersion = '0.1.0'): Promise<Discovery> =>
  discover({ sources: [{ folder, type: 'local' }], reader, serverVersion });

async function refusal(): Promise<string> {
  const { packages, skipped } = await look();
  expect(packages).toEqual([]);
  return skipped.map(({ reason, message }) => `${reason}: ${message}`).join('\n');
}

describe('discovery', () => {
  test('finds packages in the order of their folders, and nothing where no folder is', async () => {
    await add('b');
    await add('a');

    const found = await look();
    await rm(folder, { recursive: true });
    const none = await look();

    expect(found.packages).toMatchObject([
      { manifest: { id: 'a' }, type: 'local', mainFile: path.join(folder, 'a/index.js') },
      { manifest: { id: 'b' } },
    ]);
    expect([found.skipped, none]).toEqual([[], { packages: [], skipped: [] }]);
  });

  test('reads the languages of a package, and refuses one that is wrong', async () => {
    const at = await add('a');
    await mkdir(path.join(at, 'locales'));
    await writeFile(path.join(at, 'locales/.DS_Store'), '');
    await writeFile(path.join(at, 'locales/de.json'), '{"name":"Ein Name"}');

    const { packages } = await look();
    expect(packages.map(({ locales }) => [...locales])).toEqual([[['de', { name: 'Ein Name' }]]]);

    await writeFile(path.join(at, 'locales/fr.json'), '{"nom":"Un nom"}');
    expect(await refusal()).toMatch(/^invalid-manifest: locales\/fr\.json: nom is not known here/);
    await rm(path.join(at, 'locales/fr.json'));
    await mkdir(path.join(at, 'locales/fr.json'));
    expect(await refusal()).toBe('invalid-manifest: locales/fr.json is not a file.');
  });

  test('ignores hidden names of the system in a folder', async () => {
    await writeFile(path.join(folder, '.DS_Store'), '');

    expect(await look()).toEqual({ packages: [], skipped: [] });
  });

  test('says of a refused manifest what it can still tell', async () => {
    await add('named', { version: 'one', name: 'Named' });

    expect((await look()).skipped).toEqual([
      {
        key: 'named',
        id: 'named',
        name: 'Named',
        version: 'one',
        minVersion: '0.1.0',
        appVersion: '0.1.0',
        path: path.join(folder, 'named'),
        reason: 'invalid-manifest',
        message: 'version: "one" is not a strict semantic version; right is 1.4.0 or 2.0.0-beta.1.',
      },
    ]);
  });

  test.each([
    ['0.1.0', '0.1.0', true],
    ['0.1.0', '0.2.5', true],
    ['>=0.2.0', '0.1.0', false],
    ['>=0.1.0 <0.2.0', '0.2.0', false],
    ['>=0.1.0', '0.2.0-beta.1', true],
  ])('takes a plugin for servers %s on a server %s: %s', async (minVersion, version, isTaken) => {
    await add('versioned', { minVersion });

    const { packages, skipped } = await look(version);

    expect([packages.length, skipped.map(({ reason }) => reason)]).toEqual(
      isTaken ? [1, []] : [0, ['incompatible-version']],
    );
  });

  test('refuses a folder without manifest', async () => {
    await mkdir(path.join(folder, 'empty'));

    expect(await refusal()).toBe('invalid-manifest: manifest.json is missing.');
  });

  test('refuses a manifest that is not JSON, not UTF-8 or too long', async () => {
    await writeFile(path.join(await add('a'), 'manifest.json'), '{');
    await writeFile(path.join(await add('b'), 'manifest.json'), Buffer.from([0x22, 0xff, 0x22]));
    await writeFile(path.join(await add('c'), 'manifest.json'), ' '.repeat(300_000));

    const told = await refusal();

    expect(told).toContain('The manifest is not JSON');
    expect(told).toContain('manifest.json is not UTF-8.');
    expect(told).toContain('manifest.json is larger than 262144 bytes.');
  });

  test('refuses a link, at the top, inside, and as the entry, wherever it points', async () => {
    const inside = await add('inside');
    await symlink(path.join(inside, 'index.js'), path.join(inside, 'again.js'));
    const entry = await add('entry');
    await rm(path.join(entry, 'index.js'));
    await symlink('/etc/hostname', path.join(entry, 'index.js'));
    await symlink(root, path.join(folder, 'top'));

    const told = await refusal();

    expect(told.split('\n').sort()).toEqual([
      'invalid-manifest: entry has a link, index.js; a package holds none.',
      'invalid-manifest: inside has a link, again.js; a package holds none.',
      'invalid-manifest: top is a link; copy the plugin itself there.',
    ]);
  });

  test('refuses a package with more than 1000 files', async () => {
    const at = await add('many');
    const names = Array.from({ length: 1000 }, (_, index) => path.join(at, `${index}.txt`));
    await Promise.all(names.map((name) => writeFile(name, '')));

    expect(await refusal()).toBe('invalid-manifest: many has more than 1000 files.');
  });

  test('refuses a package larger than 50 MiB', async () => {
    const at = await add('large');
    await writeFile(path.join(at, 'film.mkv'), '');
    await truncate(path.join(at, 'film.mkv'), 51 * 1024 * 1024);

    expect(await refusal()).toBe('invalid-manifest: large is larger than 52428800 bytes.');
  });

  test('refuses a package that is nested without end', async () => {
    const at = await add('deep');
    await mkdir(path.join(at, ...Array<string>(40).fill('a')), { recursive: true });

    expect(await refusal()).toBe('invalid-manifest: deep is more than 16 folders deep.');
  });

  test.skipIf(process.platform === 'win32')('does not wait for a pipe', async () => {
    const at = await add('pipe');
    await rm(path.join(at, 'index.js'));
    execFileSync('mkfifo', [path.join(at, 'index.js')]);

    expect(await refusal()).toBe(
      'invalid-manifest: pipe has index.js, which is neither a file nor a folder.',
    );
  });

  test('refuses a plugin whose entry is missing, a folder, or too large', async () => {
    await rm(path.join(await add('a'), 'index.js'));
    const b = await add('b', { main: 'lib.js' });
    await mkdir(path.join(b, 'lib.js'));
    await truncate(path.join(await add('c'), 'index.js'), 11 * 1024 * 1024);

    expect((await refusal()).split('\n')).toEqual([
      'missing-entry: main: index.js is not there.',
      'missing-entry: main: lib.js is not a file.',
      'missing-entry: main: index.js is larger than 10485760 bytes.',
    ]);
  });

  test('takes the first of two plugins whose events would have the same names', async () => {
    await add('a-b');
    await add('ab');

    const { packages, skipped } = await look();

    expect(packages.map(({ manifest }) => manifest.id)).toEqual(['a-b']);
    expect(skipped).toMatchObject([{ id: 'ab', reason: 'duplicate-id' }]);
  });
});
