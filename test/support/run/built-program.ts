/** The program as `npm run build` leaves it, run as a command and not as a server. */
import { execFile } from 'node:child_process';
import path from 'node:path';

const dist = path.resolve(import.meta.dirname, '../../../dist');

/** Where Node keeps what it compiled of it, so that the next start need not. */
export const compileCache = path.join(dist, 'compile-cache');

/** How a command ended, and what it said. */
export interface EndedCommand {
  readonly exitCode: number;
  readonly stdout: string;
}

/** Runs a command of it in a folder, without colours; rejects when it is ended by a signal. */
export function runBuilt(args: readonly string[], cwd: string): Promise<EndedCommand> {
  const env = { ...process.env, NO_COLOR: '1', NODE_COMPILE_CACHE: compileCache };
  return new Promise((resolve, reject) => {
    const run = [path.join(dist, 'server.mjs'), ...args];
    execFile(process.execPath, run, { cwd, env }, (error, stdout) => {
      const exitCode = error === null ? 0 : error.code;
      if (typeof exitCode === 'number') resolve({ exitCode, stdout });
      else reject(error ?? new Error(`vitrine ${args.join(' ')} ended without a code.`));
    });
  });
}
