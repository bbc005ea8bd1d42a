import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from './config.ts';
import { assertNoOverlap, reservedPlaces, overlappingPlace } from './reserved-places.ts';

let top: string;

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'vitrine-places-'));
  for (const name of ['data', 'nas/backups', 'nas/films', 'db'])
    mkdirSync(`${top}/${name}`, { recursive: true });
  writeFileSync(`${top}/db/server.db`, '');
  symlinkSync(`${top}/nas`, `${top}/linked`);
});

afterEach(() => rmSync(top, { recursive: true }));

const places = () =>
  reservedPlaces({
    data: `${top}/data`,
    database: `sqlite:${top}/db/server.db`,
    backupFolder: `${top}/linked/backups`,
  });

describe('a reserved place', () => {
  test.each([
    ['/data', 'the data folder of the server'],
    ['/data/plugins/x', 'the data folder of the server'],
    ['', 'the data folder of the server'],
    ['/db', 'the database of the server'],
    ['/db/server.db-wal', 'the database of the server'],
    ['/db/server.db.before-2026', 'the database of the server'],
    ['/nas', 'the backup folder of the server'],
    ['/nas/backups', 'the backup folder of the server'],
    ['/linked/backups/old', 'the backup folder of the server'],
  ])('overlaps the folder %s', (folder, what) => {
    expect(overlappingPlace(places(), top + folder)?.what).toBe(what);
  });

  test.each(['/nas/films', '/linked/films', '/data-beside', '/nas/backups-beside', '/nowhere/yet'])(
    'does not overlap %s',
    (folder) => {
      expect(overlappingPlace(places(), top + folder)).toBeUndefined();
    },
  );

  test.each([
    '/proc',
    '/proc/self/fd',
    '/proc/self/root/etc',
    '/sys/kernel',
    '/dev',
    '/dev/fd',
    '/',
  ])('of the system is included: %s', (folder) => {
    const system = places().filter(({ setting }) => setting === undefined);

    expect(overlappingPlace(system, folder)).toBeDefined();
  });

  test('is not the folder for files in memory', () => {
    const system = places().filter(({ setting }) => setting === undefined);

    expect(overlappingPlace(system, '/dev/shm/films')).toBeUndefined();
  });

  test('that overlaps a library stops the start, in one line that names both', () => {
    const library = { name: 'Films', paths: [`${top}/nas`] };

    const start = (paths: readonly string[]) => () =>
      assertNoOverlap(places(), [{ ...library, paths }]);

    expect(start([`${top}/nas/films`])).not.toThrow();
    expect(start([`${top}/nas/films`, `${top}/nas`])).toThrow(ConfigError);
    expect(start([`${top}/nas`])).toThrow(
      `--backup-folder: the backup folder of the server (${top}/linked/backups) and the folder ${top}/nas of the library Films overlap`,
    );
    expect(start(['/proc'])).not.toThrow();
  });
});
