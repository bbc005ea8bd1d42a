import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { silentLog } from '../../../kernel/index.ts';
import { openReadOnly, openStorage, type MigrationSet } from '../../../kernel/store/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { testViewers } from '../../../test/support/servers/http.ts';
import { openStorageAt, temporaryFolder } from '../../../test/support/storage/storage.ts';
import {
  createBackupRunner,
  acceptRestore,
  backupTime,
  clearLeftovers,
  createBackups,
  isBackupName,
  settleRestore,
  stageRestore,
  swapIn,
  takeBack,
  verifyBackup,
} from './index.ts';
import { sampleOf } from '../../../test/support/run/nightly.ts';

const viewer = testViewers['admin'] as NonNullable<(typeof testViewers)[string]>;
const migrations: readonly MigrationSet[] = [
  {
    name: 'notes',
    migrations: [
      {
        id: '0001-notes',
        kind: 'expand',
        up: async (trx) => trx.schema.createTable('notes', (table) => table.text('text')),
      },
    ],
  },
];
const newer: readonly MigrationSet[] = [
  {
    name: 'notes',
    migrations: [
      ...(migrations[0]?.migrations ?? []),
      {
        id: '0002-later',
        kind: 'expand',
        up: async (trx) => trx.schema.createTable('later', (t) => t.text('x')),
      },
    ],
  },
];

async function home({
  with: sets = migrations,
  place = '',
  passphrase = '',
  atEnd = onTestFinished as (end: () => unknown) => void,
} = {}) {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'vitrine-test-'));
  atEnd(() => rmSync(dataFolder, { recursive: true, force: true }));
  const databaseFile = path.join(dataFolder, 'vitrine.db');
  const databaseUrl = `sqlite:${databaseFile}`;
  const storage = await openStorageAt(databaseUrl, { migrations: sets });
  atEnd(() => storage.close());
  const note = (text: string) =>
    storage.database.write(async (trx) => {
      await trx('notes').insert({ text });
    });
  await note('first');
  mkdirSync(path.join(dataFolder, 'plugins/hello'), { recursive: true });
  writeFileSync(path.join(dataFolder, 'plugins/hello/index.js'), 'export default 1;');
  writeFileSync(path.join(dataFolder, 'vitrine.json'), '{"port": 8360}');
  writeFileSync(path.join(dataFolder, 'server.key'), 'secret');
  const clock = createFakeClock();
  const audited: unknown[] = [];
  const restarts: unknown[] = [];
  const changes: string[] = [];
  const staging = { dataFolder, databaseUrl, migrations, log: silentLog };
  const folder = place === '' ? path.join(dataFolder, 'backups') : place;
  const backups = createBackups({
    database: storage.database,
    databaseUrl,
    searchPath: '',
    dataFolder,
    folder,
    kept: 2,
    passphrase: () => (passphrase === '' ? null : passphrase),
    serverVersion: '1.2.3',
    stage: (file) => stageRestore(file, staging),
    restart: (staged) => void restarts.push(staged),
    audit: async (_trx, entry) => void audited.push(entry),
    changed: (change) => void changes.push(change),
    clock,
    log: silentLog,
  });
  return {
    dataFolder,
    databaseFile,
    folder,
    storage,
    note,
    clock,
    audited,
    restarts,
    changes,
    staging,
    backups,
  };
}

/** The path of a backup; the API shows a path in the data folder. */
const fileIn = ({ folder }: Pick<Home, 'folder'>, { filename }: { readonly filename: string }) =>
  path.join(folder, filename);

type Home = Awaited<ReturnType<typeof home>>;

async function notesIn(file: string): Promise<readonly string[]> {
  const { read, close } = await openReadOnly({ url: `sqlite:${file}`, log: silentLog });
  const rows = await read<{ text: string }>('notes').select('text');
  await close();
  return rows.map(({ text }) => text);
}

describe('creating a backup', () => {
  test('returns the four fields of the specification, and writes an intact file', async () => {
    const { backups, folder, audited } = await home();

    const backup = await backups.create({ label: 'Before the Upgrade!' }, viewer);

    const filename = 'vitrine-20261121T074453000Z-before-the-upgrade.vbackup';
    expect(backup).toEqual({
      filename,
      path: path.join('backups', filename),
      sizeBytes: statSync(path.join(folder, filename)).size,
      createdAt: '2026-11-21T07:44:53.000Z',
    });
    expect(
      (await verifyBackup(path.join(folder, backup.filename))).parts.map((part) => part.path),
    ).toEqual(['database.db', 'vitrine.json', 'plugins/hello/index.js']);
    expect(audited).toEqual([expect.objectContaining({ action: 'backup.created' })]);
    expect(readdirSync(folder)).toEqual([filename]);
  });

  test('includes the keys of the server only on request, and only its owner can read it', async () => {
    const at = await home();
    const { backups, clock } = at;
    const without = await backups.create({}, viewer);
    await clock.advance(1);
    const withKeys = await backups.create({ keys: true }, viewer);

    const keysIn = async (file: string) =>
      (await verifyBackup(file)).parts.filter((part) => part.path.startsWith('keys/'));
    expect(await keysIn(fileIn(at, without))).toEqual([]);
    expect(await keysIn(fileIn(at, withKeys))).toEqual([
      expect.objectContaining({ path: 'keys/server.key' }),
    ]);
    expect(statSync(fileIn(at, withKeys)).mode & 0o077).toBe(0);
  });

  test.skipIf(process.platform !== 'linux')(
    'in a folder that cannot be written is refused with the folder',
    async () => {
      const { backups } = await home({ place: '/sys/backups' });

      await expect(backups.create({}, viewer)).rejects.toMatchObject({
        code: 'backup_refused',
        message: expect.stringMatching(/^The backup folder \/sys\/backups cannot be used/),
      });
    },
  );

  test('in the place of a file is refused with the file, and the list is not empty but refused', async () => {
    const place = path.join(temporaryFolder(), 'backups');
    writeFileSync(place, '');
    const { backups } = await home({ place });
    const refusal = {
      code: 'backup_refused',
      message: expect.stringContaining(`The backup folder ${place} is not a folder`),
    };

    await expect(backups.create({}, viewer)).rejects.toMatchObject(refusal);
    await expect(backups.list()).rejects.toMatchObject(refusal);
  });

  test('in a new folder follows an empty list', async () => {
    const { backups } = await home();

    expect(await backups.list()).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'by root gives the file and the new folders to the owner of the data folder',
    async () => {
      const at = await home();
      chownSync(at.dataFolder, 65_534, 65_534);

      const backup = await at.backups.create({}, viewer);

      const owners = [at.folder, fileIn(at, backup)].map((made) => statSync(made).uid);
      expect(owners).toEqual([65_534, 65_534]);
    },
  );

  test('removes the leftovers of a killed one, and not the files of one in progress', async () => {
    const { backups, folder, clock } = await home();
    const [left, atWork] = [path.join(folder, '.copy-left'), path.join(folder, '.copy-at-work')];
    for (const copies of [left, atWork]) mkdirSync(copies, { recursive: true });
    const yesterday = clock.now() / 1000 - 86_400;
    utimesSync(left, yesterday, yesterday);
    utimesSync(atWork, clock.now() / 1000, clock.now() / 1000);

    const { filename } = await backups.create({}, viewer);

    expect(readdirSync(folder).sort()).toEqual(['.copy-at-work', filename]);
    // At the start of a server, none is in progress.
    await clearLeftovers(folder);
    expect(readdirSync(folder)).toEqual([filename]);
  });

  test('contains a snapshot, while writes continue', async () => {
    const at = await home();
    const { backups, note } = at;
    const writing = Array.from({ length: 50 }, (_, no) => note(`note ${no}`));

    const backup = await backups.create({}, viewer);
    await Promise.all(writing);

    await expect(verifyBackup(fileIn(at, backup))).resolves.toMatchObject({
      serverVersion: '1.2.3',
    });
  });

  test('cannot be downloaded with a read-only key, because it contains secrets', async () => {
    const { backups } = await home();
    const { filename } = await backups.create({}, viewer);

    const readOnly = { ...viewer, isReadOnly: true };
    await expect(backups.open(filename, readOnly)).rejects.toThrow(/read-only/);
  });

  test('is done one at a time', async () => {
    const { backups } = await home();
    const first = backups.create({}, viewer);

    await expect(backups.create({}, viewer)).rejects.toThrow(
      'Another backup or restore is in progress.',
    );
    await first;
  });

  test('refuses a label that is not usable in a file name', async () => {
    const { backups } = await home();

    await expect(backups.create({ label: '../..' }, viewer)).rejects.toThrow(/a letter a-z/);
  });

  testByNight(
    'by schedule keeps the configured number, and never removes one made on request',
    async () => {
      const { backups, clock } = await home();
      await backups.create({ label: 'mine' }, viewer);
      for (let day = 0; day < 4; day += 1) {
        await clock.advance(86_400_000);
        await backups.createScheduled();
      }

      const names = (await backups.list()).map(({ filename }) => filename.slice(8, 16));
      expect(names).toEqual(['20261125', '20261124', '20261121']);
    },
  );

  test('by a job is one of the scheduled ones, and the result of the job names it', async () => {
    const { backups } = await home();
    const runner = createBackupRunner(backups);

    const result = await runner.step({} as never, null, new AbortController().signal);

    const [made] = await backups.list();
    expect(made?.filename).toMatch(/-scheduled\.vbackup$/);
    const { filename, sizeBytes } = made ?? {};
    expect(result).toEqual({ done: true, result: { filename, sizeBytes } });
  });

  test('tells of each that is made, by a person or the schedule, and of each that is removed', async () => {
    const { backups, changes, clock } = await home();
    const { filename } = await backups.create({}, viewer);
    await clock.advance(1000);
    await backups.createScheduled();
    await backups.remove(filename, viewer);
    expect(changes).toEqual(['made', 'made', 'removed']);
  });

  test('by schedule is kept, also when others were made while the clock was a year ahead', async () => {
    const { backups, clock } = await home();
    clock.set(365 * 86_400_000);
    for (let day = 0; day < 2; day += 1) {
      await clock.advance(86_400_000);
      await backups.createScheduled();
    }
    clock.set(-365 * 86_400_000);
    await backups.createScheduled();

    const names = (await backups.list()).map(({ filename }) => filename.slice(8, 16));
    expect(names).toEqual(['20271123', '20261123']);
  });
});

test('the name contains the time, and other files of the folder are ignored', () => {
  const name = 'vitrine-20261121T074453123Z-a-b.vbackup';
  expect(backupTime(name)).toBe(Date.UTC(2026, 10, 21, 7, 44, 53, 123));
  for (const other of [
    '../vitrine-20261121T074453123Z.vbackup',
    'vitrine-20261121T074453123Z.vbackup/x',
    'vitrine-20261121T074453123Z-A.vbackup',
    'vitrine.db',
    '',
  ])
    expect(isBackupName(other)).toBe(false);
});

describe('a file that cannot be restored', () => {
  let at: Home;
  let file: string;
  let whole: Buffer;
  let before: string;
  const ends: (() => unknown)[] = [];

  // One for all: what is refused changes nothing.
  beforeAll(async () => {
    at = await home({ atEnd: (end) => void ends.unshift(end) });
    file = fileIn(at, await at.backups.create({}, viewer));
    whole = readFileSync(file);
    before = treeOf(at.dataFolder);
  });
  beforeEach(() => writeFileSync(file, whole));
  afterAll(async () => {
    for (const end of ends) await end();
  });

  /** Packs the changed content of the backup again. */
  async function repack(
    change: (parts: Map<string, Buffer>) => void,
    { keepsManifest = false } = {},
  ): Promise<void> {
    const entries = await unpackTar(gunzipSync(readFileSync(file)));
    const parts = new Map(
      entries.map(({ header, data }) => [header.name, Buffer.from(data ?? [])] as const),
    );
    change(parts);
    if (!keepsManifest) parts.set('manifest.json', Buffer.from(JSON.stringify(manifestOf(parts))));
    const packed = await packTar(
      [...parts].map(([name, body]) => ({ header: { name, size: body.length }, body })),
    );
    writeFileSync(file, gzipSync(packed));
  }

  const manifestOf = (parts: ReadonlyMap<string, Buffer>) => ({
    format: 'vitrine-backup',
    v: 1,
    createdAt: '2026-11-21T07:44:53.000Z',
    serverVersion: '1.2.3',
    label: null,
    parts: [...parts]
      .filter(([name]) => name !== 'manifest.json')
      .map(([name, body]) => ({
        path: name,
        size: body.length,
        sha256: createHash('sha256').update(body).digest('hex'),
      })),
  });

  const refusals: readonly (readonly [string, () => unknown, RegExp])[] = [
    ['is cut off', () => truncateSync(file, statSync(file).size - 30), /damaged, truncated/],
    [
      'is cut to half',
      () => truncateSync(file, Math.floor(statSync(file).size / 2)),
      /damaged, truncated/,
    ],
    ['is empty', () => truncateSync(file, 0), /empty|damaged/],
    ['is something else', () => writeFileSync(file, 'a letter'), /not a backup of Vitrine/],
    ['is another archive', () => writeFileSync(file, gzipSync('x'.repeat(4096))), /not a backup/],
    [
      'has a byte of the database changed',
      () =>
        repack((parts) => parts.get('database.db')?.writeUInt8(7, 5000), { keepsManifest: true }),
      /database\.db is damaged/,
    ],
    [
      'lacks a part',
      () => repack((parts) => parts.delete('vitrine.json'), { keepsManifest: true }),
      /vitrine\.json is missing/,
    ],
    [
      'has a part that it does not name',
      () => repack((parts) => parts.set('plugins/x.js', Buffer.from('1')), { keepsManifest: true }),
      /plugins\/x\.js does not match the manifest/,
    ],
    [
      'wants to write elsewhere',
      () => repack((parts) => parts.set('plugins/../../x', Buffer.from('1'))),
      /manifest is not valid for this version/,
    ],
    [
      'has no database',
      () => repack((parts) => parts.delete('database.db')),
      /manifest is not valid for this version/,
    ],
    [
      'holds a database that is none',
      () => repack((parts) => parts.set('database.db', Buffer.alloc(8192, 1))),
      /database cannot be used/,
    ],
    [
      'names another database in its settings',
      () => repack((parts) => parts.set('vitrine.json', Buffer.from('{"database":"sqlite:/x"}'))),
      /name the database "sqlite:\/x"/,
    ],
    [
      'has settings that are not JSON',
      () => repack((parts) => parts.set('vitrine.json', Buffer.from('{"port"'))),
      /^Its settings cannot be used: vitrine\.json is not JSON/,
    ],
    [
      'has settings that the next start would refuse',
      () => repack((parts) => parts.set('vitrine.json', Buffer.from('{"prot": 8360}'))),
      /^Its settings cannot be used: prot in vitrine\.json: no such setting/,
    ],
  ];

  test.each(sampleOf(refusals, 7))(
    'because it %s is refused with the reason, and nothing changes',
    async (...row) => {
      const [, spoil, reason] = row;
      await spoil();

      await expect(at.backups.restore(path.basename(file), viewer)).rejects.toThrow(reason);

      expect(at.restarts).toEqual([]);
      expect(treeOf(at.dataFolder)).toBe(before);
    },
  );

  test('because it is of a newer version is refused, and nothing changes', async () => {
    const later = await home({ with: newer });
    const made = await later.backups.create({}, viewer);
    cpSync(fileIn(later, made), file);

    await expect(at.backups.restore(path.basename(file), viewer)).rejects.toThrow(
      /database cannot be used/,
    );
    expect(treeOf(at.dataFolder)).toBe(before);
  });

  test('because it does not exist is refused', async () => {
    for (const name of ['vitrine-20000101T000000000Z.vbackup', '../vitrine.db', 'vitrine.json'])
      await expect(at.backups.restore(name, viewer)).rejects.toThrow(/does not exist/);
  });
});

/**
 * All files of the data folder with their content, without backups and the database's own files.
 */
function treeOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return names
    .filter((name) => !name.startsWith('backups') && !/\.db(-|$)/.test(name))
    .map((name) => {
      const file = path.join(folder, name);
      return statSync(file).isFile() ? `${name}: ${readFileSync(file, 'utf8')}` : name;
    })
    .join('\n');
}

describe('restoring a backup', () => {
  /** A stopped server that was backed up and then changed. */
  async function stopped(): Promise<Home & { readonly file: string }> {
    const at = await home();
    const file = fileIn(at, await at.backups.create({ keys: true }, viewer));
    await at.note('second');
    writeFileSync(path.join(at.dataFolder, 'plugins/hello/index.js'), 'export default 2;');
    writeFileSync(path.join(at.dataFolder, 'server.key'), 'newer secret');
    await at.storage.close();
    return { ...at, file };
  }

  test('restores database, plugins, settings and keys, and moves the current ones aside', async () => {
    const { dataFolder, databaseFile, file, staging } = await stopped();

    const staged = await stageRestore(file, staging);
    const aside = await swapIn(staged, { dataFolder, databaseFile, nowMs: 0 });
    await acceptRestore(dataFolder);

    expect(await notesIn(databaseFile)).toEqual(['first']);
    expect(readFileSync(path.join(dataFolder, 'plugins/hello/index.js'), 'utf8')).toContain('1');
    expect(readFileSync(path.join(dataFolder, 'server.key'), 'utf8')).toBe('secret');
    expect(await notesIn(path.join(aside ?? '', 'database.db'))).toEqual(['first', 'second']);
    expect(await settleRestore(dataFolder)).toBe(false);
    expect(await notesIn(databaseFile)).toEqual(['first']);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'by root gives all files to the owner of the data folder',
    async () => {
      const { dataFolder, databaseFile, file, staging } = await stopped();
      chownSync(dataFolder, 65_534, 65_534);

      const staged = await stageRestore(file, staging);
      await swapIn(staged, { dataFolder, databaseFile, nowMs: 0 });

      const restored = ['vitrine.db', 'plugins/hello/index.js', 'server.key', 'restore.json'];
      const owners = restored.map((name) => statSync(path.join(dataFolder, name)).uid);
      expect(new Set(owners)).toEqual(new Set([65_534]));
    },
  );

  test('into an empty data folder moves nothing aside', async () => {
    const { file, staging } = await stopped();
    const dataFolder = temporaryFolder();
    const databaseFile = path.join(dataFolder, 'vitrine.db');
    const databaseUrl = `sqlite:${databaseFile}`;

    const staged = await stageRestore(file, { ...staging, dataFolder, databaseUrl });
    const aside = await swapIn(staged, { dataFolder, databaseFile, nowMs: 0 });
    await acceptRestore(dataFolder);

    expect(aside).toBeNull();
    expect(readdirSync(dataFolder).toSorted()).toEqual([
      ...['plugins', 'server.key', 'vitrine.db', 'vitrine.json'],
    ]);
  });

  describe('whose keys are under a passphrase', () => {
    const passphrase = 'correct horse battery';

    /** A scheduled backup, and the data folder of another machine. */
    async function moved() {
      const at = await home({ passphrase });
      await at.backups.createScheduled();
      const [backup] = await at.backups.list();
      const dataFolder = temporaryFolder();
      const databaseFile = path.join(dataFolder, 'vitrine.db');
      const staging = { ...at.staging, dataFolder, databaseUrl: `sqlite:${databaseFile}` };
      return { file: fileIn(at, backup ?? { filename: '' }), dataFolder, databaseFile, staging };
    }

    test('holds them in no other form', async () => {
      const { file } = await moved();
      const entries = await unpackTar(gunzipSync(readFileSync(file)));

      const names = entries.map(({ header }) => header.name);
      expect(names.filter((name) => name.startsWith('keys/'))).toEqual(['keys/sealed.json']);
      const bytes = Buffer.concat(entries.map(({ data }) => Buffer.from(data ?? [])));
      expect(bytes.includes('"secret"')).toBe(false);
    });

    test('restores them with it', async () => {
      const { file, dataFolder, databaseFile, staging } = await moved();

      const staged = await stageRestore(file, { ...staging, passphrase });
      await swapIn(staged, { dataFolder, databaseFile, nowMs: 0 });

      expect(staged.hasSealedKeys).toBe(false);
      expect(readFileSync(path.join(dataFolder, 'server.key'), 'utf8')).toBe('secret');
      expect(statSync(path.join(dataFolder, 'server.key')).mode & 0o077).toBe(0);
    });

    testByNight('is refused with another one, and nothing changes', async () => {
      const { file, dataFolder, staging } = await moved();

      const restored = stageRestore(file, { ...staging, passphrase: 'incorrect horse' });

      await expect(restored).rejects.toThrow('The passphrase is not the one of this backup.');
      expect(readdirSync(dataFolder)).toEqual([]);
    });

    testByNight('keeps the keys of the server without it, and says so', async () => {
      const { file, dataFolder, databaseFile, staging } = await moved();
      writeFileSync(path.join(dataFolder, 'server.key'), 'own');

      const staged = await stageRestore(file, staging);
      await swapIn(staged, { dataFolder, databaseFile, nowMs: 0 });

      expect(staged.hasSealedKeys).toBe(true);
      expect(readFileSync(path.join(dataFolder, 'server.key'), 'utf8')).toBe('own');
    });

    test('is refused with a passphrase when it has no such keys', async () => {
      const { file, staging } = await stopped();

      await expect(stageRestore(file, { ...staging, passphrase })).rejects.toThrow(
        'It has no keys under a passphrase: leave out --passphrase-file.',
      );
    });
  });

  testByNight(
    'is rolled back by the next start when the server never started with it',
    async () => {
      const { dataFolder, databaseFile, file, staging } = await stopped();
      const before = treeOf(dataFolder);
      const staged = await stageRestore(file, staging);
      await swapIn(staged, { dataFolder, databaseFile, nowMs: 0 });

      expect(await settleRestore(dataFolder)).toBe(true);

      expect(await notesIn(databaseFile)).toEqual(['first', 'second']);
      expect(treeOf(dataFolder)).toBe(before);
    },
  );

  test.each(sampleOf(Array.from(Array(9).keys()), 2))(
    'that stops after %i moves is rolled back completely, also after an interrupted rollback',
    async (steps) => {
      const { dataFolder, databaseFile, file, staging } = await stopped();
      const before = treeOf(dataFolder);
      const staged = await stageRestore(file, staging);
      let left = steps;
      const move = async (from: string, to: string): Promise<void> => {
        if (left === 0) throw new Error('The power is gone.');
        left -= 1;
        await rename(from, to);
      };
      await swapIn(staged, { dataFolder, databaseFile, nowMs: 0, move }).catch(() => undefined);
      const journal = path.join(dataFolder, 'restore.json');
      const text = existsSync(journal) ? readFileSync(journal, 'utf8') : null;

      expect(await takeBack(dataFolder)).toBe(true);
      // As if the power had failed just before the journal was removed.
      if (text !== null) writeFileSync(journal, text);
      await settleRestore(dataFolder);

      expect(await notesIn(databaseFile)).toEqual(['first', 'second']);
      expect(treeOf(dataFolder)).toBe(before);
    },
  );

  testByNight('migrates the tables of an older version before anything is swapped', async () => {
    const { dataFolder, databaseFile, file, staging } = await stopped();

    const staged = await stageRestore(file, { ...staging, migrations: newer });
    await swapIn(staged, { dataFolder, databaseFile, nowMs: 0 });

    const url = `sqlite:${databaseFile}`;
    const storage = await openStorage({
      url,
      migrations: newer,
      isMigrating: false,
      log: silentLog,
    });
    await storage.close();
    rmSync(dataFolder, { recursive: true });
  });
});
