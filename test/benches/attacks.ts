/**
 * Forty resource attacks under three sets of limits, three times each: is everybody alive after each, and
 * how much slower does the server answer meanwhile? The times between the attacks are what the times
 * under attack are held against, so what else the machine does counts on both sides.
 */
import { cpus, loadavg } from 'node:os';
import {
  startAttackedServer,
  type AttackEnding,
  type AttackedServer,
} from '../faults/attacked-server.ts';
import { resourceAttacks, resourceLimits, type LimitName } from '../faults/resource-attacks.ts';
import { createMediaTree } from '../support/media-tree.ts';
import { jobsOver } from '../support/scan.ts';
import { beginScan } from '../faults/watched-server.ts';
import { measureCorpus } from './corpus-figures.ts';
import { quantile, type Figure } from './figure.ts';
import { createClient } from './load.ts';
import { writeFigures } from './security-page.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const quietMs = 1500;
const films = 200;

/** What is asked all the time, and by which words the page names it. */
const questions = {
  health: '`GET /api/health`',
  items: '`GET /api/items`',
  search: '`GET /api/search`, which asks a built-in plugin',
  plugin: 'an action of another plugin that reads its store',
  writer: 'an action of another plugin that writes into its store',
} as const;

type Question = keyof typeof questions;
type Phase = 'quiet' | 'attacked';

/** Runs them one after the other; `isKept`: the figures go into `docs/security.md`. */
export async function benchAttacks(isKept: boolean): Promise<readonly Figure[]> {
  const limits = Object.keys(resourceLimits) as readonly LimitName[];
  const tree = await createMediaTree(
    Array.from({ length: films }, (_, film) => `Film ${film} (${1900 + (film % 100)}).mkv`),
  );
  const server = await startAttackedServer(limits);
  await beginScan(server, tree.path);
  await jobsOver(server);
  const watch = watchOver(server);
  const endings: AttackEnding[] = [];
  const faults: string[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [attack, { name }] of resourceAttacks.entries()) {
        for (const limit of limits) {
          await watch.rest(quietMs);
          watch.enter('attacked');
          await server.attack(attack, limit).then(
            (ending) => endings.push(ending),
            (error: unknown) => faults.push(`${name}, ${limit}: ${String(error)}`),
          );
        }
      }
      console.error(`round ${round + 1}: ${endings.length} attacks, load ${loadavg()[0] ?? 0}`);
    }
  } finally {
    watch.enter('quiet');
    faults.push(...(await watch.stop()));
    await server.stop();
    await tree.remove();
  }
  for (const fault of faults.slice(0, 20)) console.error(fault);
  const wanted = resourceAttacks.length * limits.length * rounds;
  const slowdowns = (Object.keys(questions) as readonly Question[]).map((question) => ({
    question: questions[question],
    quietMs: quantile(watch.times(question, 'quiet'), 0.99),
    attackedMs: quantile(watch.times(question, 'attacked'), 0.99),
    asked: watch.times(question, 'attacked').length,
  }));
  const load = Math.round(loadavg()[0] ?? 0);
  if (isKept) {
    const corpus = await measureCorpus();
    const { length: cores } = cpus();
    await writeFigures({ corpus, attacks: endings, faults: faults.length, slowdowns, load, cores });
  }
  return [
    figure('attacks after which everybody was alive', endings.length, -wanted, 'attacks'),
    figure('answers that failed or did not come in 10 s', faults.length, 0, 'answers'),
    ...slowdowns.map(({ question, quietMs: bare, attackedMs: ours }) => ({
      ...{ name: `attacks: p99 of ${question}`, ours, bare, unit: 'ms', goal: 2 },
    })),
  ];
}

const figure = (name: string, ours: number, goal: number, unit: string): Figure => ({
  ...{ name: `attacks: ${name}`, ours, bare: null, unit, goal },
});

interface Watch {
  readonly enter: (phase: Phase) => void;
  /** Lets so much time of quiet pass. */
  readonly rest: (ms: number) => Promise<void>;
  readonly times: (question: Question, phase: Phase) => readonly number[];
  /** What went wrong. */
  readonly stop: () => Promise<readonly string[]>;
}

/** Asks without a pause, each question on a connection of its own. */
function watchOver(server: AttackedServer): Watch {
  const clients = {
    health: createClient(server.url),
    items: createClient(server.url),
    search: createClient(server.url),
  };
  const taken = new Map<string, number[]>();
  const faults: string[] = [];
  let phase: Phase = 'quiet';
  let isOver = false;

  const ask: Readonly<Record<Question, () => Promise<number>>> = {
    health: () => clients.health.time('/api/health'),
    items: () => clients.items.time('/api/items?limit=50'),
    search: () => clients.search.time('/api/search?q=film'),
    plugin: () => timeOf(server.askGood('ask')),
    writer: () => timeOf(server.askGood('keep')),
  };

  async function keepAsking(question: Question): Promise<void> {
    while (!isOver) {
      const before = phase;
      try {
        const ms = await ask[question]();
        if (ms > 10_000) faults.push(`${question} took ${Math.round(ms)} ms`);
        // An answer on the border counts for the attack: it may have waited because of it.
        const during = before === 'attacked' || phase === 'attacked' ? 'attacked' : 'quiet';
        const key = `${question} ${during}`;
        taken.set(key, [...(taken.get(key) ?? []), ms]);
      } catch (error) {
        faults.push(`${question}: ${String(error)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  const asking = Promise.all((Object.keys(ask) as readonly Question[]).map(keepAsking));
  return {
    enter: (next) => {
      phase = next;
    },
    rest: async (ms) => {
      // What an attack left behind, as a process that ends, is the attack's.
      await new Promise((resolve) => setTimeout(resolve, 200));
      phase = 'quiet';
      await new Promise((resolve) => setTimeout(resolve, ms));
    },
    times: (question, during) => taken.get(`${question} ${during}`) ?? [],
    stop: async () => {
      isOver = true;
      await asking;
      for (const client of Object.values(clients)) client.close();
      return faults;
    },
  };
}

async function timeOf(answer: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await answer;
  return performance.now() - start;
}
