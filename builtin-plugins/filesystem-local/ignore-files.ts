/** Files by which owners exclude folders and files from scans. */
import type { DiskFolder, Host } from '../../plugin-api/index.ts';
import { parseIgnoreRules, type IgnoreRules } from './ignore-rules.ts';

export type WalkedDisk = Pick<Host['disk'], 'list' | 'read'>;

/** The patterns for a folder and everything below. */
export interface RuledFolder {
  /** Path of the folder. */
  readonly folder: string;
  readonly rules: IgnoreRules;
}

/** What the ignore files of a folder say: it is excluded, or patterns hold in it. */
export type FolderRule = 'left-out' | readonly RuledFolder[];

/** A folder with this file is excluded, also if the file is not empty. */
const excluding = '.nomedia';
/** A folder with this file is excluded if the file contains only white space. */
const excludingWhenEmpty = '.ignore';

/** The names that a listing must report. */
export const ignoreFiles: readonly string[] = [
  excluding,
  excludingWhenEmpty,
  '.plexignore',
  '.jellyfinignore',
];

/** The longest part that is read of one. */
const maxBytes = 65_536;

/** Reads the ignore files of a listed folder; most folders have none, and cost nothing. */
export async function readFolderRule(
  disk: WalkedDisk,
  { path: folder, markers = [] }: DiskFolder,
): Promise<FolderRule> {
  if (markers.length === 0) return [];
  if (markers.some(({ name }) => name === excluding)) return 'left-out';
  const ruled: RuledFolder[] = [];
  for (const { name, size } of markers) {
    const text = size === 0 ? '' : await readText(disk, below(folder, name));
    if (text === null) continue;
    if (text.trim() === '') {
      if (name === excludingWhenEmpty) return 'left-out';
    } else ruled.push({ folder, rules: parseIgnoreRules(text) });
  }
  return ruled;
}

/** Whether patterns exclude a path. The nearest folder counts, and in it the last matching line. */
export function isRuledOut(
  ruled: readonly RuledFolder[],
  path: string,
  isFolder: boolean,
): boolean {
  for (const { folder, rules } of ruled.toReversed()) {
    const inside = path.slice(folder === '/' ? 1 : folder.length + 1);
    const verdict = rules.verdict(decodePath(inside), isFolder);
    if (verdict !== null) return verdict === 'out';
  }
  return false;
}

/** What the ignore files of the folders from `from` down to this one say. */
export async function readRulesAbove(
  disk: WalkedDisk,
  from: string,
  path: string,
): Promise<FolderRule> {
  const above = foldersBetween(from, path);
  if (above.length === 0) return [];
  const { folders } = await disk.list({ paths: above, extensions: [], markers: ignoreFiles });
  const byPath = new Map(folders.map((folder) => [folder.path, folder]));
  const ruled: RuledFolder[] = [];
  for (const [at, folder] of above.entries()) {
    const listed = byPath.get(folder);
    const rule = listed === undefined ? [] : await readFolderRule(disk, listed);
    if (rule === 'left-out') return rule;
    ruled.push(...rule);
    if (isRuledOut(ruled, above[at + 1] ?? path, true)) return 'left-out';
  }
  return ruled;
}

/** The folders that contain `path`, from `from` on, the outermost first; none when it is elsewhere. */
function foldersBetween(from: string, path: string): readonly string[] {
  const start = from === '/' ? '' : from;
  if (!path.startsWith(`${start}/`) || path === from) return [];
  const names = path.slice(start.length + 1).split('/');
  return names.map((_, at) => [start, ...names.slice(0, at)].join('/') || '/');
}

async function readText(disk: WalkedDisk, path: string): Promise<string | null> {
  try {
    return new TextDecoder().decode(await disk.read({ path, offset: 0, length: maxBytes }));
  } catch {
    return null;
  }
}

const below = (folder: string, name: string): string =>
  folder === '/' ? `/${name}` : `${folder}/${name}`;

/** Decoded; a name that is not UTF-8 stays encoded. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
