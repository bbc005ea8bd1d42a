/**
 * A plugin system as people write it with `node:vm`: a context, a few useful globals, a host object,
 * and the plugin's own words taken at face value. It runs attempts of the corpus from standard input
 * and writes for each, one line, why it succeeded or `null`.
 */
import { readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { burglarsTools, type ProgramAttempt } from './corpus/attempt.ts';
import { verdictOn } from './corpus/judge.ts';

/** One attempt, with its place in the list. */
interface Task extends ProgramAttempt {
  readonly at: number;
}

type Store = Record<string, unknown>;

const canary = process.env['VITRINE_CANARY'] ?? '';
Reflect.set(globalThis, 'canary', canary);
process.on('uncaughtException', () => undefined);
process.on('unhandledRejection', () => undefined);

/** The host's own values, which the guest may have changed in between. */
const { stringify, parse } = JSON;
const own = Object.getOwnPropertyNames;
const prototypes = [Object.prototype, Array.prototype, Function.prototype, Promise.prototype];
const kept = [...prototypes, Error.prototype, Uint8Array.prototype, Buffer.prototype].map(
  (owner) => [owner, Object.getOwnPropertyDescriptors(owner)] as const,
);

/** Puts the built-ins back; gives the names of what was changed. */
function mend(): string[] {
  const changed: string[] = [];
  for (const [owner, properties] of kept) {
    for (const name of own(owner)) {
      const now = Object.getOwnPropertyDescriptor(owner, name);
      const was = Object.getOwnPropertyDescriptor(properties, name)?.value as typeof now;
      if (was !== undefined && Object.is(now?.value, was.value)) continue;
      changed.push(name);
      if (was === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, was);
    }
  }
  return changed;
}

/** As a thousand libraries have it. */
function merge(into: Store, from: Store): Store {
  for (const key in from) {
    const value = from[key];
    if (typeof value === 'object' && value !== null) {
      into[key] ??= {};
      merge(into[key] as Store, value as Store);
    } else into[key] = value;
  }
  return into;
}

async function run(task: Task): Promise<string | null> {
  const logLines: string[] = [];
  const hostCalls: { name: string; body: string }[] = [];
  const store: Store = {};
  const write = (...words: unknown[]): void => void logLines.push(words.map(String).join(' '));
  const note = (name: string, input: unknown): void => {
    hostCalls.push({ name, body: stringify(input) ?? '' });
  };
  const host = {
    kv: {
      get: async (input: { key: string }) => {
        note('kv.get', input);
        if (input.key === 'fail') throw new Error('There is no such key.');
        return store[input.key] ?? { key: input.key };
      },
      set: async (input: Store) => {
        if (ArrayBuffer.isView(input)) return bytesOf(input);
        note('kv.set', input);
        merge(store, { [String(input['key'])]: input['value'] });
        merge(store, input);
        return null;
      },
    },
  };
  const globals = {
    console: { log: write, info: write, warn: write, error: write, debug: write },
    ...{ setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask },
    ...{ URL, URLSearchParams, TextEncoder, TextDecoder, AbortController, Event, EventTarget },
    ...{ structuredClone, atob, btoa, crypto, performance },
  };
  const contextFor = (): object => createContext({ ...globals, host });
  const context = contextFor();
  const answers: string[] = [];
  const errors: string[] = [];
  try {
    runInContext(`${task.prelude ?? ''}\n${burglarsTools}`, context, { timeout: 1000 });
    const attack = runInContext(`(async function (input, host) { ${task.code} })`, context, {
      timeout: 1000,
    }) as (input: object, given: object) => Promise<unknown>;
    const result = await inTime(attack({ list: [{ a: 1 }] }, host));
    answers.push(ArrayBuffer.isView(result) ? bytesOf(result).toString('latin1') : textOf(result));
    if ((answers[0]?.length ?? 0) < 100_000) merge({}, { result });
  } catch (error) {
    errors.push(String(error instanceof Error ? error.message : error));
  }
  await new Promise((resolve) => setTimeout(resolve, 4));
  if (task.witness !== undefined) {
    const other = contextFor();
    const look = runInContext(`(async function (host) { ${task.witness} })`, other) as (
      given: object,
    ) => Promise<unknown>;
    answers.push(String(await look(host).catch(() => '')));
  }
  const harm = mend().map((name) => `has changed ${name} of the host`);
  const granted = ['kv.get', 'kv.set'];
  const traces = [path.resolve(import.meta.dirname), 'node:internal'];
  const secrets = { canaries: [canary], traces, granted };
  return verdictOn({ answers, errors, logLines, hostCalls, harm }, secrets);
}

function textOf(result: unknown): string {
  return stringify(result) ?? '';
}

/** Copies as one does in Node: out of a pool that others' bytes are in. */
function bytesOf(view: ArrayBufferView): Buffer {
  return Buffer.from(view as Uint8Array);
}

/** The host would wait for ever; the suite does not. */
function inTime(result: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, 250);
    result.then(resolve, reject);
  });
}

for (const task of parse(readFileSync(0, 'utf8')) as readonly Task[]) {
  const why = await run(task).catch((error: unknown) => `has broken the host: ${String(error)}`);
  writeSync(1, `${stringify({ at: task.at, why })}\n`);
}
process.exit(0);
