/**
 * A disk that is mounted below a root, and goes away: it leaves its empty folder, and nothing that was
 * on it is gone. It takes a machine on which the test may mount something.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

let tree: MediaTree;
let server: TestServer;
let disk: string;

const mount = (folder: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', 'none', folder], { stdio: 'ignore' }).status === 0;
const unmount = (folder: string): unknown => execFileSync('umount', [folder]);

const canMount = await (async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-mount-'));
  const isMounted = mount(folder);
  if (isMounted) unmount(folder);
  await rmdir(folder);
  return isMounted;
})();

beforeEach(async () => {
  tree = await createMediaTree(['Heat (1995)/Heat (1995).mkv', 'Alien (1979)/Alien (1979).mkv']);
  disk = path.join(tree.path, 'Second disk');
  await mkdir(disk);
});

afterEach(async () => {
  await server.stop();
  spawnSync('umount', [disk], { stdio: 'ignore' });
  await tree.remove();
});

async function scan(): Promise<{ readonly itemCount: number; readonly problems: object[] }> {
  const one = async () =>
    (
      await server.get<{ libraries: { id: string; itemCount: number; problems: object[] }[] }>(
        '/api/libraries',
      )
    ).libraries[0];
  await server.request('POST', '/api/jobs', { type: 'scan', libraryId: (await one())?.id });
  await jobsOver(server);
  const { itemCount = 0, problems = [] } = (await one()) ?? {};
  return { itemCount, problems };
}

test.runIf(canMount)(
  'what was on a disk that went away stays, and all else is as the folders say',
  async () => {
    mount(disk);
    await mkdir(path.join(disk, 'Brazil (1985)'));
    await writeFile(path.join(disk, 'Brazil (1985)/Brazil (1985).mkv'), 'x');
    const args = ['--library', `movies:Films:${tree.path}`, '--watch', 'off', '--ingest', 'off'];
    server = await startServer({ args });
    await jobsOver(server);
    const whole = await scan();

    unmount(disk);
    await rm(path.join(tree.path, 'Alien (1979)'), { recursive: true });
    const without = await scan();
    mount(disk);
    const empty = await scan();

    const uri = expect.stringMatching(/\/Second%20disk$/) as string;
    expect(whole).toEqual({ itemCount: 3, problems: [] });
    expect(without).toEqual({
      itemCount: 2,
      problems: [{ uri, code: 'unmounted', message: expect.any(String) }],
    });
    expect(empty).toMatchObject({ itemCount: 2, problems: [{ uri, code: 'empty' }] });
  },
);
