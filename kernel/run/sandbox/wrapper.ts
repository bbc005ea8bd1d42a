/**
 * System programs that start a command apart from the rest of the system. It opens only the given files,
 * to read, and reaches no other process and no network.
 *
 * `bwrap` and `unshare` do it by a user, pid, network and mount namespace of its own, in which nothing else
 * is to be seen. There is no `/proc`, since containers and services often forbid a new one. When the
 * wrapper ends, all processes that it started end. `setpriv` does it by Landlock and becomes the command.
 *
 * Namespaces do not part everything: sockets to the host of a virtual machine, kept keys and io_uring are
 * there in each. `bwrap` and `setpriv` set a filter of system calls as well, which denies them.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import {
  fileWithoutName,
  filteredProcessor,
  landlockCommand,
  systemCallFilter,
} from '../../../packages/lib/landlock/index.ts';
import type { VisibleFiles } from './visible-files.ts';

/** A program that isolates a process. */
export type WrapperName = 'bwrap' | 'unshare' | 'setpriv';

/** A program with its arguments. */
export type Command = readonly [file: string, ...args: string[]];

/** A program of the system that isolates a process. */
export interface Wrapper {
  readonly name: WrapperName;
  readonly tier: 'namespaces' | 'landlock';
  /** Descriptors of this process that the command gets from 5 on, by `withDescriptors`. */
  readonly descriptors: readonly number[];
  readonly wrap: (command: Command, shown: VisibleFiles) => Command;
}

const folders = ['/usr/local/bin', '/usr/bin', '/bin', '/run/current-system/sw/bin'];

/** The wrapper of this name, if its programs are installed. */
export function findWrapper(name: WrapperName): Wrapper | undefined {
  if (name === 'setpriv') return findLandlock();
  const programs = name === 'bwrap' ? ['bwrap'] : ['unshare', 'mount', 'sh'];
  const [program, , shell = ''] = programs.map(findProgram);
  if (program === undefined || !programs.every(findProgram)) return undefined;
  if (name === 'unshare')
    return { name, tier: 'namespaces', descriptors: [], wrap: namespacesBySteps(program, shell) };
  const processor = filteredProcessor();
  const descriptors = processor === undefined ? [] : [filterFor(processor, 'namespaces')];
  return { name, tier: 'namespaces', descriptors, wrap: bubblewrap(program, descriptors) };
}

/** After the three usual ones, and those of the channel. */
const filterAt = 5;

const filterFor = (...asked: Parameters<typeof systemCallFilter>): number =>
  fileWithoutName(systemCallFilter(...asked));

/**
 * Starts a command with these descriptors. They are opened for each one: a place in an open file is shared
 * with those who were given it.
 */
export function withDescriptors<Started>(
  kept: readonly number[],
  start: (opened: readonly number[]) => Started,
): Started {
  const opened = kept.map((one) => openSync(`/proc/self/fd/${one}`, 'r'));
  try {
    return start(opened);
  } finally {
    for (const one of opened) closeSync(one);
  }
}

function findLandlock(): Wrapper | undefined {
  const setpriv = findProgram('setpriv');
  const processor = filteredProcessor();
  if (setpriv === undefined || processor === undefined) return undefined;
  return {
    name: 'setpriv',
    tier: 'landlock',
    descriptors: [filterFor(processor, 'without-namespaces')],
    wrap: (command, { files }) => {
      const places = [
        ...files.map((place) => ({ place, rights: ['read-file', 'execute'] as const })),
        // In place of the configuration of OpenSSL.
        { place: '/dev/null', rights: ['read-file'] as const },
      ];
      const [program = setpriv, ...args] = landlockCommand({ setpriv, places, filterAt });
      return [program, ...args, ...command];
    },
  };
}

function findProgram(name: string): string | undefined {
  return folders.map((folder) => path.join(folder, name)).find(existsSync);
}

/** Without `--as-pid-1`: the first process of a pid namespace cannot kill itself. */
const bubblewrap =
  (program: string, descriptors: readonly number[]): Wrapper['wrap'] =>
  (command, { files }) => [
    program,
    ...(descriptors.length === 0 ? [] : ['--seccomp', String(filterAt)]),
    ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc'],
    ...['--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL', '--die-with-parent'],
    ...files.flatMap((file) => ['--ro-bind', file, file]),
    ...['--remount-ro', '/', '--chdir', '/', '--'],
    ...command,
  ];

/**
 * As root of a user namespace the shell builds the view of the disk in its empty working folder. The
 * last step is a second user namespace, whose user has no rights over the first.
 */
const steps = `
set -eu
root=$(pwd -P)
mount -n -t tmpfs -o mode=0755,nosuid,nodev plugin "$root"
cd "$root"
for file; do
  [ "$file" != -- ] || break
  mkdir -p ".\${file%/*}"
  : > ".$file"
  mount -n --bind -o ro,nosuid,nodev "$file" ".$file"
  shift
done
shift
mount -n -o remount,ro,nosuid,nodev "$root"
exec unshare --user --map-user=65534 --map-group=65534 --fork --kill-child=SIGKILL --root="$root" --wd=/ -- "$@"
`;

const namespacesBySteps =
  (program: string, shell: string): Wrapper['wrap'] =>
  (command, { files }) => [
    program,
    ...['--user', '--map-root-user', '--pid', '--net', '--mount', '--ipc'],
    ...['--fork', '--kill-child=SIGKILL', '--', shell, '-c', steps, 'sh'],
    ...files,
    '--',
    ...command,
  ];
