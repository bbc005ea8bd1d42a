import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatted } from '../support/formatted.ts';
import type { AttackEnding } from '../faults/attacked-server.ts';
import type { CorpusFigures } from './corpus-figures.ts';

/** One question: how long its answers took. */
export interface Slowdown {
  readonly question: string;
  /** The 99th percentile between the attacks, and under attack. */
  readonly quietMs: number;
  readonly attackedMs: number;
  /** How often it was asked under attack. */
  readonly asked: number;
}

/** What the last run has shown. */
export interface AttackFigures {
  readonly corpus: CorpusFigures;
  readonly attacks: readonly AttackEnding[];
  readonly faults: number;
  readonly slowdowns: readonly Slowdown[];
  /** What else the machine did, as its load average. */
  readonly load: number;
  readonly cores: number;
  /** How many attacks ran at a time. */
  readonly atOnce: number;
}

const page = path.resolve(import.meta.dirname, '../../docs/security.md');
const begin =
  '<!-- BEGIN figures: written by `npm run bench -- attacks --write`, and by nobody else -->';
const end = '<!-- END figures -->';

/** Puts the figures into their place in `docs/security.md`, in the form of the house. */
export async function writeFigures(figures: AttackFigures): Promise<void> {
  const text = withFigures(await readFile(page, 'utf8'), figures);
  await writeFile(page, await formatted(page, text));
}

/** The page with the figures between its two marks; what else it says stays. */
function withFigures(text: string, figures: AttackFigures): string {
  const [before, rest, ...more] = text.split(begin);
  const [, after, ...further] = rest?.split(end) ?? [];
  const isOne = more.length === 0 && further.length === 0;
  if (before !== undefined && after !== undefined && isOne)
    return `${before}${begin}\n\n${figuresText(figures)}\n\n${end}${after}`;
  throw new Error(`docs/security.md needs one place for the figures: ${begin} … ${end}`);
}

function figuresText(figures: AttackFigures): string {
  const { attacks, faults, slowdowns, load, cores, atOnce } = figures;
  const count = (wanted: AttackEnding): number => attacks.filter((one) => one === wanted).length;
  const day = new Date().toISOString().slice(0, 10);
  const outcome = `${attacks.length} resource attacks, with the server and the other plugins alive after each: ${count('contained')} were contained and their plugin went on, ${count('timed out')} were timed out, ${count('ended')} ended their plugin. Answers to others that failed or took over 10 s: ${faults}.`;
  const rows = slowdowns.map(({ question, quietMs, attackedMs, asked }) => [
    question,
    asked,
    milliseconds(quietMs),
    milliseconds(attackedMs),
    `${(attackedMs / quietMs).toFixed(2)}x`,
  ]);
  const heads = [
    'asked meanwhile',
    'times',
    'p99 between the attacks',
    'p99 under attack',
    'ratio',
  ];
  const lines = [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  const met = slowdowns.filter(({ quietMs, attackedMs }) => attackedMs <= 2 * quietMs).length;
  const aim = `${countedAttacks(atOnce)} at a time. The aim is a ratio of at most 2; ${met} of ${slowdowns.length} questions met it in this run.`;
  const at = `The last run was on ${day}, on ${cores} cores that other work loaded with ${load}.`;
  return [at, corpusText(figures.corpus), outcome, lines.join('\n'), aim].join('\n\n');
}

const countedAttacks = (atOnce: number): string =>
  atOnce === 1 ? 'One attack ran' : `${atOnce} attacks, each under limits of its own, ran`;

const milliseconds = (ms: number): string => `${ms >= 100 ? Math.round(ms) : ms.toPrecision(3)} ms`;

function corpusText(corpus: CorpusFigures): string {
  const { programs, services, walls, escapes, vmEscapes, flips, takenFlips } = corpus;
  const classes = programs.classes + services.classes + walls.classes;
  const attempts = programs.attempts + services.attempts + walls.attempts;
  return `The corpus of escapes has ${attempts} attempts in ${classes} classes. Of its ${programs.attempts} programs against the language ${escapes} reached anything from an isolate, and ${vmEscapes} did under a plain \`node:vm\`; ${services.attempts} tries at the services of a whole server and ${walls.attempts} values for the walls that judge plugins are tests, which fail when one succeeds. Of ${flips} packages with one bit turned over, each bit once, ${takenFlips} were taken.`;
}
