/** A way back leads only to what was installed: not to another package in its folder, nor by another name. */
import { appendFile, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Verdict } from '../../kernel/run/index.ts';
import type { OpenedArchive } from '../../kernel/run/packages/index.ts';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from '../plugins/plugin-server.ts';
import { createPublisher } from '../support/plugins/packages.ts';
import { stateOf, versionOf } from './failing-upgrade.ts';

const [signer, stranger] = [createPublisher(), createPublisher()];
const id = 'keeper';
let revoked: ReadonlySet<string> = new Set();
let folder: PluginFolder;
let server: PluginServer;
let first: OpenedArchive;
/** Where packages are. */
let root: string;

const verdict: Verdict = ({ version }) => (revoked.has(version) ? `${version} leaks.` : null);
const granted = { kv: { quotaMb: 1 } };
const installs = () => server.plugins.installs;
const folderOf = (archive: OpenedArchive) => path.join(root, archive.sha256);

/** As the server unpacks a package, into the folder of another. */
async function unpack(archive: OpenedArchive, to = folderOf(archive)): Promise<void> {
  await rm(to, { recursive: true, force: true });
  for (const [name, content] of archive.files) {
    await mkdir(path.dirname(path.join(to, name)), { recursive: true });
    await writeFile(path.join(to, name), content);
  }
}

beforeAll(async () => {
  folder = await createPluginFolder();
  server = await startPluginServer(folder, [], { verdict });
  first = await versionOf('1.0.0', signer);
  for (const archive of [first, await versionOf('1.1.0', signer)])
    await installs().place(archive, { source: null, granted: { ...granted, textIndex: true } });
  const all = await readdir(folder.data, { recursive: true });
  const found = all.find((name) => path.basename(name) === first.sha256) ?? '';
  root = path.dirname(path.join(folder.data, found));
});

beforeEach(async () => {
  revoked = new Set();
  await unpack(first);
});

afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const runsOn = async () => expect(await stateOf(server)).toMatchObject({ version: '1.1.0' });

describe('a rollback', () => {
  test('to a version that was revoked is refused', async () => {
    revoked = new Set(['1.0.0']);

    for (const version of [undefined, '1.0.0'])
      expect(await installs().rollBack(id, { version })).toMatchObject({ code: 'REVOKED' });
    await runsOn();
  });

  test.each([
    ...['1.1.0', '1.0.1', 'v1.0.0', '=1.0.0', ' 1.0.0', '1.0', '01.0.0', '1.0.0+a', '１.0.0'],
    ...['', '*', '<1.1.0', 'latest', '__proto__', '../1.0.0', '1.0.0\0'],
  ])('to the version %j, which was not there before, is refused', async (version) => {
    expect(await installs().rollBack(id, { version })).toMatchObject({ code: 'NOT_FOUND' });
    await runsOn();
  });

  test.each(['other', '', '__proto__', 'Keeper', '../keeper', 'keeper\0', 'keeper#kept'])(
    'of the plugin %j, which is not installed, is refused',
    async (other) => {
      await expect(installs().rollBack(other)).rejects.toMatchObject({ code: 'not_found' });
    },
  );

  test.each<[string, (at: string) => Promise<void>]>([
    ['has other code', (at) => appendFile(path.join(at, 'index.js'), ' ')],
    ['has a file more', (at) => writeFile(path.join(at, 'more.js'), '')],
    ['has a link more', (at) => symlink('/etc/passwd', path.join(at, 'more.js'))],
    ['has no signature', (at) => rm(path.join(at, 'signature.json'))],
    ['has no manifest', (at) => rm(path.join(at, 'manifest.json'))],
    ['is gone', (at) => rm(at, { recursive: true })],
    [
      'has the same version of another author',
      async (at) => unpack(await versionOf('1.0.0', stranger), at),
    ],
    [
      'has another version of the author',
      async (at) => unpack(await versionOf('0.9.0', signer), at),
    ],
    [
      'has another plugin of the author',
      async (at) => unpack(await versionOf('1.0.0', signer, { fields: { id: 'another' } }), at),
    ],
  ])('to a package whose folder %s is refused, and nothing changes', async (_, change) => {
    await change(folderOf(first));

    expect(await installs().rollBack(id)).toMatchObject({ code: 'START_FAILED' });
    await runsOn();
    expect(server.plugins.registry.list().map((one) => one.id)).toEqual([id]);
  });

  test('to a package that is fetched again takes no other one', async () => {
    await rm(folderOf(first), { recursive: true });
    const others = [
      await versionOf('1.0.0', stranger),
      await versionOf('0.9.0', signer),
      await versionOf('1.0.0', signer, { more: '/* again */' }),
    ];

    for (const other of others)
      expect(await installs().rollBack(id, { fetch: async () => other })).toMatchObject({
        code: 'START_FAILED',
      });
    await runsOn();
  });

  test('to what was installed is possible after all of these', async () => {
    await rm(folderOf(first), { recursive: true });

    await installs().rollBack(id, { fetch: async () => first });

    expect(await stateOf(server)).toMatchObject({ version: '1.0.0' });
  });
});

test('a server starts no other package that is in the folder of an installed one', async () => {
  const current = installs().find(id)?.sha256 ?? '';
  await server.stop();
  const other = await versionOf('1.0.0', stranger);
  await unpack(other, path.join(root, current));

  server = await startPluginServer(folder, [], { verdict });

  expect(server.plugins.registry.list()).toEqual([]);
  expect(server.plugins.registry.skipped()).toMatchObject([
    { id, reason: 'invalid-signature', message: expect.stringContaining('was installed') },
  ]);
});
