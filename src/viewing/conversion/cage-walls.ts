/** The walls of each tier of the cage, as command lines around the transcoder. */
import {
  filteredProcessor,
  landlockCommand,
  systemCallFilter,
  type OpenPlace,
} from '../../../packages/lib/landlock/index.ts';
import type { InputUrl, TranscoderArguments } from './argument-parts.ts';
import type { DevicePlace } from './picture-encoders.ts';

/**
 * `bwrap`: in namespaces, with a filter of system calls. `landlock`: with rules of the kernel about files
 * and a stricter filter, where namespaces are forbidden. `none`: as a process of the server's user.
 */
export type CageTier = 'bwrap' | 'landlock' | 'none';

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

/** How a run is started. */
export interface Walls {
  readonly tier: CageTier;
  /** The address under which the transcoder opens its input, which is given at descriptor 4. */
  readonly inputUrl: InputUrl;
  /** The program and its arguments. */
  readonly wrap: (run: CagedRun) => readonly string[];
  /** Given at descriptor 3, as a file without a name. */
  readonly filter: Buffer | null;
}

/** Finds a program by its name. */
export type Find = (name: string) => string | null;

/** Walls, or why they cannot be: one sentence. */
export type WallsOrWhy = Walls | string;

/** Own users, processes, network, mounts and message queues: what the unit of systemd allows. */
const namespaces: readonly string[] = [
  ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc'],
  ...['--uid', '65534', '--gid', '65534'],
  ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
  ...['--setenv', 'MALLOC_ARENA_MAX', '2', '--setenv', 'LC_ALL', 'C'],
];

/** Where programs have their libraries. */
const libraries = ['bin', 'lib', 'lib64'].map((name) => `/${name}`);
const libraryLists = ['/etc/ld.so.cache', '/etc/alternatives', '/nix/store'];
/** What drivers read of the kernel. */
const driverPlaces = ['/sys/dev/char', '/sys/devices'];

/** Bubblewrap: it sees `/usr`, the media file and nothing else. */
export function bwrapWalls(program: string, find: Find): WallsOrWhy {
  const common = commonParts(find);
  if (typeof common === 'string') return common;
  const bwrap = find('bwrap');
  if (bwrap === null) return 'bubblewrap (bwrap) is not installed.';
  return {
    tier: 'bwrap',
    inputUrl: 'file:/in',
    filter: systemCallFilter(common.processor),
    wrap: ({ args, input, limits, devices = [] }) => [
      ...common.limiting(limits),
      ...[bwrap, ...namespaces, ...shown(program), ...shownDevices(devices), '--seccomp', '3'],
      // The descriptor and not a name: what is read is what was opened, also when the name has moved.
      ...(input === null ? [] : ['--ro-bind', '/proc/self/fd/4', '/in']),
      ...['--remount-ro', '/', '--chdir', '/', '--', program, ...args],
    ],
  };
}

/** The program with its libraries; a program beside `/usr` must be linked statically. */
const shown = (program: string): readonly string[] => [
  ...['--ro-bind', '/usr', '/usr'],
  ...[...libraries, ...libraryLists].flatMap((name) => ['--ro-bind-try', name, name]),
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
        ...driverPlaces.flatMap((name) => ['--ro-bind-try', name, name]),
        ...devices.flatMap((name) => ['--dev-bind', name, name]),
      ];

/**
 * Landlock: the kernel lets it open `/usr`, the media file and nothing else, and write to no file. `setpriv`
 * has it from util-linux 2.41 on.
 */
export function landlockWalls(program: string, find: Find): WallsOrWhy {
  const common = commonParts(find);
  if (typeof common === 'string') return common;
  const setpriv = find('setpriv');
  if (setpriv === null) return 'setpriv (util-linux) is not installed.';
  const always: readonly OpenPlace[] = [
    ...['/usr', ...libraries, '/nix/store'].map((place) => ({ place, rights: running })),
    ...['/etc/ld.so.cache', '/etc/alternatives'].map((place) => ({ place, rights: reading })),
    ...(program.startsWith('/usr/') ? [] : [{ place: program, rights: runningFile }]),
  ];
  return {
    tier: 'landlock',
    inputUrl: 'file:/dev/fd/4',
    filter: systemCallFilter(common.processor, 'without-namespaces'),
    wrap: ({ args, input, limits, devices = [] }) => {
      const places = [
        ...always,
        // The rule is for the open file, also when its name has moved.
        ...(input === null ? [] : [{ place: '/dev/fd/4', rights: reading }]),
        ...(devices.length === 0 ? [] : driverPlaces.map((place) => ({ place, rights: listing }))),
        ...devices.map((place) => ({ place, rights: using })),
      ];
      return [
        ...common.limiting(limits),
        ...landlockCommand({ setpriv, places, filterAt: 3 }),
        ...[program, ...args],
      ];
    },
  };
}

const reading = ['read-file'] as const;
const listing = ['read-file', 'read-dir'] as const;
const running = ['read-file', 'read-dir', 'execute'] as const;
const runningFile = ['read-file', 'execute'] as const;
const using = ['read-file', 'write-file'] as const;

/** Without namespaces there are still limits, and no new rights; it ends with the server. */
export function noWalls(program: string, find: Find): Walls {
  const prlimit = find('prlimit');
  const setpriv = find('setpriv');
  return {
    tier: 'none',
    inputUrl: 'file:/dev/fd/4',
    filter: null,
    wrap: ({ args, limits }) => [
      ...niceWith(find),
      ...(prlimit === null ? [] : limiting(prlimit, limits)),
      ...(setpriv === null ? [] : [setpriv, '--no-new-privs', '--pdeathsig', 'KILL', '--']),
      program,
      ...args,
    ],
  };
}

/** What each tier with walls needs. */
function commonParts(find: Find) {
  if (process.platform !== 'linux') return 'It works on Linux only.';
  const processor = filteredProcessor();
  if (processor === undefined) return `It has no filter of system calls for ${process.arch}.`;
  const prlimit = find('prlimit');
  if (prlimit === null) return 'prlimit (util-linux) is not installed.';
  return {
    processor,
    limiting: (limits: RunLimits) => [...niceWith(find), ...limiting(prlimit, limits)],
  };
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
