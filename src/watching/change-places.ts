/**
 * From what a watch tells to what a scan looks at. A watch names paths and knows neither what is a
 * folder now nor what was one; so of a changed path the folder that holds it is looked at, and the
 * path itself with all that is below when it is a folder. What was removed is missing from the folder
 * that held it, be it a file or a tree.
 */
import type { FileEntry, FileListing } from '../../plugin-api/index.ts';

/** What a scan of some places is asked for. */
export interface Places {
  /** Folders to walk with all that is below. */
  readonly folders: readonly string[];
  /** Folders of which only the files that lie right in them are looked at. */
  readonly shallow: readonly string[];
}

/** Looks at files. */
export interface LookAtFiles {
  readonly stat: (uri: string) => Promise<Pick<FileEntry, 'kind'>>;
  readonly list: (input: {
    readonly uri: string;
    readonly cursor: string | null;
    readonly limit: number;
  }) => Promise<Pick<FileListing, 'entries' | 'cursor'>>;
}

/** Above so many names of one folder, the folder is listed and not each asked for. */
const mostAsked = 8;
const pageSize = 2000;
/** Above so many places a scan of the whole library is less work. */
const mostPlaces = 200;

/**
 * The places for changes below a root; `null` when there are too many. `changed` are the URIs that
 * were made or written, `removed` those that are gone.
 */
export async function toPlaces(
  root: string,
  { changed, removed }: { readonly changed: Iterable<string>; readonly removed: Iterable<string> },
  look: LookAtFiles,
): Promise<Places | null> {
  const isBelow = (uri: string): boolean => uri.startsWith(`${root}/`);
  const changedBelow = [...changed].filter(isBelow);
  const byFolder = Map.groupBy(changedBelow, parentOf);
  const shallow = new Set([...byFolder.keys(), ...[...removed].filter(isBelow).map(parentOf)]);
  if ([...changed].includes(root)) shallow.add(root);
  if (shallow.size > mostPlaces) return null;
  const folders: string[] = [];
  for (const [folder, uris] of byFolder) {
    folders.push(...(await foldersAmong(folder, uris, look)));
    if (folders.length + shallow.size > mostPlaces) return null;
  }
  return { folders, shallow: [...shallow] };
}

async function foldersAmong(
  folder: string,
  uris: readonly string[],
  look: LookAtFiles,
): Promise<readonly string[]> {
  try {
    if (uris.length > mostAsked) return await listedFolders(folder, new Set(uris), look);
  } catch {
    return [];
  }
  const found: string[] = [];
  for (const uri of uris) if (await isFolder(uri, look)) found.push(uri);
  return found;
}

async function listedFolders(
  uri: string,
  wanted: ReadonlySet<string>,
  { list }: LookAtFiles,
): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Pick<FileListing, 'entries' | 'cursor'> = await list({
      uri,
      cursor,
      limit: pageSize,
    });
    for (const entry of page.entries)
      if (entry.kind === 'folder' && wanted.has(entry.uri)) found.push(entry.uri);
    cursor = page.cursor;
  } while (cursor !== null);
  return found;
}

/** What cannot be looked at is not walked; the folder that holds it is looked at in any case. */
async function isFolder(uri: string, { stat }: LookAtFiles): Promise<boolean> {
  try {
    return (await stat(uri)).kind === 'folder';
  } catch {
    return false;
  }
}

const parentOf = (uri: string): string => uri.slice(0, uri.lastIndexOf('/'));
