/**
 * Forty resource attacks under three sets of limits, three times each: is everybody alive after each, and
 * how much slower does the server answer meanwhile? Times of quiet and of attack alternate, so what else
 * the machine does counts on both sides, and the same questions are asked in both.
 */
import { cpus, loadavg } from 'node:os';
import { startAttackedServer, type AttackEnding } from '../faults/attacked-server.ts';
import { resourceAttacks, resourceLimits, type LimitName } from '../faults/resource-attacks.ts';
import { beginScan } from '../faults/watched-server.ts';
import { createMediaTree } from '../support/media/media-tree.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { questionNames, questions, watchAnswers, type AnswerWatch } from './answer-times.ts';
import { measureCorpus } from './corpus-figures.ts';
import { quantile, type Figure } from './figure.ts';
import { writeFigures, type Slowdown } from './security-page.ts';
import { sized } from './size.ts';

/** How much of it is run. */
export interface AttacksBench {
  /** The figures go into `docs/security.md`. */
  readonly isKept: boolean;
  readonly runs: number;
  /** So many of the forty, evenly chosen. */
  readonly attacks: number;
  /** Those alone whose name has these words. */
  readonly only: string;
  /** How many sets of limits are attacked under at a time, 1 to 3. */
  readonly atOnce: number;
}

const quietMs = sized(800, 200);
/** What an attack leaves behind, as a process that ends, is the attack's. */
const afterMs = 200;
const films = sized(200, 20);
const quiet = 'quiet';

/** Runs them, and asks five questions all the while. */
export async function benchAttacks(bench: AttacksBench): Promise<readonly Figure[]> {
  const limits = Object.keys(resourceLimits) as readonly LimitName[];
  const attacks = chosen(bench);
  const wanted = attacks.length * limits.length * bench.runs;
  const tree = await createMediaTree(
    Array.from({ length: films }, (_, film) => `Film ${film} (${1900 + (film % 100)}).mkv`),
  );
  const server = await startAttackedServer(limits, attacks);
  await beginScan(server, tree.path);
  await jobsOver(server);
  const watch = watchAnswers(server, quiet);
  const endings: AttackEnding[] = [];
  const faults: string[] = [];

  async function attackUnder(some: readonly LimitName[], attack: number): Promise<void> {
    const { name = '' } = resourceAttacks[attack] ?? {};
    watch.enter(quiet);
    await sleep(quietMs);
    watch.enter(name);
    const ends = await Promise.allSettled(some.map((limit) => server.attack(attack, limit)));
    await sleep(afterMs);
    for (const [at, end] of ends.entries()) {
      if (end.status === 'fulfilled') endings.push(end.value);
      else faults.push(`${name}, ${some[at] ?? ''}: ${String(end.reason)}`);
    }
  }

  try {
    for (let run = 1; run <= bench.runs; run += 1) {
      for (const [done, attack] of attacks.entries()) {
        for (let from = 0; from < limits.length; from += bench.atOnce)
          await attackUnder(limits.slice(from, from + bench.atOnce), attack);
        const at = `run ${run} of ${bench.runs}, attack ${done + 1} of ${attacks.length}`;
        console.error(
          `${at}: ${resourceAttacks[attack]?.name ?? ''}; ${endings.length} of ${wanted}`,
        );
      }
    }
  } finally {
    watch.enter(quiet);
    await watch.stop();
    await server.stop();
    await tree.remove();
  }
  faults.push(...watch.faults);
  for (const fault of faults.slice(0, 20)) console.error(fault);
  printEach(watch, attacks);
  const slowdowns = slowdownsOf(watch, (phase) => phase !== quiet);
  if (bench.isKept) await keep({ endings, faults: faults.length, slowdowns, bench });
  return [
    figure('attacks after which everybody was alive', endings.length, -wanted, 'attacks'),
    figure('answers that failed or did not come in 10 s', faults.length, 0, 'answers'),
    ...slowdowns.map(({ question, quietMs: bare, attackedMs: ours }) => ({
      ...{ name: `attacks: p99 of ${question}`, ours, bare, unit: 'ms', goal: 2 },
    })),
  ];
}

function chosen({ attacks: wanted, only }: AttacksBench): readonly number[] {
  const named = [...resourceAttacks.keys()].filter((attack) =>
    resourceAttacks[attack]?.name.includes(only),
  );
  const step = Math.max(1, named.length / wanted);
  return Array.from(
    { length: Math.min(named.length, wanted) },
    (_, at) => named[Math.floor(at * step)] ?? 0,
  );
}

function slowdownsOf(
  watch: AnswerWatch,
  isAttack: (phase: string) => boolean,
): readonly Slowdown[] {
  return questionNames.map((question) => {
    const attacked = watch.times(question, isAttack);
    const calm = watch.times(question, (phase) => phase === quiet);
    return {
      question: questions[question],
      quietMs: quantile(calm, 0.99),
      attackedMs: quantile(attacked, 0.99),
      asked: attacked.length,
    };
  });
}

/** Each attack by itself, so that one that costs others much is not hidden among many that do not. */
function printEach(watch: AnswerWatch, attacks: readonly number[]): void {
  for (const attack of attacks) {
    const { name = '' } = resourceAttacks[attack] ?? {};
    const all = slowdownsOf(watch, (phase) => phase === name);
    const ratios = all.map(({ quietMs: calm, attackedMs }) => (attackedMs / calm).toFixed(1));
    const times = all.map(({ attackedMs }) => attackedMs.toFixed(0));
    console.error(
      `${name.padEnd(36)} ${ratios.join(' ')}   (${times.join(' ')} ms, asked ${all[0]?.asked ?? 0})`,
    );
  }
}

const figure = (name: string, ours: number, goal: number, unit: string): Figure => ({
  ...{ name: `attacks: ${name}`, ours, bare: null, unit, goal },
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function keep(shown: {
  readonly endings: readonly AttackEnding[];
  readonly faults: number;
  readonly slowdowns: readonly Slowdown[];
  readonly bench: AttacksBench;
}): Promise<void> {
  const { endings, faults, slowdowns, bench } = shown;
  const load = Math.round(loadavg()[0] ?? 0);
  const { length: cores } = cpus();
  console.error('the corpus of escapes');
  const corpus = await measureCorpus();
  const { atOnce } = bench;
  await writeFigures({ corpus, attacks: endings, faults, slowdowns, load, cores, atOnce });
}
