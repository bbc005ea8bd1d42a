import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import path from 'node:path';

/** A program of the benches in a process of its own. */
export interface Forked {
  readonly child: ChildProcess;
  /** What is waited for; rejects as soon as the process ends, so that no bench waits for ever. */
  readonly orEnd: <Value>(waited: Promise<Value>) => Promise<Value>;
}

/** Starts a program by its place below `test/benches`. */
export function forkProgram(program: string, options: ForkOptions): Forked {
  const child = fork(path.join(import.meta.dirname, program), options);
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`test/benches/${program} ended.`)));
  });
  ended.catch(() => undefined); // As it does when nobody waits for it.
  return { child, orEnd: (waited) => Promise.race([waited, ended]) };
}
