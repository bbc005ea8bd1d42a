/** The command `vitrine`, as an operator runs it. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { serverEnvironment, serverFlags } from '../../../packages/app/cli/server-flags.mjs';
import { compileCache } from './built-program.ts';

/** How it ended. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it to its end. */
export async function vitrine(...args: readonly string[]): Promise<Ran> {
  const script = path.resolve(import.meta.dirname, '../../../dist/server.mjs');
  const env = {
    PATH: process.env['PATH'],
    ...serverEnvironment,
    NODE_COMPILE_CACHE: compileCache,
  };
  return promisify(execFile)(process.execPath, [...serverFlags, script, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as Ran,
  );
}
