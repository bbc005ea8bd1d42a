import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStorageAt } from '../../../test/support/storage/storage.ts';
import { migrations } from '../../compose/index.ts';
import { readConfig, type Config } from '../../platform/config.ts';
import { openServerIdentity } from '../../people/identity/index.ts';
import { saveProblem, type ProblemRow } from '../../platform/problems/problem-store.ts';
import { openServerKey } from '../../platform/secrets/index.ts';
import { findingIn, type Finding, type ShownFinding } from './finding.ts';
import { examineInstallation, type ExamineParts } from './index.ts';
import { isolationFinding } from './sandbox.ts';
import { examineTranscoder, transcoderFinding } from './transcoder.ts';
import { testByNight } from '../../../test/support/run/test-by-night.ts';

const folder = path.resolve(import.meta.dirname, '../../../dist');
const now = Date.UTC(2026, 0, 20);

async function dataFolder(): Promise<string> {
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-doctor-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  return data;
}

const failedBackup = {
  code: 'backup_failed',
  severity: 'error',
  message: 'The scheduled backup failed.',
  message_german: 'Die geplante Sicherung ist gescheitert.',
  action: 'Make room.',
  action_german: null,
  since: 0,
};

async function database(
  data: string,
  roots: readonly string[] = [],
  problems: readonly ProblemRow[] = [],
): Promise<void> {
  const url = `sqlite:${path.join(data, 'vitrine.db')}`;
  openServerKey({ dataFolder: data, random: randomBytes });
  openServerIdentity(data);
  const storage = await openStorageAt(url, { migrations });
  if (roots.length > 0)
    await storage.database.write(async (trx) => {
      await trx('libraries').insert({
        no: 1,
        name_key: 'films',
        hidden: false,
        created_at: 0,
        updated_at: 0,
        id: 'films',
        name: 'Films',
        type: 'movies',
        roots: JSON.stringify(roots),
      });
    });
  await storage.database.write(async (trx) => {
    for (const problem of problems) await saveProblem(trx, problem);
  });
  await storage.close();
}

const configOf = (data: string, flags: Record<string, string> = {}): Config =>
  readConfig({ flags: { data, port: '1', ...flags }, env: {}, cwd: data });

const inEnglish = (finding: Finding): ShownFinding => findingIn(finding, 'en');

const examine = async (
  config: Config,
  parts: Partial<ExamineParts> = {},
): Promise<readonly ShownFinding[]> =>
  (await examineInstallation({ config, folder, now, ...parts })).map(inEnglish);

const found = (findings: readonly ShownFinding[], check: string): readonly ShownFinding[] =>
  findings.filter((one) => one.check === check);

describe('vitrine doctor', () => {
  test('finds no problem in a good installation, and tests a real sandbox', async () => {
    const data = await dataFolder();
    await database(data);

    const all = await examineInstallation({ config: configOf(data), folder, now });
    const findings = all.map(inEnglish);
    const german = all.map((one) => findingIn(one, 'de'));

    expect(findings.filter(({ state }) => state === 'bad')).toEqual([]);
    expect(found(german, 'database')).toMatchObject([{ what: 'Sie ist unbeschädigt.' }]);
    expect(found(findings, 'sandbox')).toMatchObject([{ state: 'good' }]);
    expect(found(findings, 'plugin isolation')).toMatchObject([
      { what: expect.stringMatching(/^(namespaces|process): /) },
    ]);
    expect(found(findings, 'database')).toMatchObject([{ state: 'good' }]);
    expect(found(findings, 'server')).toMatchObject([{ state: 'good' }]);
  });

  test.each([
    ['auto', 'hint'],
    ['require', 'bad'],
    ['process', 'good'],
  ] as const)('rates a system without namespaces by the setting: %s', (mode, state) => {
    const reason = mode === 'process' ? null : 'bwrap is not installed';

    const finding = inEnglish(isolationFinding({ tier: 'process', by: null, reason }, mode));

    expect(finding).toMatchObject({ check: 'plugin isolation', state });
    expect(finding.what).toContain('process: ');
  });

  test('names what conversion misses, as a hint, since most files need none', () => {
    const finding = inEnglish(
      transcoderFinding({ kind: 'missing', why: 'ffmpeg is not installed.' }),
    );

    expect(finding).toMatchObject({ check: 'conversion', state: 'hint' });
    expect(finding.what).toContain('ffmpeg is not installed.');
    expect(finding.remedy).toContain('bubblewrap');
  });

  test.each([
    ['good', 'vaapi', null, 'and pictures with vaapi'],
    ['good', 'software', null, 'encodes in its cage.'],
    ['hint', 'software', 'vaapi: there is no device for it.', 'there is no device for it.'],
  ] as const)('says %s of pictures that %s encodes (%s)', (state, kind, withoutHardware, what) => {
    const cage = { tier: 'bwrap', inputUrl: 'file:/in', run: () => expect.fail() } as const;
    const machine = { version: '7.1', mapsTones: true, encoders: new Set<string>() };
    const encoder = { kind, devices: [], codecs: [] };

    const finding = inEnglish(
      transcoderFinding({ kind: 'ready', cage, ...machine, encoder, withoutHardware }),
    );

    expect(finding).toMatchObject({ state, what: expect.stringContaining(what) });
  });

  test('tries the transcoder of the machine', async () => {
    const config = configOf(await dataFolder(), { ffmpeg: '/no/ffmpeg' });

    expect(await examineTranscoder(config)).toMatchObject({
      state: 'hint',
      what: { english: expect.stringContaining('/no/ffmpeg of --ffmpeg') },
    });
  });

  testByNight('says before the first start that the data folder will be created', async () => {
    const data = path.join(await dataFolder(), 'not-there');

    expect(found(await examine(configOf(data)), 'data folder')).toMatchObject([{ state: 'hint' }]);
  });

  testByNight('names a key that others can read, with the remedy', async () => {
    const data = await dataFolder();
    await database(data);
    const key = path.join(data, 'server.key');
    await writeFile(key, 'x');
    await chmod(key, 0o644);

    expect(found(await examine(configOf(data)), 'keys')[0]).toMatchObject({
      state: 'bad',
      what: expect.stringContaining('can be read by other users (mode 644)'),
      remedy: expect.stringContaining(`chmod 600 ${key}`),
    });
  });

  testByNight('names a file that is not a database, with the remedy', async () => {
    const data = await dataFolder();
    await writeFile(
      path.join(data, 'vitrine.db'),
      'this is not a database, it only has the name of one',
    );

    expect(found(await examine(configOf(data)), 'database')).toMatchObject([
      { state: 'bad', remedy: expect.stringContaining('vitrine backup restore') },
    ]);
  });

  testByNight(
    'tries to write, and advises neither a backup nor other rights for a read-only disk',
    async () => {
      const data = await dataFolder();
      await writeFile(path.join(data, 'vitrine.db'), 'SQLite cannot read this on such a disk');

      const findings = await examine(configOf(data), { probe: async () => 'read-only' });
      const bad = findings.filter(({ check }) => check === 'data folder' || check === 'database');

      expect(bad).toMatchObject([
        { state: 'bad', what: expect.stringContaining('is read-only') },
        { state: 'bad', remedy: expect.stringContaining('mount it for writing') },
      ]);
      expect(bad.map(({ remedy }) => remedy).join(' ')).not.toMatch(/restore|chown|chmod/);
    },
  );

  testByNight(
    'names a key that is missing beside a database, whose secrets no new key opens',
    async () => {
      const data = await dataFolder();
      await database(data);
      await rm(path.join(data, 'server.key'));

      expect(found(await examine(configOf(data)), 'keys')[0]).toMatchObject({
        state: 'bad',
        what: expect.stringContaining('server.key does not exist'),
        remedy: expect.stringContaining('a backup with keys'),
      });
    },
  );

  testByNight(
    'lists the problems of the running server, and not those of one that stopped',
    async () => {
      const data = await dataFolder();
      await database(data, [], [{ ...failedBackup, key: 'backup_failed task backup' }]);
      const stopped = await examine(configOf(data));
      const { openDataFolder } = await import('../../platform/data-folder/index.ts');
      const held = await openDataFolder(data);
      onTestFinished(held.release);

      expect(found(stopped, 'problem backup_failed')).toEqual([]);
      expect(found(await examine(configOf(data)), 'problem backup_failed')).toMatchObject([
        { state: 'bad', what: 'The scheduled backup failed.', remedy: 'Make room.' },
      ]);
    },
  );

  testByNight('names a missing folder of a library', async () => {
    const data = await dataFolder();
    await database(data, ['file:///no/such/folder']);

    expect(found(await examine(configOf(data)), 'library Films')).toMatchObject([
      { state: 'bad', what: 'file:///no/such/folder cannot be read.' },
    ]);
  });

  testByNight('gives the age of the newest backup when it is more than a week', async () => {
    const data = await dataFolder();
    await database(data);
    await mkdir(path.join(data, 'backups'));
    await writeFile(path.join(data, 'backups/vitrine-20260101T000000000Z-manual.vbackup'), '');

    expect(found(await examine(configOf(data)), 'backups')).toMatchObject([
      { state: 'hint', what: expect.stringContaining('is 19 days old') },
    ]);
  });

  testByNight('names a server that holds the data folder and does not answer', async () => {
    const data = await dataFolder();
    await database(data);
    const { openDataFolder } = await import('../../platform/data-folder/index.ts');
    const held = await openDataFolder(data);
    onTestFinished(held.release);

    expect(found(await examine(configOf(data)), 'server')).toMatchObject([
      { state: 'bad', what: expect.stringContaining('does not answer') },
    ]);
  });

  testByNight('warns of unencrypted passwords, and of a proxy that is not trusted', async () => {
    const data = await dataFolder();
    await database(data);

    const open = await examine(configOf(data, { publicUrl: 'http://media.example.org' }));
    expect(found(open, 'network')).toMatchObject([{ state: 'hint' }]);
    const proxied = await examine(configOf(data, { publicUrl: 'https://media.example.org' }));
    expect(found(proxied, 'proxy')).toMatchObject([
      { state: 'hint', remedy: expect.stringContaining('--trusted-proxy') },
    ]);
  });
});
