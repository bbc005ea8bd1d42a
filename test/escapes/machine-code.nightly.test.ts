/**
 * Machine code in the process of a plugin, tier by tier: with no permission of Node and no isolate around
 * it, it reaches no file, process, socket, key or namespace outside. `process` has no such promise.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visibleFiles } from '../../kernel/run/sandbox/visible-files.ts';
import {
  findWrapper,
  withDescriptors,
  type WrapperName,
} from '../../kernel/run/sandbox/wrapper.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-machine-code-'));
const program = path.join(folder, 'attempts');
const source = path.join(import.meta.dirname, 'machine-code.c');
const isMade =
  process.platform === 'linux' &&
  spawnSync('cc', ['-O1', '-static', '-o', program, source], { stdio: 'ignore' }).status === 0;

const own = path.join(folder, 'theirs');
const secret = path.join(own, 'secret');
const socket = path.join(own, 'socket');
let victim: ChildProcess;
let servers: readonly Server[];
let callers = 0;

beforeAll(async () => {
  if (!isMade) return;
  mkdirSync(own);
  writeFileSync(secret, 'a secret');
  victim = spawn('sleep', ['600'], { stdio: 'ignore' });
  servers = await Promise.all(
    [0, socket, '\0vitrine-native'].map(async (place) => {
      const server = createServer(() => (callers += 1)).listen(place);
      await new Promise((resolve) => server.once('listening', resolve));
      return server;
    }),
  );
});

afterAll(async () => {
  if (isMade) victim.kill('SIGKILL');
  for (const server of servers ?? []) server.close();
  await rm(folder, { recursive: true });
});

/** What an attempt ended with, by its name. */
async function attempt(name: WrapperName): Promise<ReadonlyMap<string, string>> {
  const wrapper = findWrapper(name);
  const shown = visibleFiles(process.execPath, { hostScript: program, engineFile: program });
  const { port } = (servers[0] as Server).address() as AddressInfo;
  const asked = [program, secret, own, String(victim.pid), socket, String(port)] as const;
  const [file = '', ...args] = wrapper?.wrap([...asked], shown) ?? [];
  // The steps of `unshare` need an empty one.
  const cwd = await mkdtemp(path.join(folder, 'cwd-'));
  const child = withDescriptors(wrapper?.descriptors ?? [], (opened) =>
    spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'ignore', 'ignore', 'ignore', ...opened] }),
  );
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
  await new Promise((resolve) => child.on('close', resolve));
  return new Map(
    said
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
}

/** Whether this wrapper works here at all. */
function works(name: WrapperName): boolean {
  if (findWrapper(name) === undefined) return false;
  if (name === 'setpriv')
    return String(spawnSync('setpriv', ['--help']).stdout).includes('--seccomp-filter');
  return (
    spawnSync('unshare', ['--user', '--map-root-user', '--pid', '--fork', 'true']).status === 0
  );
}

/** Without a filter of system calls these have something in each namespace, and nothing of the server. */
const unfiltered = ['listen', 'netlink', 'vsock', 'io_uring', 'add-key', 'keyctl'];

describe.skipIf(!isMade)('machine code in the process of a plugin (needs a compiler)', () => {
  describe.each<[WrapperName, readonly string[]]>([
    ['bwrap', []],
    ['setpriv', []],
    ['unshare', unfiltered],
  ])('apart by %s', (name, expected) => {
    test.skipIf(!works(name))(`reaches nothing outside (needs ${name})`, async () => {
      const ends = await attempt(name);

      expect(ends.size).toBe(83);
      expect([...ends].filter(([, end]) => end === 'done').map(([one]) => one)).toEqual(expected);
      expect([readFileSync(secret, 'utf8'), readdirSync(own).sort()]).toEqual([
        'a secret',
        ['secret', 'socket'],
      ]);
      expect([victim.exitCode, victim.signalCode, callers]).toEqual([null, null, 0]);
    });
  });
});
