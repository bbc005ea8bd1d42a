import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DiskFolder } from '../../../plugin-api/index.ts';
import { resolveRoots } from './confinement.ts';
import { listFolders } from './list-folders.ts';

/** A folder with these files. */
function folderOf(...files: readonly string[]): string {
  const root = mkdtempSync(path.join(tmpdir(), 'vitrine-below-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const file of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), 'x');
  }
  return root;
}

function list(
  root: string,
  { named = [''], most = 100, ignore = ['.*'], after = {}, markers = ['.nomedia'] },
): readonly DiskFolder[] {
  const asked = { extensions: null, markers, after, limit: null, below: { most, ignore } };
  return listFolders({ ...asked, paths: named.map((one) => root + one) }, resolveRoots([root]));
}

const placesOf = (root: string, folders: readonly DiskFolder[]): readonly string[] =>
  folders.map((folder) => folder.path.slice(root.length));

test('lists the content of each folder right after it, in the order of a walk', () => {
  const root = folderOf('b/two/x.mkv', 'b/one/deep/x.mkv', 'a/x.mkv', 'c/x.mkv');

  const folders = list(root, { named: ['/b', '/c'] });

  expect(placesOf(root, folders)).toEqual(['/b', '/b/one', '/b/one/deep', '/b/two', '/c']);
});

test('lists a limited number of further folders, the next ones first, and all that were named', () => {
  const root = folderOf('a/1/x', 'a/2/x', 'b/1/x', 'c/x');

  const folders = list(root, { named: ['', '/c'], most: 3 });

  expect(placesOf(root, folders)).toEqual(['', '/a', '/a/1', '/a/2', '/c']);
});

test('begins after a name, and skips ignored folders', () => {
  const root = folderOf('a/x', 'b/x', '.hidden/x', 'c/.hidden/x');

  const folders = list(root, { after: { [root]: 'a/' } });

  expect(placesOf(root, folders)).toEqual(['', '/b', '/c']);
});

test('does not enter a folder with a marker, which is left to the caller', () => {
  const root = folderOf('a/.nomedia', 'a/inside/x', 'b/inside/x');

  const folders = list(root, {});

  expect(placesOf(root, folders)).toEqual(['', '/a', '/b', '/b/inside']);
});

test('follows no link out of the roots, and no loop', () => {
  const elsewhere = folderOf('secret/x');
  const root = folderOf('a/x');
  symlinkSync(elsewhere, path.join(root, 'out'));
  symlinkSync(root, path.join(root, 'a/back'));

  const folders = list(root, {});

  expect(placesOf(root, folders)).toEqual(['', '/a']);
  expect(folders.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
    ['outside-root'],
    ['symlink-loop'],
  ]);
});
