/**
 * The version after this one, built from a copy of the sources: with a higher number, a column more, and a
 * table that this one does not know. There is no release before this one yet, so this one is the last version.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../../..');
const sources = [
  ...['kernel', 'packages', 'src', 'plugin-api', 'manifests-schema', 'builtin-plugins'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE'],
];

export const nextVersion = '0.2.0';

/** What the next version does to the tables. */
const migrations = `
export const migrations: readonly MigrationSet[] = [
  ...ours.map((set) =>
    set.name === 'library'
      ? {
          ...set,
          migrations: [
            ...set.migrations,
            {
              id: '0002-mood',
              kind: 'expand' as const,
              up: async (trx: Transaction) => {
                await trx.raw("alter table items add column mood text not null default 'calm'");
              },
            },
          ],
        }
      : set,
  ),
  {
    name: 'next',
    migrations: [
      {
        id: '0001-baseline',
        kind: 'expand',
        up: (trx) => trx.raw('create table moods (name text primary key)'),
      },
    ],
  },
];
`;

/** Builds it; `remove` takes the copy away. */
export async function buildNextVersion(): Promise<{
  readonly root: string;
  readonly remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-next-'));
  const isSource = (name: string): boolean =>
    !/\/(node_modules|dist)(\/|$)/.test(name.slice(root.length));
  for (const name of sources)
    await cp(path.join(root, name), path.join(folder, name), { recursive: true, filter: isSource });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await change(path.join(folder, 'package.json'), [
    /"version": "[^"]+"/,
    `"version": "${nextVersion}"`,
  ]);
  const file = path.join(folder, 'src/compose/migrations.ts');
  await change(file, ['import type { MigrationSet }', 'import type { MigrationSet, Transaction }']);
  await change(file, ['export const migrations:', 'const ours:']);
  await writeFile(file, (await readFile(file, 'utf8')) + migrations);
  const script = path.join(folder, 'packages/app/cli/build.ts');
  await promisify(execFile)(process.execPath, [script], { cwd: folder });
  return { root: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function change(file: string, [from, to]: readonly [string | RegExp, string]): Promise<void> {
  const text = await readFile(file, 'utf8');
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`${file} has no ${String(from)}.`);
  await writeFile(file, changed);
}
