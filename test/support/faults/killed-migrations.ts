/**
 * Upgrades of a database of an older version, each ended by SIGKILL at a random moment. Afterwards the
 * database is of the old version or of the new one, whole, and what was kept is of the old one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../kernel/index.ts';
import { listMigrationBackups, openReadOnly, openStorage } from '../../../kernel/store/index.ts';
import { migrations } from '../../../src/compose/index.ts';
import { checkIntegrity } from '../../../src/operations/integrity/index.ts';
import { bundleOf } from '../run/bundle-of.ts';

/** Upgrades to kill. */
export interface KilledMigrations {
  /** One upgrade and its end; gives what it was like afterwards. */
  readonly kill: () => Promise<'untouched' | 'kept' | 'upgraded'>;
  /** All that was lost or wrong. */
  readonly wrongs: readonly string[];
  readonly close: () => Promise<void>;
}

const rows = 4000;
const value = JSON.stringify('x'.repeat(400));

/** As if a later version had brought all that stands on the library. */
const oldSets = migrations.slice(0, migrations.findIndex(({ name }) => name === 'library') + 1);

/** Makes a database of an older version with some thousand rows. */
export async function openKilledMigrations(random: () => number): Promise<KilledMigrations> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-upgrades-'));
  const script = await bundleOf(path.join(import.meta.dirname, '../../faults/killed-migration.ts'));
  const template = path.join(folder, 'template.db');
  await makeOld(template);
  const wrongs: string[] = [];
  let runs = 0;

  /** Runs one; resolves with its signal, and how long it took. */
  async function upgrade(file: string, killAfterMs: number | null): Promise<number> {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'inherit', 'pipe'] });
    const complaints: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => void complaints.push(text));
    const timer =
      killAfterMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    if (code !== null && code !== 0)
      wrongs.push(`run ${runs}: ${complaints.join('').slice(0, 500)}`);
    return performance.now() - startedAt;
  }

  async function fresh(): Promise<string> {
    runs += 1;
    const file = path.join(await mkdtemp(path.join(folder, 'run-')), 'vitrine.db');
    await copyFile(template, file);
    return file;
  }

  const whole = await fresh();
  // It varies with what else the machine does: so it is measured again from time to time.
  let usualMs = await upgrade(whole, null);

  async function kill(): Promise<'untouched' | 'kept' | 'upgraded'> {
    const file = await fresh();
    try {
      const tookMs = await upgrade(file, random() * usualMs * 1.1);
      usualMs = Math.max(usualMs * 0.98, tookMs * 0.7);
      const before = await stateOf(file);
      const copies = await listMigrationBackups(file);
      for (const copy of copies) await expectOld(copy.file);
      if (before !== 'old' && copies.length === 0) wrongs.push(`run ${runs}: nothing was kept`);
      const storage = await openStorage({
        ...{ url: `sqlite:${file}`, migrations, keepsCopy: true, log: silentLog },
      });
      const [found] = await storage.database
        .read('kv_entries')
        .count<{ count: number }[]>('* as count');
      if (found?.count !== rows) wrongs.push(`run ${runs}: ${found?.count} rows of ${rows}`);
      for (const { message } of await checkIntegrity(storage.database.read))
        wrongs.push(`run ${runs}: ${message}`);
      await storage.close();
      if (before !== 'old') return 'upgraded';
      return copies.length > 0 ? 'kept' : 'untouched';
    } finally {
      await rm(path.dirname(file), { recursive: true, force: true });
    }
  }

  async function expectOld(file: string): Promise<void> {
    const state = await stateOf(file);
    if (state !== 'old') wrongs.push(`run ${runs}: what was kept is ${state}`);
  }

  return {
    kill,
    wrongs,
    close: async () => {
      await rm(folder, { recursive: true, force: true });
      await rm(path.dirname(script), { recursive: true, force: true });
    },
  };
}

async function makeOld(file: string): Promise<void> {
  const storage = await openStorage({
    ...{ url: `sqlite:${file}`, migrations: oldSets, log: silentLog },
  });
  const entries = Array.from({ length: rows }, (_, no) => ({
    ...{ plugin_id: 'p', key: `k${no}`, value, size_bytes: value.length },
  }));
  await storage.database.write(async (trx) => {
    await storage.database.insertRows(trx, 'kv_entries', entries);
    await trx('kv_usage').insert({ plugin_id: 'p', used_bytes: rows * value.length });
  });
  await storage.close();
}

/** Which version a file is of; anything between two of them is wrong. */
async function stateOf(file: string): Promise<'old' | 'new' | 'torn'> {
  const storage = await openReadOnly({ url: `sqlite:${file}`, log: silentLog });
  try {
    const sets = await storage.read('schema_migrations').pluck<string[]>('name');
    if (sets.length === migrations.length + 1) return 'new';
    return sets.length === oldSets.length + 1 ? 'old' : 'torn';
  } finally {
    await storage.close();
  }
}
