import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assertNotEmptied } from './emptied-database.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vitrine-emptied-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const look = (): void => assertNotEmptied(folder, `sqlite:${path.join(folder, 'vitrine.db')}`);

test('a database of 0 bytes beside keys and backups is refused with what to do', () => {
  writeFileSync(path.join(folder, 'vitrine.db'), '');
  writeFileSync(path.join(folder, 'server.key'), 'secret');
  mkdirSync(path.join(folder, 'backups'));
  writeFileSync(path.join(folder, 'backups/x.vbackup'), '');

  expect(look).toThrow(
    /vitrine\.db has 0 bytes, but the data folder holds the keys and backups of a server\. Restore a backup/,
  );
});

test('a folder without a database, or with nothing else in it, begins with a new one', () => {
  expect(look).not.toThrow();
  mkdirSync(path.join(folder, 'plugins'));
  writeFileSync(path.join(folder, 'vitrine.db'), '');
  expect(look).not.toThrow();
  rmSync(path.join(folder, 'vitrine.db'));
  writeFileSync(path.join(folder, 'server.key'), 'secret');
  expect(look).not.toThrow();
});

test('a database with content is not looked at', () => {
  writeFileSync(path.join(folder, 'vitrine.db'), 'x');
  writeFileSync(path.join(folder, 'server.key'), 'secret');

  expect(look).not.toThrow();
});
