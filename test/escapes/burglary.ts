/**
 * Where the programs of the corpus are run: isolates of one real host process, whose own realm holds a
 * canary, beside a plugin that holds another; and a child with a plain `node:vm`.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { build, stop } from 'esbuild';
import type { HostGate } from '../../kernel/call/running-plugin.ts';
import { openSandboxes, startPlugin } from '../support/plugins/open-sandboxes.ts';
import {
  burglarsTools,
  verdictOn,
  type ProgramAttempt,
  type ProgramClass,
} from './corpus/index.ts';

/** An attempt with the words that name it. */
export interface NamedAttempt extends ProgramAttempt {
  readonly goal: string;
}

/** A goal that was reached, and how that shows. */
export interface Success {
  readonly goal: string;
  readonly why: string;
}

/** Isolates to break out of. */
export interface Prison {
  /** Runs an attempt in an isolate of its own; why it succeeded, or `null`. */
  readonly hold: (attempt: NamedAttempt, wasm: boolean) => Promise<string | null>;
  readonly close: () => Promise<void>;
}

const root = path.resolve(import.meta.dirname, '../..');
const granted = ['kv.get', 'kv.set', 'media.list', 'viewing.lists'];

/** The attempts of a class, as a list. */
export function attemptsOf({ attempts }: Pick<ProgramClass, 'attempts'>): readonly NamedAttempt[] {
  return Object.entries(attempts).map(([goal, attempt]) =>
    typeof attempt === 'string' ? { goal, code: attempt } : { goal, ...attempt },
  );
}

/** Opens the prison: one process for all that need no WebAssembly. */
export async function openPrison(): Promise<Prison> {
  const canary = newCanary();
  const hostScript = path.join(root, 'dist', `probed-host-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(import.meta.dirname, 'probed-host.ts')],
    outfile: hostScript,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    packages: 'external',
    define: { plantedCanary: JSON.stringify(canary) },
  });
  await stop();
  const sandboxes = openSandboxes(hostScript);
  const secret = newCanary();
  const witness = await startPlugin(sandboxes, {
    pluginId: 'witness',
    process: 'shared',
    gate: answerFor('witness', []),
    prelude: `var theirSecret = ${JSON.stringify(secret)};`,
    definition:
      'methods: { look: (code, host) => (0, eval)(`(async (host) => { ${code} })`)(host) },',
  });
  const secrets = { canaries: [canary, secret], traces: [root, 'node:internal'], granted };

  async function hold(attempt: NamedAttempt, wasm: boolean): Promise<string | null> {
    const hostCalls: { name: string; body: string }[] = [];
    const prisoner = await startPlugin(sandboxes, {
      pluginId: 'attacker',
      wasm,
      process: wasm ? 'own' : 'shared',
      gate: answerFor('attacker', hostCalls),
      prelude: `${attempt.prelude ?? ''}\n${burglarsTools}`,
      definition: `methods: { attack: async function (input, host) { ${attempt.code} }, ping: () => 'alive' },`,
    });
    const harm: string[] = [];
    void prisoner.gone.then(({ reason, message }) => {
      if (!ownEndings.has(reason)) harm.push(`has ended its process: ${message}`);
    });
    const said = [await prisoner.call('attack', { list: [{ a: 1 }] }, patienceMs)];
    said.push(await prisoner.call('ping', {}, patienceMs));
    for (const method of ['sneak', 'toString', '__proto__', 'constructor']) {
      const reply = await prisoner.call(method, {}, patienceMs);
      if (reply.kind === 'returned' || reply.kind === 'threw') harm.push(`has a handler ${method}`);
    }
    if (attempt.witness !== undefined) said.push(await witness.call('look', attempt.witness));
    await prisoner.sandbox.stop();
    harm.push(...pollution());
    const answers = said.flatMap((one) => (one.kind === 'returned' ? [text(one.body)] : []));
    const errors = said.flatMap((one) => (one.kind === 'threw' ? [one.message, one.code] : []));
    const logLines = prisoner.logs.map((line) => line.text);
    return verdictOn({ answers, errors, logLines, hostCalls, harm }, secrets);
  }

  return {
    hold,
    close: async () => {
      await sandboxes.stop();
      await rm(hostScript, { force: true });
    },
  };
}

const patienceMs = 8000;
/** A plugin may lose itself; the process is not its to lose. */
const ownEndings: ReadonlySet<string> = new Set(['cpu', 'memory']);

function newCanary(): string {
  return `canary-${randomBytes(16).toString('hex')}`;
}

const text = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('latin1');

/** Answers as a store would, and notes who asked for what. */
function answerFor(pluginId: string, calls: { name: string; body: string }[]): HostGate {
  return async ({ service, method, body }) => {
    calls.push({ name: `${service}.${method}`, body: text(body) });
    if (typeof body !== 'string') {
      return method === 'set'
        ? { ok: true, body }
        : { ok: false, code: 'invalid_argument', message: 'It takes no bytes.' };
    }
    if (body.includes('"fail"')) {
      return { ok: false, code: 'not_found', message: 'There is no such key.' };
    }
    if (body.includes('"slow"')) await new Promise((resolve) => setTimeout(resolve, 10));
    return { ok: true, body: JSON.stringify({ key: keyIn(body), pluginId }) };
  };
}

function keyIn(body: string): unknown {
  const input: unknown = JSON.parse(body);
  return typeof input === 'object' && input !== null && 'key' in input ? input.key : null;
}

const ownNames = [Object.prototype, Array.prototype, Function.prototype].map(
  (owner) => [owner, Reflect.ownKeys(owner).length] as const,
);

/** What has become of the prototypes of the server's own realm. */
function pollution(): readonly string[] {
  const isSound = ownNames.every(([owner, count]) => Reflect.ownKeys(owner).length === count);
  return isSound ? [] : ['has changed a prototype of the server'];
}

/** Runs all attempts under a plain `node:vm`, in a child; those that succeeded. */
export async function breakOutOfVm(attempts: readonly NamedAttempt[]): Promise<readonly Success[]> {
  const successes: Success[] = [];
  let rest = attempts.map((attempt, at) => ({ ...attempt, at }));
  while (rest.length > 0) {
    const lines = await runNaiveVm(JSON.stringify(rest));
    const seen = new Map(lines.map(({ at, why }) => [at, why]));
    const victim = rest.find(({ at }) => !seen.has(at));
    for (const { at, goal } of rest) {
      const why = at === victim?.at ? 'has ended its process' : seen.get(at);
      if (typeof why === 'string') successes.push({ goal, why });
    }
    rest = victim === undefined ? [] : rest.filter(({ at }) => at > victim.at);
  }
  return successes;
}

interface Line {
  readonly at: number;
  readonly why: string | null;
}

function runNaiveVm(input: string): Promise<readonly Line[]> {
  const script = path.join(import.meta.dirname, 'naive-vm.ts');
  const env = { ...process.env, VITRINE_CANARY: newCanary(), VITRINE_CANARY_FILE: script };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [script], { env, maxBuffer: 2 ** 26 }, (_, stdout) => {
      const lines = stdout.split('\n').filter((line) => line.startsWith('{"at"'));
      resolve(lines.map((line) => JSON.parse(line) as Line));
    });
    child.stdin?.end(input);
  });
}
