import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A program of its own that the test talks to line by line. */
export interface Companion {
  /** Resolves when the program says this line; rejects when it ends before. */
  readonly says: (line: string) => Promise<void>;
  readonly tell: (line: string) => void;
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>;
}

/** Runs a module's source text in a Node process, which is killed when the test ends. */
export function startCompanion(source: string): Companion {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: process.cwd(),
  });
  const ended = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return { says: listenTo(child, ended), tell: (line) => child.stdin.write(`${line}\n`), kill };
}

function listenTo(child: ChildProcess, ended: Promise<unknown>): Companion['says'] {
  const heard = new Set<string>();
  const waiting = new Map<string, () => void>();
  if (child.stdout === null) throw new Error('The companion has no output.');
  createInterface(child.stdout).on('line', (line) => {
    heard.add(line);
    waiting.get(line)?.();
  });
  return (line) => {
    if (heard.has(line)) return Promise.resolve();
    const said = new Promise<void>((resolve) => waiting.set(line, resolve));
    const silent = ended.then(() => Promise.reject(new Error(`It ended before it said ${line}.`)));
    return Promise.race([said, silent]);
  };
}
