/**
 * The operating system's isolation for processes of installed plugins, beyond what they always have.
 * It is verified: a process is started as a plugin's would be, and checks what it can see.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Log } from '../log.ts';
import type { HostFiles } from './launch.ts';
import { limits } from './limits.ts';
import { visibleFiles, type VisibleFiles } from './visible-files.ts';
import { findWrapper, type Command, type WrapperName } from './wrapper.ts';

/**
 * The wanted isolation. `auto`: namespaces where the system allows them. `require`: no installed
 * plugin runs without them. `process`: they are not tried.
 */
export type IsolationMode = 'auto' | 'require' | 'process';

/** The isolation of installed plugins' processes, as the server found it. */
export interface IsolationReport {
  /**
   * `namespaces`: own users, pids, network and view of the disk. `process`: a process without access
   * to files.
   */
  readonly tier: 'namespaces' | 'process';
  /** The program that makes the namespaces. */
  readonly by: WrapperName | null;
  /** Why there are no namespaces; `null` = there are, or they are not wanted. */
  readonly reason: string | null;
}

/** How processes of installed plugins are started. */
export interface Isolation extends IsolationReport {
  /** The command, unchanged or wrapped in namespaces. */
  readonly wrap: (command: Command) => Command;
  readonly isWrapped: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

/** The parts of the check. */
export interface IsolationParts {
  readonly mode: IsolationMode;
  readonly nodePath: string;
  readonly files: HostFiles;
  /** Tried in this order. */
  readonly wrappers?: readonly WrapperName[];
  readonly log: Log;
}

/** Never rejects. Starts a process or two and waits for them. */
export async function openIsolation(parts: IsolationParts): Promise<Isolation> {
  const { mode, log, wrappers = ['bwrap', 'unshare'] } = parts;
  if (mode === 'process') return noIsolation;
  const reasons: string[] = [];
  for (const name of wrappers) {
    const found = await tryWrapper(name, parts);
    if (typeof found !== 'string') {
      log.info({ isolation: found.tier, by: name }, `Plugins run in namespaces, made by ${name}.`);
      return found;
    }
    reasons.push(`${name} ${found}`);
  }
  const reason = reasons.join('; ');
  log.warn({ isolation: 'process', reason }, `Plugins run without namespaces: ${reason}.`);
  return { ...noIsolation, reason };
}

/** A process without files, environment and children, but without namespaces. */
export const noIsolation: Isolation = {
  ...{ tier: 'process', by: null, reason: null, isWrapped: false, environment: {} },
  wrap: (command) => command,
};

/** The isolation by this wrapper, or why it does not work. */
async function tryWrapper(
  name: WrapperName,
  { nodePath, files }: IsolationParts,
): Promise<Isolation | string> {
  if (process.platform !== 'linux') return 'works on Linux only';
  const wrapper = findWrapper(name);
  if (wrapper === undefined) return 'is not installed';
  try {
    const shown = visibleFiles(nodePath, files);
    const isolation: Isolation = {
      ...{ tier: 'namespaces', by: name, reason: null, isWrapped: true },
      environment: environmentOf(shown),
      wrap: (command) => wrapper.wrap(command, shown),
    };
    return (await faultOf(isolation, { nodePath, files, shown })) ?? isolation;
  } catch (error) {
    return `could not be tried (${oneLine(error instanceof Error ? error.message : String(error))})`;
  }
}

/** The view of the disk has no cache of libraries and no time zone. */
const environmentOf = ({ libraryFolders }: VisibleFiles): Readonly<Record<string, string>> => ({
  LD_LIBRARY_PATH: libraryFolders.join(':'),
  TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

/** Starts the checking process; `null` when it is isolated. */
function faultOf(
  isolation: Isolation,
  seen: { readonly nodePath: string; readonly files: HostFiles; readonly shown: VisibleFiles },
): Promise<string | null> {
  const { nodePath, files, shown } = seen;
  const top = [...new Set(shown.files.map((file) => file.split('/')[1] ?? ''))];
  const expected = JSON.stringify({ top, ...files });
  const flags = [
    '--no-node-snapshot',
    '--max-semi-space-size=1',
    '--eval',
    isolationProbe,
    expected,
  ];
  const [program, ...args] = isolation.wrap([nodePath, ...flags]);
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-isolation-'));
  const { environment: env } = isolation;
  const options = { cwd: folder, env, timeout: limits.isolationProbeMs, killSignal: 'SIGKILL' };
  return new Promise((resolve) => {
    execFile(program, args, { ...options, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      rmSync(folder, { recursive: true, force: true });
      if (error === null) resolve(stdout === 'alone' ? null : `exposes ${oneLine(stdout)}`);
      else resolve(`does not work here (${oneLine(stderr || error.message)})`);
    });
  });
}

/** Runs inside. It prints `alone`, or what it sees but must not see. */
const isolationProbe = `
const fs = require('node:fs');
const { top, hostScript, engineFile } = JSON.parse(process.argv[1]);
const seen = [];
// The first process of its own namespace has started it, and few were before it.
if (process.ppid !== 1 || process.pid > 100) seen.push('other processes');
for (const [name, addresses] of Object.entries(require('node:os').networkInterfaces()))
  if (addresses.some(({ internal }) => !internal)) seen.push('network ' + name);
for (const name of fs.readdirSync('/')) if (!top.includes(name)) seen.push('/' + name);
for (const file of [hostScript, engineFile, process.execPath])
  try { fs.closeSync(fs.openSync(file, 'r+')); seen.push('writing ' + file); } catch {}
try { fs.writeFileSync('/proof', ''); seen.push('writing'); } catch {}
process.dlopen({ exports: {} }, engineFile);
fs.writeSync(1, seen.join(', ') || 'alone');
`;

const oneLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, limits.messageLength / 2);
