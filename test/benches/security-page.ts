import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AttackEnding } from '../faults/attacked-server.ts';
import type { CorpusFigures } from './corpus-figures.ts';

/** What the last run has shown. */
export interface AttackFigures {
  readonly corpus: CorpusFigures;
  readonly attacks: readonly AttackEnding[];
  readonly faults: number;
  readonly slowdowns: readonly {
    readonly question: string;
    readonly quietMs: number;
    readonly attackedMs: number;
    readonly asked: number;
  }[];
  readonly load: number;
  readonly cores: number;
}

const page = path.resolve(import.meta.dirname, '../../docs/security.md');
const begin = '<!-- the figures of the bench begin -->';
const end = '<!-- the figures of the bench end -->';

/** Puts the figures into their place in `docs/security.md`. */
export async function writeFigures(figures: AttackFigures): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error('docs/security.md has no place for the figures.');
  await writeFile(page, `${before}${begin}\n\n${figuresText(figures)}\n\n${end}${after}`);
}

function figuresText(figures: AttackFigures): string {
  const { attacks, faults, slowdowns, load, cores } = figures;
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
  const aim = `One attack ran at a time. The aim is a ratio of at most 2; ${met} of ${slowdowns.length} questions met it in this run.`;
  const at = `The last run was on ${day}, on ${cores} cores that other work loaded with ${load}.`;
  return [at, corpusText(figures.corpus), outcome, lines.join('\n'), aim].join('\n\n');
}

const milliseconds = (ms: number): string => `${ms >= 100 ? Math.round(ms) : ms.toPrecision(3)} ms`;

function corpusText(corpus: CorpusFigures): string {
  const { programs, services, walls, escapes, vmEscapes, flips, takenFlips } = corpus;
  const classes = programs.classes + services.classes + walls.classes;
  const attempts = programs.attempts + services.attempts + walls.attempts;
  return `The corpus of escapes has ${attempts} attempts in ${classes} classes. Of its ${programs.attempts} programs against the language ${escapes} reached anything from an isolate, and ${vmEscapes} did under a plain \`node:vm\`; ${services.attempts} tries at the services of a whole server and ${walls.attempts} values for the walls that judge plugins are tests, which fail when one succeeds. Of ${flips} packages with one bit turned over, each bit once, ${takenFlips} were taken.`;
}
