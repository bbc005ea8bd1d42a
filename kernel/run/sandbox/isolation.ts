/**
 * The operating system's isolation for processes of installed plugins, beyond what they always have.
 * It is verified: a process is started as a plugin's would be, and checks what it can see.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Log } from '../../log.ts';
import type { HostFiles } from './launch.ts';
import { limits } from './limits.ts';
import { visibleFiles, type VisibleFiles } from './visible-files.ts';
import { findWrapper, withDescriptors, type Command, type WrapperName } from './wrapper.ts';

/**
 * The wanted isolation. `auto`: namespaces where the system allows them. `require`: no installed
 * plugin runs without them. `process`: they are not tried.
 */
export type IsolationMode = 'auto' | 'require' | 'process';

/** The isolation of installed plugins' processes, as the server found it. */
export interface IsolationReport {
  /**
   * `namespaces`: own users, pids, network and view of the disk. `landlock`: the kernel lets it open its
   * own files alone, and denies it signals and sockets. `process`: a process without access to files.
   */
  readonly tier: 'namespaces' | 'landlock' | 'process';
  /** The program that isolates. */
  readonly by: WrapperName | null;
  /** Why there are no namespaces; `null` = there are, or they are not wanted. */
  readonly reason: string | null;
}

/** How processes of installed plugins are started. */
export interface Isolation extends IsolationReport {
  /** The command, unchanged or wrapped. */
  readonly wrap: (command: Command) => Command;
  /** Whether the command is a child of its wrapper, and not the wrapper itself. */
  readonly isWrapped: boolean;
  /** Descriptors of this process that the command gets from 5 on, by `withDescriptors`. */
  readonly descriptors: readonly number[];
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

const usualWrappers: readonly WrapperName[] = ['bwrap', 'unshare', 'setpriv'];

/** Never rejects. Starts up to three processes and waits for them. */
export async function openIsolation(parts: IsolationParts): Promise<Isolation> {
  const { mode, log, wrappers = usualWrappers } = parts;
  if (mode === 'process') return noIsolation;
  const reasons: string[] = [];
  for (const name of wrappers) {
    const found = await tryWrapper(name, parts);
    if (typeof found !== 'string') {
      log.info({ isolation: found.tier, by: name }, `Plugins run ${isolationWords(found)}.`);
      return { ...found, reason: found.tier === 'namespaces' ? null : reasons.join('; ') };
    }
    reasons.push(`${name} ${found}`);
  }
  const reason = reasons.join('; ');
  log.warn(
    { isolation: 'process', reason },
    `Plugins run ${isolationWords(noIsolation)}: ${reason}.`,
  );
  return { ...noIsolation, reason };
}

/** How plugins run, in words: the end of a sentence. */
export function isolationWords({ tier, by }: Pick<IsolationReport, 'tier' | 'by'>): string {
  if (tier === 'namespaces') return `in namespaces, made by ${by ?? 'nothing'}`;
  return tier === 'landlock' ? `behind Landlock, set by ${by ?? 'nothing'}` : 'without namespaces';
}

/** A process without files, environment and children, but without namespaces. */
export const noIsolation: Isolation = {
  tier: 'process',
  by: null,
  reason: null,
  isWrapped: false,
  descriptors: [],
  environment: {},
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
    const { tier, descriptors } = wrapper;
    const isolation: Isolation = {
      tier,
      descriptors,
      by: name,
      reason: null,
      isWrapped: tier === 'namespaces',
      environment: environmentOf(shown),
      wrap: (command) => wrapper.wrap(command, shown),
    };
    return (await faultOf(isolation, { nodePath, files, shown })) ?? isolation;
  } catch (error) {
    return `could not be tried (${oneLine(error instanceof Error ? error.message : String(error))})`;
  }
}

/** The view of the disk has no cache of libraries, no time zone and no configuration of OpenSSL. */
const environmentOf = ({ libraryFolders }: VisibleFiles): Readonly<Record<string, string>> => ({
  LD_LIBRARY_PATH: libraryFolders.join(':'),
  OPENSSL_CONF: '/dev/null',
  TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

/** Starts the checking process; `null` when it is isolated. */
async function faultOf(
  isolation: Isolation,
  seen: { readonly nodePath: string; readonly files: HostFiles; readonly shown: VisibleFiles },
): Promise<string | null> {
  const { nodePath, files, shown } = seen;
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-isolation-'));
  try {
    const outside = path.join(folder, 'outside');
    writeFileSync(outside, '');
    const top = [...new Set(shown.files.map((file) => file.split('/')[1] ?? ''))];
    const isAlone = isolation.tier === 'namespaces';
    const expected = JSON.stringify({ top, isAlone, outside, server: process.pid, ...files });
    const flags = ['--no-node-snapshot', '--max-semi-space-size=1', '--eval'];
    const command = isolation.wrap([nodePath, ...flags, isolationProbe, expected]);
    const { code, said, complained } = await answerOf(command, isolation, folder);
    if (code === 0) return said === 'alone' ? null : `exposes ${oneLine(said)}`;
    return `does not work here (${oneLine(complained || `it ends with ${code ?? 'a signal'}`)})`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Answer {
  readonly code: number | null;
  readonly said: string;
  readonly complained: string;
}

function answerOf(
  [program, ...args]: Command,
  { environment: env, descriptors }: Isolation,
  cwd: string,
): Promise<Answer> {
  const child = withDescriptors(descriptors, (opened) =>
    spawn(program, args, {
      cwd,
      env,
      timeout: limits.isolationProbeMs,
      killSignal: 'SIGKILL',
      // The filter of system calls has the number that it has in a host.
      stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore', ...opened],
    }),
  );
  let [said, complained] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complained += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, said, complained }));
  });
}

/** Runs inside. It prints `alone`, or what it can do but must not. */
const isolationProbe = `
const fs = require('node:fs');
const { top, isAlone, outside, server, hostScript, engineFile } = JSON.parse(process.argv[1]);
const seen = [];
const attempt = (name, action) => { try { if (action() !== false) seen.push(name); } catch {} };
// The first process of its own namespace has started it, and few were before it.
if (isAlone && (process.ppid !== 1 || process.pid > 100)) seen.push('other processes');
attempt('signals to other processes', () => process.kill(server, 0));
attempt('the network', () => Object.values(require('node:os').networkInterfaces()).flat().some(({ internal }) => !internal));
attempt('names of files', () => fs.readdirSync('/').some((name) => !top.includes(name)));
attempt('a file', () => fs.closeSync(fs.openSync(outside)));
for (const file of [hostScript, engineFile, process.execPath, outside])
  attempt('writing ' + file, () => fs.closeSync(fs.openSync(file, 'r+')));
attempt('changing ' + outside, () => fs.chmodSync(outside, 0o600));
attempt('writing', () => fs.writeFileSync('/proof', ''));
process.dlopen({ exports: {} }, engineFile);
fs.writeSync(1, seen.join(', ') || 'alone');
`;

const oneLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, limits.messageLength / 2);
