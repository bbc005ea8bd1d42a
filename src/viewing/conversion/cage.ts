/**
 * The cage: the only place that runs a transcoder. Inside it a program reads `/usr` and one media file.
 * It has no network, no rights, reaches no other process, and can write to nothing but its output, which
 * is a pipe to the server. A decoder that is taken over by a media file reaches only what it had already.
 * It ends with the server.
 *
 * What the program does comes from the files `*-arguments.ts` alone; the type of the arguments holds
 * that.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { fileWithoutName } from '../../../packages/lib/landlock/index.ts';
import type { InputUrl } from './argument-parts.ts';
import {
  bwrapWalls,
  landlockWalls,
  noWalls,
  type CagedRun,
  type CageTier,
  type Find,
  type Walls,
} from './cage-walls.ts';
import { processorTime } from './processor-time.ts';
import { findProgram } from '../../platform/programs.ts';

export type { CagedRun } from './cage-walls.ts';

/** `auto`: conversion only in a cage. `none`: conversion also without one. */
export type CageMode = 'auto' | 'none';

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
  readonly tier: CageTier;
  /** The address under which the transcoder opens its input. */
  readonly inputUrl: InputUrl;
  readonly run: (run: CagedRun) => CagedProgram;
}

export interface CageParts {
  /** Absolute path of the transcoder. */
  readonly program: string;
  readonly mode: CageMode;
  /** Folders of programs, as in `PATH`. */
  readonly searchPath: string;
}

/** A cage of one tier, or why there is none. */
export type CageOrWhy = Cage | NoCage;

/** Why a tier cannot be used on this machine: one sentence. */
export interface NoCage {
  readonly tier: CageTier;
  readonly why: string;
}

/** The cages to try, the strongest first. Whether one holds is tested by `openTranscoder`. */
export function createCages({ program, mode, searchPath }: CageParts): readonly CageOrWhy[] {
  const find: Find = (name) => findProgram(name, searchPath);
  if (mode === 'none') return [caged(noWalls(program, find))];
  const either = (tier: CageTier, walls: Walls | string): CageOrWhy =>
    typeof walls === 'string' ? { tier, why: walls } : caged(walls);
  return [
    either('bwrap', bwrapWalls(program, find)),
    either('landlock', landlockWalls(program, find)),
  ];
}

const saidBytes = 64 * 1024;

/** A transcoder has no other environment. */
const env = { MALLOC_ARENA_MAX: '2', LC_ALL: 'C' };

function caged({ tier, inputUrl, wrap, filter }: Walls): Cage {
  let kept: number | null = null;
  return {
    tier,
    inputUrl,
    run: (run) => {
      const [command = '', ...args] = wrap(run);
      kept ??= filter === null ? null : fileWithoutName(filter);
      // Opened for each run: a place in an open file is shared with those who were given it.
      const gate = kept === null ? null : openSync(`/proc/self/fd/${kept}`, 'r');
      const child = spawn(command, args, {
        env,
        cwd: '/',
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', gate ?? 'ignore', run.input ?? 'ignore'],
      });
      if (gate !== null) closeSync(gate);
      const { stdout, stderr } = child;
      if (stdout === null || stderr === null)
        throw new Error('A program was started without pipes');
      // When a program ends, Node drops what it wrote and nobody has read yet. This stream keeps it.
      const output = pipeline(stdout, new PassThrough(), () => undefined);
      let said = '';
      stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-saidBytes);
      });
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
        output,
        ended,
        kill,
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
