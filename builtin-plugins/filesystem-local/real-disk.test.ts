import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../kernel/index.ts';
import type { FileProblem, Host } from '../../plugin-api/index.ts';
import { createDisk, encodePlainPath, watchTree, type Disk } from '../../src/disk/index.ts';
import plugin from './index.ts';

const methods = plugin.methods ?? {};
let top: string;
let disk: Disk;
let host: Host;
let root: string;

beforeAll(() => {
  top = mkdtempSync(path.join(tmpdir(), 'vitrine local-'));
  const library = `${top}/library`;
  mkdirSync(library);
  root = `file://${encodePlainPath(library)}`;
  disk = createDisk({
    grantedRoots: () => [encodePlainPath(library)],
    workerScript: new URL('../../src/disk/disk-worker.ts', import.meta.url),
    watchTree,
    newEpoch: () => 'e',
    log: silentLog,
  });
  host = { disk: hostDiskOf(disk) } as unknown as Host;
});

afterAll(async () => {
  await disk.close();
  rmSync(top, { recursive: true, force: true });
});

/** `host.disk` as a guest sees it. */
function hostDiskOf(served: Disk): Host['disk'] {
  const caller = { pluginId: 'local', granted: {}, signal: new AbortController().signal };
  return {
    list: async (input) => JSON.parse(String(await served.list('local', input))),
    stat: async ({ path: asked }) => JSON.parse(String(await served.stat('local', asked))),
    read: (input) => served.read('local', input),
    resolve: async ({ path: asked }) => ({ path: await served.resolve('local', asked) }),
    changes: (input) => served.changes(caller, input),
    unwatch: async ({ path: asked }) => {
      await served.unwatch('local', asked);
      return null;
    },
  };
}

function put(name: string | Buffer): void {
  const file = Buffer.concat([Buffer.from(`${top}/library/`), Buffer.from(name)]);
  mkdirSync(file.subarray(0, file.lastIndexOf('/')), { recursive: true });
  writeFileSync(file, 'content');
}

describe('filesystem-local over a real disk', () => {
  test('walks a hostile tree to its end, and names every file so that it can be read', async () => {
    const names = [
      'new\nline/a.mkv',
      '$(reboot)/`id`.mkv',
      '"quoted" \'both\'/<b>.mkv',
      '🎬 emoji/\u202Ertl.mkv',
      'C:\\windows\\style.mkv',
      '%2e%2e/%2F.mkv',
      'e\u0301/nfd.mkv',
      `${'long'.repeat(60)}.mkv`,
      '-rf.mkv',
    ];
    for (const name of names) put(name);
    put(
      Buffer.concat([
        Buffer.from([0x66, 0xff, 0xfe]),
        Buffer.from('/latin-'),
        Buffer.from([0xe9]),
        Buffer.from('.mkv'),
      ]),
    );
    symlinkSync('..', `${top}/library/e\u0301/loop`);
    symlinkSync('/etc', `${top}/library/escape`);
    symlinkSync('nowhere', `${top}/library/dangling`);

    const found: string[] = [];
    const problems: FileProblem[] = [];
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null;) {
      isFirst = false;
      const page: Awaited<ReturnType<NonNullable<(typeof methods)['filesystem.list']>>> =
        await methods['filesystem.list']!({ uri: root, recursive: true, cursor, limit: 2 }, host);
      found.push(...page.entries.map(({ uri }) => uri));
      problems.push(...page.problems);
      cursor = page.cursor;
    }

    expect(found).toHaveLength(names.length + 1);
    expect(found).toEqual([...found].sort((a, b) => (a < b ? -1 : 1)));
    expect(problems.map(({ code }) => code).sort()).toEqual([
      'not-found',
      'outside-root',
      'symlink-loop',
    ]);
    for (const uri of found) {
      const bytes = await methods['filesystem.read']!({ uri, offset: 0, length: 100 }, host);
      expect(Buffer.from(bytes).toString()).toBe('content');
      expect(await methods['filesystem.stat']!({ uri }, host)).toMatchObject({ uri, size: 7 });
      expect(await methods['filesystem.getLocalPath']!({ uri }, host)).toEqual({
        path: uri.slice('file://'.length),
      });
    }
  });

  test('validates a folder, and says why it refuses anything else', async () => {
    put('file.mkv');
    const validate = (uri: string) => methods['filesystem.validate']!({ uri }, host);

    expect(await validate(root)).toEqual({ ok: true });
    expect(await validate(`${root}/file.mkv`)).toMatchObject({
      ok: false,
      message: expect.stringContaining('file'),
    });
    expect(await validate(`${root}/gone`)).toMatchObject({
      ok: false,
      message: expect.stringContaining('exist'),
    });
    expect(await validate('file:///etc')).toMatchObject({
      ok: false,
      message: expect.stringContaining('granted'),
    });
    expect(await validate('http://x/y')).toMatchObject({
      ok: false,
      message: expect.stringContaining('file:'),
    });
  });

  test('tells of changes by URI, and stops when the watch is ended', async () => {
    mkdirSync(`${top}/library/watched ü`);
    const uri = `${root}/watched%20%C3%BC`;
    const { cursor } = await methods['filesystem.watch']!({ uri, cursor: null, waitMs: 0 }, host);
    writeFileSync(`${top}/library/watched ü/new.mkv`, 'x');

    const page = await methods['filesystem.watch']!({ uri, cursor, waitMs: 20_000 }, host);
    await methods['filesystem.unwatch']!({ uri }, host);

    expect(page.changes[0]).toEqual({ uri: `${uri}/new.mkv`, kind: 'changed' });
  });
});
