/**
 * Files with the name of a backup that somebody else made or changed. Each is refused with the reason,
 * and nothing of it stays. The archive inside names its parts with their true digests, so only what is
 * wrong with it can be the reason.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../kernel/index.ts';
import { openStorage } from '../../kernel/store/index.ts';
import { parseProgram } from '../../packages/app/cli/index.ts';
import { migrations } from '../../src/compose/index.ts';
import { BackupError, stageRestore, verifyBackup } from '../../src/operations/backups/index.ts';
import { openStorageAt, temporaryFolder } from '../support/storage/storage.ts';

interface Entry {
  readonly name: string;
  readonly body: Uint8Array;
  readonly type?: string;
  readonly link?: string;
  /** The size in the header, where it is another. */
  readonly size?: string;
}

/** A part, a header of another kind, or an entry that the manifest does not name. */
interface Extra {
  readonly before?: readonly Entry[];
  readonly parts?: readonly (readonly [string, string])[];
  readonly unnamed?: readonly Entry[];
  readonly behind?: Uint8Array;
  /** Changes the manifest before it is packed. */
  readonly manifest?: (made: Manifest) => unknown;
}

interface Manifest {
  readonly format: string;
  readonly v: number;
  readonly createdAt: string;
  readonly serverVersion: string;
  readonly label: string | null;
  readonly parts: readonly {
    readonly path: string;
    readonly size: number;
    readonly sha256: string;
  }[];
}

let database: Buffer;
beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-test-'));
  const storage = await openStorageAt(`sqlite:${path.join(folder, 'a.db')}`, { migrations });
  const copy = path.join(folder, 'b.db');
  await storage.database.read.raw('vacuum into ?', [copy]);
  await storage.close();
  database = readFileSync(copy);
  rmSync(folder, { recursive: true });
});

function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, body, type = '0', link = '', size }) => {
    const head = Buffer.alloc(512);
    head.write(name, 0, 'utf8');
    head.write('0000600\0' + '0000000\0' + '0000000\0', 100);
    head.write(size ?? `${body.length.toString(8).padStart(11, '0')}\0`, 124);
    head.write('00000000000\0        ', 136);
    head.write(type, 156);
    head.write(link, 157);
    head.write('ustar\x0000', 257);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [head, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function backupWith(extra: Extra, db: Uint8Array = database): string {
  const { before = [], parts = [], unnamed = [], behind = new Uint8Array() } = extra;
  const named = [
    { name: 'database.db', body: db },
    ...parts.map(([name, text]) => ({ name, body: Buffer.from(text) })),
  ];
  const made = {
    ...{ format: 'vitrine-backup', v: 1, createdAt: '2026-11-21T07:44:53.000Z' },
    ...{ serverVersion: '1.2.3', label: null },
    parts: named.map(({ name, body }) => ({
      path: name,
      size: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
    })),
  };
  const told = extra.manifest?.(made) ?? made;
  const body = Buffer.from(typeof told === 'string' ? told : JSON.stringify(told));
  const tar = tarOf([{ name: 'manifest.json', body }, ...before, ...named, ...unnamed]);
  const file = path.join(temporaryFolder(), 'vitrine-20261121T074453123Z.vbackup');
  writeFileSync(file, gzipSync(Buffer.concat([tar, behind]), { level: 1 }));
  return file;
}

/** Tries to restore it; returns what is left in the data folder, and the refusal. */
async function tryToRestore(file: string): Promise<readonly [string, readonly string[]]> {
  const dataFolder = temporaryFolder();
  const databaseUrl = `sqlite:${path.join(dataFolder, 'vitrine.db')}`;
  const told = await stageRestore(file, {
    ...{ dataFolder, databaseUrl, migrations, log: silentLog },
  }).then(
    () => 'taken',
    (error: unknown) =>
      error instanceof BackupError ? `refused: ${error.message}` : `failed: ${String(error)}`,
  );
  return [told, readdirSync(dataFolder)];
}

const file = (name: string, body = 'x'): Entry => ({ name, body: Buffer.from(body) });
const pax = (type: 'x' | 'g', records: Readonly<Record<string, string>>): Entry => {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    const length = rest.length + String(rest.length + 2).length;
    return `${length}${rest}`;
  });
  return { name: 'pax', body: Buffer.from(lines.join('')), type };
};

test('a whole backup of another program is taken, so each refusal has its own reason', async () => {
  const [told] = await tryToRestore(backupWith({ parts: [['plugins/a/index.js', '1']] }));

  expect(told).toBe('taken');
});

describe('a backup', () => {
  const paths: readonly string[] = [
    ...['../x', 'plugins/../../x', 'plugins/../vitrine.db', '/etc/cron.d/x', 'plugins//etc/x'],
    ...['plugins/./x', 'plugins/.ssh/x', 'plugins/..', 'plugins/', 'plugins', '', '.', 'keys/x'],
    ...['plugins\\..\\..\\x', 'plugins/a\\..\\x', 'C:/x', 'plugins/a/C:x', 'plugins/%2e%2e/x'],
    ...['plugins/a\0b', 'plugins/a\nb', 'plugins/\u202eb', 'plugins/é', 'plugins/e\u0301'],
    ...['vitrine.db', 'vitrine.lock', 'restore.json', 'server.key', 'keys/../server.key'],
    ...['packages/x', 'database.db/x', 'vitrine.json/x', 'Plugins/x', 'plugins/-rf', 'plugins/~/x'],
    ...[`plugins/${'a'.repeat(201)}`, `plugins/${'a/'.repeat(21)}b`],
  ];
  test.each(paths)('that names the part %j is refused', async (name) => {
    const told = backupWith({
      manifest: (made) => ({
        ...made,
        parts: [...made.parts, { path: name, size: 1, sha256: 'a' }],
      }),
    });
    const parted = backupWith({ parts: [[name, 'x']] });

    for (const one of [told, parted])
      expect(await tryToRestore(one)).toEqual([expect.stringMatching(/^refused: /), []]);
  });

  const extras: readonly (readonly [string, Extra])[] = [
    ['a link', { unnamed: [{ ...file('plugins/x', ''), type: '2', link: '/etc/passwd' }] }],
    ['a hard link', { unnamed: [{ ...file('plugins/x', ''), type: '1', link: '/etc/passwd' }] }],
    ['a device', { unnamed: [{ ...file('plugins/x', ''), type: '3' }] }],
    ['a pipe', { unnamed: [{ ...file('plugins/x', ''), type: '6' }] }],
    ['a folder', { unnamed: [{ ...file('plugins/x/', ''), type: '5' }] }],
    ['a sparse file', { unnamed: [{ ...file('plugins/x'), type: 'S' }] }],
    ['a part twice', { unnamed: [file('database.db')] }],
    ['a second manifest', { unnamed: [file('manifest.json', '{}')] }],
    ['an empty name', { unnamed: [file('')] }],
    [
      'a link in the place of a part',
      {
        parts: [['plugins/a', '']],
        before: [{ ...file('plugins/a', ''), type: '2', link: '/etc/passwd' }],
      },
    ],
    ['a pax header that renames', { before: [pax('x', { path: '../evil' })] }],
    ['a pax header that renames into a part', { before: [pax('x', { path: 'vitrine.json' })] }],
    ['a global pax header that renames', { before: [pax('g', { path: '../evil' })] }],
    ['a pax header with another size', { before: [pax('x', { size: '1' })] }],
    ['a GNU long name', { before: [{ ...file('././@LongLink', '../../evil\0'), type: 'L' }] }],
    ['a header without end', { before: [{ ...file('p'), type: 'x', size: '17777777777\0' }] }],
    ['a size below zero', { unnamed: [{ ...file('plugins/x'), size: '-0000000001\0' }] }],
    ['a size beyond the file', { unnamed: [{ ...file('plugins/x'), size: '77777777777\0' }] }],
    [
      'a size in another base',
      { unnamed: [{ ...file('plugins/x'), size: `\x80${'\xff'.repeat(11)}` }] },
    ],
    [
      'parts that spell a file as a folder',
      {
        parts: [
          ['plugins/a', 'x'],
          ['plugins/a/b', 'x'],
        ],
      },
    ],
    [
      'a part that is listed twice',
      { manifest: (m) => ({ ...m, parts: [...m.parts, ...m.parts] }) },
    ],
    [
      'more parts than it has',
      {
        manifest: (m) => ({
          ...m,
          parts: [...m.parts, { path: 'plugins/x', size: 1, sha256: 'a'.repeat(64) }],
        }),
      },
    ],
    ['a part of no size', { manifest: (m) => ({ ...m, parts: [{ ...m.parts[0], size: -1 }] }) }],
    [
      'a digest in capitals',
      {
        manifest: (m) => ({
          ...m,
          parts: [{ ...m.parts[0], sha256: m.parts[0]?.sha256.toUpperCase() }],
        }),
      },
    ],
    ['another format', { manifest: (m) => ({ ...m, format: 'tar' }) }],
    ['another version', { manifest: (m) => ({ ...m, v: 2 }) }],
    ['a manifest that is a list', { manifest: () => [] }],
    ['a manifest that is not JSON', { manifest: () => '{"format":' }],
    [
      'a time that is a command for a terminal',
      { manifest: (m) => ({ ...m, createdAt: '\x1b]0;x\x07' }) },
    ],
    [
      'a version that is a command for a terminal',
      { manifest: (m) => ({ ...m, serverVersion: '\x1b[2J' }) },
    ],
    ['a label that is not a text', { manifest: (m) => ({ ...m, label: { toString: 1 } }) }],
    [
      'settings with another database',
      { parts: [['vitrine.json', '{"database":"postgres://x/y"}']] },
    ],
    ['settings that are not known', { parts: [['vitrine.json', '{"__proto__":{"x":1},"a":1}']] }],
    ['keys in a form that is not known', { parts: [['keys/other.key', 'x']] }],
  ];
  test.each(extras)('with %s is refused', async (_, extra) => {
    const [told, left] = await tryToRestore(backupWith(extra));

    expect(told).toMatch(/^refused: /);
    expect(told).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(left).toEqual([]);
  });

  test('whose parts claim more room than there is is refused before anything is unpacked', async () => {
    const wide = backupWith({
      manifest: (m) => ({ ...m, parts: [{ ...m.parts[0], size: 2 ** 52 }] }),
    });

    expect(await tryToRestore(wide)).toEqual([expect.stringMatching(/not enough space/), []]);
  });

  test('whose unnamed entry is a command for a terminal is refused in plain words', async () => {
    const [told] = await tryToRestore(backupWith({ unnamed: [file('\x1b[2J\u202ename')] }));

    expect(told).toMatch(/^refused: .*name does not match the manifest\.$/);
    expect(told).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('whose label is a command for a terminal is shown without it', async () => {
    const at = backupWith({ manifest: (m) => ({ ...m, label: 'a\x1b[2Jb' }) });
    const words: string[] = [];
    const say = (text: string) => void words.push(text);
    const args = ['backup', 'verify', at];
    const asked = parseProgram({
      args,
      env: {},
      cwd: '/',
      version: '0',
      write: say,
      complain: say,
    });

    expect(asked.command === 'task' ? await asked.run() : -1).toBe(0);
    expect(words.join('')).toContain('(a [2Jb)');
  });

  test('with anything behind its end writes nothing of it', async () => {
    const behind = tarOf([file('plugins/late.js'), file('../late')]);
    const at = backupWith({ behind });
    const into = temporaryFolder();

    await verifyBackup(at, into).catch(() => undefined);

    expect(existsSync(path.join(into, 'plugins'))).toBe(false);
  });
});

describe('the database of a backup', () => {
  /** A copy of a whole one after these statements. */
  async function changed(...statements: readonly string[]): Promise<string> {
    const at = path.join(temporaryFolder(), 'changed.db');
    writeFileSync(at, database);
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(at);
    for (const one of statements) db.exec(one);
    db.close();
    return backupWith({}, readFileSync(at));
  }

  const becomesAdmin = `update users set role = 'admin'`;
  test.each([
    [
      'a trigger that makes admins',
      [`create trigger a after insert on sessions begin ${becomesAdmin}; end`],
    ],
    [
      'a trigger on the log',
      ['create trigger a after insert on audit_entries begin select 1; end'],
    ],
    ['no trigger that keeps the log', ['drop trigger audit_entries_never_go']],
    [
      'another trigger of the same name',
      [
        'drop trigger audit_entries_never_change',
        'create trigger audit_entries_never_change before update on audit_entries begin select 1; end',
      ],
    ],
    ['a view', ['create view a as select * from users']],
    [
      'a view in the place of a table',
      ['alter table sessions rename to s', 'create view sessions as select * from s'],
    ],
    ['no table of sessions', ['drop table sessions']],
    ['a table without a column', ['alter table users drop column requires_passkey']],
    [
      'a column that computes itself',
      ['alter table users drop column role', `alter table users add column role text as ('admin')`],
    ],
    ['a virtual table', ['create virtual table a using fts5(b)']],
    [
      'a virtual table in the place of a table',
      ['drop table license', 'create virtual table license using fts5(a)'],
    ],
    [
      'a migration that is not known',
      [`update schema_migrations set ids = '["x"]' where name = 'audit'`],
    ],
    ['no record of migrations', ['delete from schema_migrations']],
  ])('with %s is refused, and nothing of it stays', async (_, statements) => {
    const [told, left] = await tryToRestore(await changed(...statements));

    expect(told).toMatch(/^refused: Its database /);
    expect(left).toEqual([]);
  });

  test('with a page of other bytes is refused', async () => {
    const bytes = Buffer.from(database);
    bytes.fill(0xff, 4096 * 3, 4096 * 5);

    expect((await tryToRestore(backupWith({}, bytes)))[0]).toMatch(/^refused: Its database /);
  });

  test('with tables of text indexes and of nobody is taken, since they run nothing', async () => {
    const at = path.join(temporaryFolder(), 'a.db');
    writeFileSync(at, database);
    const storage = await openStorage({ url: `sqlite:${at}`, migrations, log: silentLog });
    await storage.textIndex.put('a-plugin', [
      { id: '1', scope: 'a', kind: 'film', title: 'A', body: 'b' },
    ]);
    await storage.close();
    const own = await changed('create table notes_of_mine (a text)');

    for (const one of [backupWith({}, readFileSync(at)), own])
      expect((await tryToRestore(one))[0]).toBe('taken');
  });
});
