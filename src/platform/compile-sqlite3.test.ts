import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compileSqlite3 } from './compile-sqlite3.ts';

/** A server whose `sqlite3` has only sources; `install` is its script. */
function serverWith(install: string) {
  const root = mkdtempSync(path.join(tmpdir(), 'vitrine-sqlite3-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = path.join(root, 'node_modules/sqlite3');
  mkdirSync(folder, { recursive: true });
  const manifest = { name: 'sqlite3', version: '1.0.0', main: 'binary.js', scripts: { install } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  const told: string[] = [];
  const compile = (env: Readonly<Record<string, string | undefined>>) =>
    compileSqlite3({
      ...{ from: path.join(root, 'server.mjs'), env },
      complain: (text) => void told.push(text),
    });
  return { root, told, compile };
}

const line = 'vitrine: compiling sqlite3, which is needed once and takes a few minutes …\n';

test('sqlite3 is compiled once, from its sources alone, and that is said in one line', () => {
  const { told, compile } = serverWith(
    'test "$npm_config_build_from_source" = true && echo > binary.js',
  );

  expect([compile(process.env), compile(process.env)]).toEqual([true, true]);
  expect(told).toEqual([line]);
});

test('a machine without a compiler is told what it lacks', () => {
  const { root, told, compile } = serverWith('exit 1');
  const bin = path.join(root, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, path.join(bin, 'make'));

  expect(compile({ PATH: bin })).toBe(false);
  expect(told).toEqual([
    line,
    'vitrine: sqlite3 could not be compiled: this machine lacks c++ and python3, which compiles it. The default, --storage-driver node:sqlite, needs no compiler.\n',
  ]);
});

test('a server without the package is left to the storage, which says so', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'vitrine-sqlite3-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const from = path.join(root, 'server.mjs');

  expect(compileSqlite3({ from, env: process.env, complain: expect.fail })).toBe(true);
});
