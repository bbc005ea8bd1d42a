import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder } from './data-folder.ts';

let folder: string;
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'vitrine-lock-')), 'data');
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

const lock = () => path.join(folder, 'vitrine.lock');

test('a data folder is created, locked, and unlocked by its release', () => {
  const data = openDataFolder(folder);
  expect(existsSync(lock())).toBe(true);

  data.release();

  expect(existsSync(lock())).toBe(false);
  openDataFolder(folder).release();
});

test('a data folder in use is refused with the number of its process', () => {
  const data = openDataFolder(folder);

  expect(() => openDataFolder(folder)).toThrow(`in use by process ${process.pid}`);

  data.release();
});

test('the lock of a dead process is taken over, also when its number is used again', async () => {
  const child = spawn(process.execPath, [
    '-e',
    'process.stdout.write("x");setInterval(()=>{},9e9)',
  ]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  openDataFolder(folder).release();
  writeFileSync(lock(), `${child.pid ?? 0} 1`);

  openDataFolder(folder).release();

  child.kill('SIGKILL');
});

test('a data folder that cannot be created is refused by name', () => {
  writeFileSync(path.dirname(folder) + '/file', '');

  expect(() => openDataFolder(path.dirname(folder) + '/file/data')).toThrow(
    /file\/data cannot be made/,
  );
});
