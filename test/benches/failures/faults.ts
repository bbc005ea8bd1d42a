import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatted } from '../../support/formatted.ts';
import { openFaultScene } from '../../support/faults/fault-scene.ts';
import { createSweeper, errandsOf } from '../../support/faults/fault-sweeps.ts';
import { createTally, type FaultTally } from '../../support/faults/fault-tally.ts';
import { faultKinds, type FaultKind } from '../../support/storage/faulty-driver.ts';
import type { Figure } from '../figure.ts';
import { isSmallest, sized } from '../size.ts';

const page = path.resolve(import.meta.dirname, '../../../docs/faults.md');
const [begin, end] = [
  '<!-- the table of the bench begins -->',
  '<!-- the table of the bench ends -->',
];

/** What is written of one kind. */
interface Outcome extends FaultTally {
  /** Different statements that the server sent meanwhile. */
  readonly sent: number;
  readonly unheard: number;
  readonly wrongs: readonly string[];
}

/**
 * Faults of a kind at every statement that the errands and the starts of a server have, and so many
 * more at any statement; and the results in the table of `docs/faults.md`. `only` = one
 * kind; the rows of the others stay as they are.
 */
export async function benchFaults(further: number, only = ''): Promise<readonly Figure[]> {
  const kinds = faultKinds
    .filter((kind) => only === '' || kind === only)
    .slice(0, sized(Infinity, 1));
  const figures: Figure[] = [];
  const unheard = countUnheard();
  for (const kind of kinds) {
    const before = unheard();
    const outcome = await hurt(kind, further);
    const whole = { ...outcome, unheard: unheard() - before };
    if (!isSmallest) await writeRow(whole);
    for (const line of [...whole.unclear, ...whole.unrecovered, ...whole.wrongs])
      console.error(line);
    figures.push(...figuresOf(whole));
  }
  return figures;
}

async function hurt(kind: FaultKind, further: number): Promise<Omit<Outcome, 'unheard'>> {
  const scene = await openFaultScene();
  const sweeper = createSweeper(scene, console.error);
  const tally = createTally(kind);
  try {
    await sweeper.errands(tally, errandsOf(scene).slice(0, sized(Infinity, 1)), sized(2, 1));
    // One start is tried hundreds of times until it comes up.
    await sweeper.starts(tally, sized(Infinity, 0));
    await scene.hurt(tally, further, 0);
    const wrongs = await scene.wrongs();
    return { ...tally, wrongs, sent: scene.plan.sent().size };
  } finally {
    await scene.close();
  }
}

function figuresOf(outcome: Outcome): readonly Figure[] {
  const { kind, statements, unclear, unrecovered, unheard, wrongs } = outcome;
  const figure = (name: string, ours: number, goal: number, unit: string): Figure => ({
    ...{ name: `faults: ${kind}: ${name}`, ours, bare: null, unit, goal },
  });
  return [
    figure('different statements that met it', statements, -500, 'statements'),
    figure('answers without a clear word', unclear.length, 0, 'answers'),
    figure('faults after which it did not go on', unrecovered.length, 0, 'faults'),
    figure('failures that would have ended the process', unheard, 0, 'failures'),
    figure('things lost, doubled or wrong', wrongs.length, 0, 'things'),
  ];
}

/** What nobody catches ends a server; here it is counted. */
function countUnheard(): () => number {
  let unheard = 0;
  for (const name of ['unhandledRejection', 'uncaughtException'] as const)
    process.on(name, (error: unknown) => {
      unheard += 1;
      console.error(name, error);
    });
  return () => unheard;
}

const heads = [
  ...['fault', 'times', 'different statements hit', 'of those sent', 'requests meanwhile'],
  ...['refused', 'starts refused', 'unclear answers', 'not at work again at once'],
  ...['would have ended the process', 'lost, doubled or wrong'],
];

function rowOf(outcome: Outcome): string {
  const { kind, faults, statements, sent, requests, answers, refusedStarts } = outcome;
  const told = [...answers]
    .filter(([said]) => /^5.. /.test(said))
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([said, count]) => `\`${said}\` ${count}`);
  return rowText([
    ...[nameOf(kind), faults, statements, sent, requests],
    ...[told.length === 0 ? 'none' : told.join(', '), refusedStarts],
    ...[outcome.unclear.length, outcome.unrecovered.length],
    ...[outcome.unheard, outcome.wrongs.length],
  ]);
}

const nameOf = (kind: FaultKind): string => `\`SQLITE_${kind}\``;
const rowText = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`;

async function writeRow(outcome: Outcome): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before, rest] = text.split(begin);
  const [table, after] = rest?.split(end) ?? [];
  if (before === undefined || table === undefined || after === undefined)
    throw new Error('docs/faults.md has no place for the table.');
  const rows = faultKinds.flatMap((kind) => {
    const known = table.split('\n').find((line) => line.startsWith(`| ${nameOf(kind)}`));
    return kind === outcome.kind ? [rowOf(outcome)] : (known ?? []);
  });
  const made = [rowText(heads), rowText(heads.map(() => '---')), ...rows].join('\n');
  const written = `${before}${begin}\n\n${made}\n\n${end}${after}`;
  await writeFile(page, await formatted(page, written));
}
