/**
 * System programs that start a command in its own user, pid, network and mount namespace. It sees
 * only the given files, read-only, and no other process and no network. There is no `/proc`, since
 * containers and services often forbid a new one. When the wrapper ends, all processes that it
 * started end.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { VisibleFiles } from './visible-files.ts';

/** A program that makes namespaces. */
export type WrapperName = 'bwrap' | 'unshare';

/** A program with its arguments. */
export type Command = readonly [file: string, ...args: string[]];

/** A program of the system that makes namespaces. */
export interface Wrapper {
  readonly name: WrapperName;
  readonly wrap: (command: Command, shown: VisibleFiles) => Command;
}

const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** The wrapper of this name, if its programs are installed. */
export function findWrapper(name: WrapperName): Wrapper | undefined {
  const programs = name === 'bwrap' ? ['bwrap'] : ['unshare', 'mount', 'sh'];
  const [program, , shell = ''] = programs.map(findProgram);
  if (program === undefined || !programs.every(findProgram)) return undefined;
  const wrap = name === 'bwrap' ? bubblewrap(program) : namespacesBySteps(program, shell);
  return { name, wrap };
}

function findProgram(name: string): string | undefined {
  return folders.map((folder) => path.join(folder, name)).find(existsSync);
}

/** Without `--as-pid-1`: the first process of a pid namespace cannot kill itself. */
const bubblewrap =
  (program: string): Wrapper['wrap'] =>
  (command, { files }) => [
    program,
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
