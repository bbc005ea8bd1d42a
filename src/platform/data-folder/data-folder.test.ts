import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { isHeld, openDataFolder, type DataFolderOptions } from './data-folder.ts';
import { lockFile } from './file-lock.ts';
import { thisPlace } from './owner.ts';

let folder: string;
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'vitrine-lock-')), 'data');
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

const ownerFile = () => path.join(folder, 'vitrine.owner');
const nas = { host: 'nas', bootId: 'another boot', pidNamespace: 'pid:[1]' };

/** A process that holds the folder until it is killed. */
async function holder(...before: readonly string[]): Promise<ChildProcess> {
  const script = `import { openDataFolder } from ${JSON.stringify(path.join(import.meta.dirname, 'data-folder.ts'))};
import { writeFileSync } from 'node:fs';
globalThis.held = await openDataFolder(${JSON.stringify(folder)});
writeFileSync(${JSON.stringify(path.join(folder, 'new'))}, '');
console.log('held');
setInterval(() => undefined, 9e8);`;
  const node = [process.execPath, '--input-type=module', '--eval', script];
  const [command = '', ...args] = [...before, ...node];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

describe('on a disk of this machine', () => {
  test('a data folder is created, locked, and unlocked by its release', async () => {
    const data = await openDataFolder(folder);
    expect(isHeld(folder)).toBe(true);

    data.release();

    expect(isHeld(folder)).toBe(false);
    expect(existsSync(ownerFile())).toBe(false);
    (await openDataFolder(folder)).release();
  });

  test('a data folder in use is refused with the number of its process, until that is killed', async () => {
    const child = await holder();
    await expect(openDataFolder(folder)).rejects.toThrow(`is in use by process ${child.pid ?? 0};`);

    child.kill('SIGKILL');
    await once(child, 'exit');

    (await openDataFolder(folder)).release();
  });

  const unshare = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc'];
  const hasNamespaces = spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true']).status === 0;

  test.skipIf(!hasNamespaces)(
    'a data folder in use in another container is refused with the name of its host',
    async () => {
      await holder(...unshare, '--kill-child');

      await expect(openDataFolder(folder)).rejects.toThrow(
        `is in use by process 1 of the container or host "${thisPlace().host}"; stop it first`,
      );
    },
  );

  test('a lock file that cannot be opened does not end the one who looks', async () => {
    (await openDataFolder(folder)).release();
    rmSync(path.join(folder, 'vitrine.lock'));
    mkdirSync(path.join(folder, 'vitrine.lock'));

    expect(isHeld(folder)).toBe(false);
  });

  test('a copy of a data folder in use is another folder', async () => {
    const data = await openDataFolder(folder);
    const copy = `${folder}-copy`;
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true });

    (await openDataFolder(copy)).release();

    data.release();
  });

  test('a data folder that a machine left without a release is taken at once', async () => {
    await left({ here: nas, isLocal: true });

    (await openDataFolder(folder, { isLocal: true })).release();
  });

  test('a lock file with other content is replaced', async () => {
    (await openDataFolder(folder)).release();
    writeFileSync(path.join(folder, 'vitrine.lock'), '123 456');

    (await openDataFolder(folder)).release();
  });

  test.skipIf(process.platform !== 'linux')(
    'a data folder that cannot be written is refused with the reason',
    async () => {
      await expect(openDataFolder('/sys')).rejects.toThrow(
        /^The data folder \/sys cannot be written \(E(ACCES|PERM|ROFS)\): (the user of the server lacks permission|its disk is read-only)/,
      );
    },
  );

  test('a data folder that cannot be created is refused by name', async () => {
    writeFileSync(path.dirname(folder) + '/file', '');

    await expect(openDataFolder(path.dirname(folder) + '/file/data')).rejects.toThrow(
      /file\/data cannot be made/,
    );
  });
});

const modeOf = (name: string): string =>
  (statSync(path.join(folder, name)).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('the rights of other users', () => {
  test('a new data folder and new files in it are for their owner alone', async () => {
    await holder();

    expect(['', 'vitrine.lock', 'vitrine.owner', 'new'].map(modeOf)).toEqual([
      ...['700', '600', '600', '600'],
    ]);
  });

  test('are taken from a data folder and its files, with a note, but not from key files', async () => {
    (await openDataFolder(folder)).release();
    chmodSync(folder, 0o755);
    for (const name of ['vitrine.db', 'vitrine.json', 'server.key']) {
      writeFileSync(path.join(folder, name), '');
      chmodSync(path.join(folder, name), 0o644);
    }

    const data = await openDataFolder(folder);
    data.release();

    expect(['', 'vitrine.db', 'vitrine.json', 'server.key'].map(modeOf)).toEqual([
      ...['700', '600', '600', '644'],
    ]);
    expect(data.notes).toEqual([
      `The data folder ${folder} was open to other users (mode 755); now it is open to its owner only.`,
    ]);
  });

  test('stay where all users share a folder, with a note that says what to do', async () => {
    (await openDataFolder(folder)).release();
    chmodSync(folder, 0o1777);

    const data = await openDataFolder(folder);
    data.release();

    expect(modeOf('')).toBe('777');
    expect(data.notes).toEqual([expect.stringMatching(/mode 777.* "chmod 700 /)]);
  });
});

/** Leaves the record of a server that was killed. */
async function left(options: DataFolderOptions): Promise<void> {
  const data = await openDataFolder(folder, options);
  const kept = path.join(path.dirname(folder), 'kept');
  cpSync(ownerFile(), kept, { preserveTimestamps: true });
  data.release();
  cpSync(kept, ownerFile(), { preserveTimestamps: true });
}

describe('on a disk that other machines can use', () => {
  // Their locks do not reach each other, as on NFS with "nolock".
  const lock = (place: string) => (file: string) => lockFile(`${file}-${place}`);
  const there = { here: nas, isLocal: false, lock: lock('there') };
  const here = { isLocal: false, lock: lock('here') };

  test('a data folder whose owner renews its lease is refused with the owner and the time', async () => {
    const [ownClock, clock] = [createFakeClock(), createFakeClock()];
    const data = await openDataFolder(folder, { ...there, clock: ownClock });
    const refused = expect(openDataFolder(folder, { ...here, clock })).rejects.toThrow(
      `is in use by process ${process.pid} of the container or host "nas", which renewed its lease at 2026-11-21T07:45:03.000Z; stop it first`,
    );

    await ownClock.advance(10_000);
    await eventually('the lease is renewed', () => ownClock.timers() === 1);
    await clock.advance(1000);

    await refused;
    data.release();
    expect(ownClock.timers()).toBe(0);
  });

  test('a lease that nobody renews for half a minute ends', async () => {
    const clock = createFakeClock();
    await left({ ...there, clock });

    const second = openDataFolder(folder, { ...here, clock });
    await clock.advance(31_000);

    (await second).release();
  });

  test('a lease that ended long ago is not waited for', async () => {
    await left({ ...there, clock: createFakeClock() });
    const hourAgo = Date.now() / 1000 - 3600;
    utimesSync(ownerFile(), hourAgo, hourAgo);
    const clock = createFakeClock();

    const second = openDataFolder(folder, { ...here, clock });
    await clock.advance(1000);

    (await second).release();
  });

  test('of two machines that start at once one gets the folder', async () => {
    const clock = createFakeClock();
    await left({ ...there, clock });

    const both = Promise.allSettled([
      openDataFolder(folder, { ...here, clock }),
      openDataFolder(folder, {
        ...{ here: { ...nas, host: 'attic' }, lock: lock('attic') },
        ...{ isLocal: false, clock },
      }),
    ]);
    await clock.advance(60_000);

    const ends = (await both).map(({ status }) => status);
    expect(ends.toSorted()).toEqual(['fulfilled', 'rejected']);
    for (const one of await both) if (one.status === 'fulfilled') one.value.release();
  });

  test('an owner whose lease ended and was taken by another hears of it', async () => {
    const clock = createFakeClock();
    const data = await openDataFolder(folder, { ...there, clock });
    rmSync(ownerFile());
    await left({ ...here, clock: createFakeClock() });

    await clock.advance(10_000);

    await expect(data.lost).resolves.toContain('was taken by');
    data.release();
    expect(existsSync(ownerFile())).toBe(true);
  });

  test('without any locks a process of this machine that runs is refused, and a dead one is not', async () => {
    const none = { isLocal: true, lock: () => 'taken' as const };
    const data = await openDataFolder(folder, none);
    await expect(openDataFolder(folder, none)).rejects.toThrow(`by process ${process.pid};`);
    data.release();

    const child = await holder();
    child.kill('SIGKILL');
    await once(child, 'exit');
    (await openDataFolder(folder, none)).release();
  });
});
