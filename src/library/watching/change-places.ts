/**
 * Turns watch events into folders for a scan. An event names a path without telling whether it is
 * or was a folder. So the folder that contains a changed path is scanned, and the path itself with
 * everything below if it is a folder. A removed file or tree is missing from the folder that
 * contained it.
 */
import type { FileEntry, FileListing } from '../../../plugin-api/index.ts';

export interface ScanFolders {
  /** Folders to scan with everything below. */
  readonly folders: readonly string[];
  /** Folders of which only the direct files are scanned. */
  readonly shallow: readonly string[];
}

/** Reads file types. */
export interface FileTypes {
  readonly stat: (uri: string) => Promise<Pick<FileEntry, 'kind'>>;
  readonly list: (input: {
    readonly uri: string;
    readonly cursor: string | null;
    readonly limit: number;
  }) => Promise<Pick<FileListing, 'entries' | 'cursor'>>;
}

/** With more changed names in one folder, the folder is listed instead. */
const mostAsked = 8;
const pageSize = 2000;
/** With more folders, a scan of the whole library is faster. */
const mostPlaces = 200;

/**
 * The folders for changes below a root; `null` when there are too many. `changed` are the URIs that
 * were created or written, `removed` those that are gone.
 */
export async function toScanFolders(
  root: string,
  { changed, removed }: { readonly changed: Iterable<string>; readonly removed: Iterable<string> },
  files: FileTypes,
): Promise<ScanFolders | null> {
  const isBelow = (uri: string): boolean => uri.startsWith(`${root}/`);
  const changedBelow = [...changed].filter(isBelow);
  const byFolder = Map.groupBy(changedBelow, parentOf);
  const shallow = new Set([...byFolder.keys(), ...[...removed].filter(isBelow).map(parentOf)]);
  if ([...changed].includes(root)) shallow.add(root);
  if (shallow.size > mostPlaces) return null;
  const folders: string[] = [];
  for (const [folder, uris] of byFolder) {
    folders.push(...(await foldersIn(folder, uris, files)));
    if (folders.length + shallow.size > mostPlaces) return null;
  }
  return { folders, shallow: [...shallow] };
}

async function foldersIn(
  folder: string,
  uris: readonly string[],
  files: FileTypes,
): Promise<readonly string[]> {
  try {
    if (uris.length > mostAsked) return await listedFolders(folder, new Set(uris), files);
  } catch {
    return [];
  }
  const found: string[] = [];
  for (const uri of uris) if (await isFolder(uri, files)) found.push(uri);
  return found;
}

async function listedFolders(
  uri: string,
  wanted: ReadonlySet<string>,
  { list }: FileTypes,
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

/** A path that cannot be read is not walked; the folder that contains it is scanned anyway. */
async function isFolder(uri: string, { stat }: FileTypes): Promise<boolean> {
  try {
    return (await stat(uri)).kind === 'folder';
  } catch {
    return false;
  }
}

const parentOf = (uri: string): string => uri.slice(0, uri.lastIndexOf('/'));
