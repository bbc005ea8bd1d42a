/**
 * The cage: the only place that runs a transcoder. Inside it a program sees `/usr` and one media file,
 * both read-only. It has no network, no other process, no environment, no rights, and nothing that it
 * can write to but its output, which is a pipe to the server. A decoder that is taken over by a media
 * file reaches only what it had already. It ends with the server.
 *
 * What the program does comes from the files `*-arguments.ts` alone; the type of the arguments holds
 * that.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { filteredProcessors, systemCallFilter } from './system-call-filter.ts';
import type { InputUrl, TranscoderArguments } from './argument-parts.ts';
import type { DevicePlace } from './picture-encoders.ts';
import { processorTime } from './processor-time.ts';
import { findProgram } from './programs.ts';

/** `auto`: conversion only in a cage. `none`: conversion also without one. */
export type CageMode = 'auto' | 'none';

/** What one run may use. */
export interface RunLimits {
  /** Bytes of address space. */
  readonly memoryBytes: number;
  /** Seconds of processor time. */
  readonly cpuSeconds: number;
}

/** One run of the transcoder. */
export interface CagedRun {
  readonly args: TranscoderArguments;
  /** A descriptor of the media file, open for reading; `null` = the run reads none. The caller closes it. */
  readonly input: number | null;
  readonly limits: RunLimits;
  /** Devices that it may read and write; none when absent. */
  readonly devices?: readonly DevicePlace[];
}

/** How a run ended. */
export interface RunEnding {
  /** The exit code; `null` = it was killed, or never began. */
  readonly code: number | null;
  /** The end of what it wrote to its error output. Never for guests. */
  readonly said: string;
}

/** A transcoder that runs. */
export interface CagedProgram {
  /** As long as it is not read, the transcoder waits. */
  readonly output: Readable;
  /** Never rejects. */
  readonly ended: Promise<RunEnding>;
  /** Kills it. */
  readonly kill: () => void;
  /** Ticks of processor time that it used; `null` = it ended, or the system does not tell. */
  readonly processorTime: () => Promise<number | null>;
}

/** Runs a transcoder. */
export interface Cage {
  /** `bwrap`: in namespaces, with a filter of system calls. `none`: as a process of the server's user. */
  readonly tier: 'bwrap' | 'none';
  /** The address under which the transcoder opens its input. */
  readonly inputUrl: InputUrl;
  readonly run: (run: CagedRun) => CagedProgram;
}

/** What the cage is made of. */
export interface CageParts {
  /** Absolute path of the transcoder. */
  readonly program: string;
  readonly mode: CageMode;
  /** Folders of programs, as in `PATH`. */
  readonly searchPath: string;
}

/** The cage, or why there is none. Whether it holds is tested by `openTranscoder`. */
export function createCage({ program, mode, searchPath }: CageParts): Cage | string {
  const find = (name: string): string | null => findProgram(name, searchPath);
  if (mode === 'none') return caged('none', 'file:/dev/fd/4', outside(program, find));
  if (process.platform !== 'linux') return 'It works on Linux only.';
  const processor = filteredProcessors.find((one) => one === process.arch);
  if (processor === undefined) return `It has no filter of system calls for ${process.arch}.`;
  const bwrap = find('bwrap');
  if (bwrap === null) return 'bubblewrap (bwrap) is not installed.';
  const prlimit = find('prlimit');
  if (prlimit === null) return 'prlimit (util-linux) is not installed.';
  const wrap: Wrap = ({ args, input, limits, devices = [] }) => [
    ...niceWith(find),
    ...limiting(prlimit, limits),
    ...[bwrap, ...walls, ...shown(program), ...shownDevices(devices), '--seccomp', '3'],
    // The descriptor and not a name: what is read is what was opened, also when the name has moved.
    ...(input === null ? [] : ['--ro-bind', '/proc/self/fd/4', '/in']),
    ...['--remount-ro', '/', '--chdir', '/', '--', program, ...args],
  ];
  return caged('bwrap', 'file:/in', { wrap, filter: systemCallFilter(processor) });
}

type Find = (name: string) => string | null;
type Wrap = (run: CagedRun) => readonly string[];

interface Walls {
  readonly wrap: Wrap;
  /** Given at descriptor 3. */
  readonly filter: Buffer | null;
}

/** Own users, processes, network, mounts and message queues: what the unit of systemd allows. */
const walls: readonly string[] = [
  ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc'],
  ...['--uid', '65534', '--gid', '65534'],
  ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
  ...['--setenv', 'MALLOC_ARENA_MAX', '2', '--setenv', 'LC_ALL', 'C'],
];

/** The program with its libraries; a program beside `/usr` must be linked statically. */
const shown = (program: string): readonly string[] => [
  ...['--ro-bind', '/usr', '/usr'],
  ...['bin', 'lib', 'lib64'].flatMap((name) => ['--ro-bind-try', `/${name}`, `/${name}`]),
  ...['/etc/ld.so.cache', '/etc/alternatives', '/nix/store'].flatMap((name) => [
    ...['--ro-bind-try', name, name],
  ]),
  ...(program.startsWith('/usr/') ? [] : ['--ro-bind', program, program]),
];

/**
 * Devices, for reading and writing, with what their drivers read of the kernel. Only a run that encodes
 * with them has them: a driver has more holes than an encoder.
 */
const shownDevices = (devices: readonly DevicePlace[]): readonly string[] =>
  devices.length === 0
    ? []
    : [
        ...['--proc', '/proc'],
        ...['/sys/dev/char', '/sys/devices'].flatMap((name) => ['--ro-bind-try', name, name]),
        ...devices.flatMap((name) => ['--dev-bind', name, name]),
      ];

/** Without namespaces there are still limits, and no new rights; it ends with the server. */
function outside(program: string, find: Find): Walls {
  const prlimit = find('prlimit');
  const setpriv = find('setpriv');
  const wrap: Wrap = ({ args, limits }) => [
    ...niceWith(find),
    ...(prlimit === null ? [] : limiting(prlimit, limits)),
    ...(setpriv === null ? [] : [setpriv, '--no-new-privs', '--pdeathsig', 'KILL', '--']),
    program,
    ...args,
  ];
  return { wrap, filter: null };
}

/** Behind the server, which goes first. */
function niceWith(find: Find): readonly string[] {
  const nice = find('nice');
  return nice === null ? [] : [nice, '-n', '10'];
}

/** It writes to a pipe only: no file may grow, and none is left by a crash. */
const limiting = (prlimit: string, { memoryBytes, cpuSeconds }: RunLimits): readonly string[] => [
  prlimit,
  `--as=${memoryBytes}`,
  `--cpu=${cpuSeconds}`,
  ...['--fsize=0', '--core=0', '--nofile=256', '--'],
];

const saidBytes = 64 * 1024;

function caged(tier: Cage['tier'], inputUrl: InputUrl, { wrap, filter }: Walls): Cage {
  return {
    tier,
    inputUrl,
    run: (run) => {
      const [command = '', ...args] = wrap(run);
      const child = spawn(command, args, {
        env: {},
        cwd: '/',
        detached: true,
        stdio: [
          'ignore',
          'pipe',
          'pipe',
          filter === null ? 'ignore' : 'pipe',
          run.input ?? 'ignore',
        ],
      });
      const { stdout: output, stderr } = child;
      if (output === null || stderr === null)
        throw new Error('A program was started without pipes');
      let said = '';
      stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-saidBytes);
      });
      const [, , , gate] = child.stdio;
      if (filter !== null && gate !== null && gate !== undefined && 'end' in gate)
        gate.on('error', () => undefined).end(filter);
      output.on('error', () => undefined);
      const ended = new Promise<RunEnding>((resolve) => {
        child.on('error', (error) => resolve({ code: null, said: error.message }));
        child.on('close', (code) => resolve({ code, said }));
      });
      const kill = (): void => {
        killGroup(child);
        // What is killed as it starts could hold the pipes for longer.
        output.destroy();
        stderr.destroy();
      };
      const { pid } = child;
      return {
        ...{ output, ended, kill },
        processorTime: async () => (pid === undefined ? null : processorTime(pid)),
      };
    },
  };
}

/**
 * Kills it with the processes that it started. A `bwrap` that is killed alone while it makes the
 * namespaces leaves its child behind, which waits for it for ever.
 */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
