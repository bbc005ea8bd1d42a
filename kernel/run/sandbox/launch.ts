import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The files of a plugin host. It may read only these two. */
export interface HostFiles {
  readonly hostScript: string;
  readonly engineFile: string;
}

/** Finds the binary of the isolate engine beside the host script; `undefined` when there is none. */
export function findHostFiles(hostScript: string): HostFiles | undefined {
  if (!existsSync(hostScript)) return undefined;
  const script = realpathSync(hostScript);
  const packageFile = createRequire(script).resolve('isolated-vm/package.json');
  const libc = process.platform !== 'linux' ? '' : isMusl() ? '.musl' : '.glibc';
  const engineFile = path.join(
    path.dirname(packageFile),
    'prebuilds',
    `${process.platform}-${process.arch}`,
    `isolated-vm.abi${process.versions.modules}${libc}.node`,
  );
  return existsSync(engineFile)
    ? { hostScript: script, engineFile: realpathSync(engineFile) }
    : undefined;
}

function isMusl(): boolean {
  return existsSync('/etc/alpine-release');
}

/**
 * The flags of a plugin host.
 *
 * - `--no-node-snapshot`: isolates made beside Node's own snapshot share its read-only heap.
 * - `--max-semi-space-size`, `--max-old-space-size`: for the process's own code, which only passes
 *   frames on. Isolates have limits of their own.
 * - `--no-turboshaft-loop-unrolling`: unrolled loops lose their interrupt check, and no timeout ends
 *   them; the self-test at start-up verifies this flag.
 * - `--enable-experimental-regexp-engine-on-excessive-backtracks`: a regular expression with
 *   excessive backtracking is run by an engine that does not backtrack.
 * - `--permission` and its allowances: no files, processes, workers or inspector after an escape.
 * - `--disable-sigusr1`: no inspector can be opened from outside.
 * - for WebAssembly: one memory is at most 256 MiB, and compilation never waits for another entry.
 */
export function hostFlags(files: HostFiles, wasm: boolean): readonly string[] {
  return [
    '--no-node-snapshot',
    '--max-semi-space-size=1',
    '--max-old-space-size=128',
    '--no-turboshaft-loop-unrolling',
    '--enable-experimental-regexp-engine-on-excessive-backtracks',
    '--disable-sigusr1',
    '--permission',
    '--allow-addons',
    `--allow-fs-read=${files.hostScript}`,
    `--allow-fs-read=${files.engineFile}`,
    ...(wasm ? ['--wasm-max-mem-pages=4096', '--no-wasm-async-compilation'] : []),
  ];
}

/**
 * The whole environment of a plugin host: how glibc manages freed memory. Isolates pass texts of many
 * sizes between threads; one arena, with large blocks apart from small ones, avoids fragmentation.
 */
export const hostEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
