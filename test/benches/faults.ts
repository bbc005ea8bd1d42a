import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { openFaultScene, type FaultTally } from '../support/fault-scene.ts';
import { faultKinds } from '../support/faulty-driver.ts';
import type { Figure } from './figure.ts';

const page = path.resolve(import.meta.dirname, '../../docs/faults.md');
const [begin, end] = [
  '<!-- the table of the bench begins -->',
  '<!-- the table of the bench ends -->',
];

/** So many faults of each kind under a server at work, and the table of what came of it in `docs/faults.md`. */
export async function benchFaults(faults: number): Promise<readonly Figure[]> {
  const tallies: FaultTally[] = [];
  const wrongs: string[] = [];
  const exits = countUnheard();
  const scene = await openFaultScene();
  try {
    for (const kind of faultKinds) {
      tallies.push(await scene.hurt(kind, faults));
      wrongs.push(...(await scene.wrongs()));
      await writeTable(tallies, { wrongs: wrongs.length, unheard: exits() });
    }
  } finally {
    await scene.close();
  }
  for (const { unclear, unrecovered } of tallies)
    for (const line of [...unclear, ...unrecovered]) console.error(line);
  for (const wrong of wrongs) console.error(wrong);
  const sum = (of: (tally: FaultTally) => number) =>
    tallies.reduce((total, tally) => total + of(tally), 0);
  const figure = (name: string, ours: number, goal: number, unit: string): Figure => ({
    ...{ name: `faults: ${name}`, ours, bare: null, unit, goal },
  });
  return [
    figure(
      'faults under a server at work',
      sum((one) => one.faults),
      -4 * faults,
      'faults',
    ),
    figure(
      'answers without a clear word',
      sum((one) => one.unclear.length),
      0,
      'answers',
    ),
    figure(
      'faults after which it did not go on',
      sum((one) => one.unrecovered.length),
      0,
      'faults',
    ),
    figure('failures that would have ended the process', exits(), 0, 'failures'),
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

async function writeTable(
  tallies: readonly FaultTally[],
  { wrongs, unheard }: { readonly wrongs: number; readonly unheard: number },
): Promise<void> {
  const rows = tallies.map(
    ({ kind, faults, statements, requests, answers, unclear, unrecovered }) => {
      const told = [...answers]
        .filter(([said]) => /^5/.test(said))
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([said, count]) => `\`${said}\` ${count}`);
      const refused = told.length === 0 ? 'none' : told.join(', ');
      return [
        `\`SQLITE_${kind}\``,
        faults,
        statements,
        requests,
        refused,
        unclear.length,
        unrecovered.length,
      ];
    },
  );
  const heads = [
    'fault',
    'times',
    'different statements hit',
    'requests meanwhile',
    'refused',
    'unclear answers',
    'not at work again at once',
  ];
  const table = [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  const sentence = `Failures that nobody caught, which would have ended the process: ${unheard}. Acknowledged changes that were lost, items that were lost, doubled or wrong after the last scan, faults of the file or of the audit log: ${wrongs}.`;
  const text = await readFile(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error('docs/faults.md has no place for the table.');
  const written = `${before}${begin}\n\n${table.join('\n')}\n\n${sentence}\n\n${end}${after}`;
  const style = await resolveConfig(page);
  await writeFile(page, await format(written, { ...style, parser: 'markdown' }));
}
