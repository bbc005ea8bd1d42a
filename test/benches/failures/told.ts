import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatted } from '../../support/formatted.ts';
import { toldGroups } from '../../support/faults/told-groups.ts';
import type { Told, ToldFault } from '../../support/faults/told-server.ts';
import type { Figure } from '../figure.ts';
import { isSmallest } from '../size.ts';

const page = path.resolve(import.meta.dirname, '../../../docs/problems.md');
const [begin, end] = [
  '<!-- the table of the bench begins -->',
  '<!-- the table of the bench ends -->',
];
const heads = ['fault', 'health', 'notification'];

/**
 * Induces every fault, and writes what is told of it into `docs/problems.md`. `only` = one
 * group; the rows of the others stay as they are.
 */
export async function benchTold(only = isSmallest ? 'tasks' : ''): Promise<readonly Figure[]> {
  let [count, empty] = [0, 0];
  const note = async (fault: ToldFault, told: Told): Promise<void> => {
    const { health, notification, log, doctor, metric } = told;
    const cells = [health, notification, log, doctor, metric];
    const missing = cells.filter((cell) => cell === '').length;
    [count, empty] = [count + 1, empty + missing];
    console.error(`${missing === 0 ? 'ok  ' : 'MISS'} ${fault.name}`);
    if (!isSmallest) await writeRow(fault.name, rowText([fault.name, health, notification]));
  };
  const groups = (await toldGroups()).filter(({ name }) => only === '' || name === only);
  for (const group of groups) await group.run(note);
  return [
    { name: 'told: faults', ours: count, bare: null, unit: 'faults', goal: -40 },
    { name: 'told: empty cells', ours: empty, bare: null, unit: 'cells', goal: 0 },
  ];
}

const rowText = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const nameIn = (row: string): string => row.split('|')[1]?.trim() ?? '';

async function writeRow(name: string, row: string): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before, rest] = text.split(begin);
  const [table, after] = rest?.split(end) ?? [];
  if (before === undefined || table === undefined || after === undefined)
    throw new Error('docs/problems.md has no place for the table.');
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
  const at = rows.findIndex((one) => nameIn(one) === name);
  if (at === -1) rows.push(row);
  else rows[at] = row;
  const made = [rowText(heads), rowText(heads.map(() => '---')), ...rows].join('\n');
  const written = `${before}${begin}\n\n${made}\n\n${end}${after}`;
  await writeFile(page, await formatted(page, written));
}
