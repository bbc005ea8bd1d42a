/**
 * Lives of the server's domains over one data folder, each ended by SIGKILL at a random moment. What a
 * life acknowledged is noted before it is killed, and looked for in the next.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifyBackup } from '../../../src/operations/backups/index.ts';
import { bundleOf } from '../run/bundle-of.ts';

/** Something that was done, and said to be. */
export interface Acknowledgement {
  readonly what: 'films' | 'kv' | 'audit' | 'backup';
  readonly name: string;
  readonly value: number | string;
}

/** What a life finds. */
export interface LifeState {
  /** What a look through the whole database found. */
  readonly faults: readonly string[];
  readonly kv: Readonly<Record<string, number>>;
  /** So many films are there without a gap, from the first on. */
  readonly films: number;
  readonly files: number;
  readonly items: number;
  readonly audit: number;
  readonly failedJobs: number;
  readonly openJobs: number;
}

export interface KilledLives {
  /** One life and its end, at a random moment from its first statement on. */
  readonly kill: () => Promise<void>;
  /** So many acknowledgements were heard of each kind. */
  readonly heard: () => Readonly<Record<Acknowledgement['what'], number>>;
  /** Lets the last life end by itself, and gives all that was lost or wrong in any. */
  readonly wrongs: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

type Line = { readonly state: LifeState } | { readonly promise: Acknowledgement };

/** Prepares a data folder; a life lasts so many milliseconds at most after it has opened the database. */
export async function openKilledLives(
  random: () => number,
  longestLifeMs: number,
): Promise<KilledLives> {
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-lives-'));
  const script = await bundleOf(path.join(import.meta.dirname, '../../faults/killed-life.ts'));
  const promised = new Map<string, number>();
  const counts = { films: 0, kv: 0, audit: 0, backup: 0 };
  const wrongs: string[] = [];
  let lastBackup: string | null = null;
  let life = 0;

  function hear({ what, name, value }: Acknowledgement): void {
    counts[what] += 1;
    if (typeof value === 'string') lastBackup = value;
    else promised.set(`${what} ${name}`, Math.max(value, promised.get(`${what} ${name}`) ?? 0));
  }

  /** All that was acknowledged is there, or a later value of the same kind that was not acknowledged. */
  function check(state: LifeState): void {
    const wrong = (text: string): void => void wrongs.push(`life ${life}: ${text}`);
    for (const fault of state.faults) wrong(fault);
    for (const [what, value] of promised) {
      const [kind = '', name = ''] = what.split(' ');
      const found =
        kind === 'kv' ? (state.kv[name] ?? 0) : kind === 'films' ? state.films : state.audit;
      if (found < value) wrong(`${what} is ${found} and was acknowledged as ${value}`);
    }
    if (state.files !== state.films) wrong(`${state.files} files, ${state.films} without a gap`);
    if (state.items !== state.files) wrong(`${state.items} items of ${state.files} files`);
    if (state.failedJobs > 0) wrong(`${state.failedJobs} jobs failed`);
  }

  function read(line: string): void {
    const said = JSON.parse(line) as Line;
    if ('state' in said) check(said.state);
    else hear(said.promise);
  }

  async function live(until: 'killed' | 'idle'): Promise<void> {
    life += 1;
    const child = spawn(process.execPath, [script, data, until], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: path.join(path.dirname(script), 'compiled') },
    });
    const complaints: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => void complaints.push(text));
    let rest = '';
    let timer: NodeJS.Timeout | undefined;
    // Now and then one lives until it has made a backup.
    const isLong = life % 15 === 1;
    const before = counts.backup;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(read);
      if (until === 'killed' && (!isLong || counts.backup > before))
        timer ??= setTimeout(() => child.kill('SIGKILL'), random() * longestLifeMs);
    });
    // Some are killed while they open the database, and say nothing.
    if (until === 'killed' && !isLong && random() < 0.1)
      timer = setTimeout(() => child.kill('SIGKILL'), 100 + random() * 300);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    if (code !== null && (until === 'killed' || code !== 0))
      wrongs.push(
        `life ${life} ended by itself with ${code}: ${complaints.join('').slice(0, 500)}`,
      );
    await checkBackup();
  }

  async function checkBackup(): Promise<void> {
    if (lastBackup === null) return;
    const name = lastBackup;
    lastBackup = null;
    await verifyBackup(path.join(data, 'backups', name)).catch((error: unknown) =>
      wrongs.push(`life ${life}: the backup ${name}: ${String(error)}`),
    );
    for (const old of await readdir(path.join(data, 'backups')))
      if (old !== name) await rm(path.join(data, 'backups', old), { recursive: true, force: true });
  }

  return {
    kill: () => live('killed'),
    heard: () => counts,
    wrongs: async () => {
      await live('idle');
      return wrongs;
    },
    close: async () => {
      await rm(data, { recursive: true, force: true });
      await rm(path.dirname(script), { recursive: true, force: true });
    },
  };
}
