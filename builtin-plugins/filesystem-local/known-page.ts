import { createDigest } from '../../plugin-api/index.ts';
import type { FileEntry, FileListing, Host, ListFilesInput } from '../../plugin-api/index.ts';
import { below, pathOf, uriOf } from './file-uri.ts';
import { ignoreFiles } from './ignore-files.ts';

/**
 * What became of the page that the asker knows: itself, or what differs in it, where the disk tells that
 * without a listing; else why it must be listed. Undefined when there is none that could be asked about.
 */
export type KnownPageAnswer = FileListing | 'changed' | 'untellable' | undefined;

type DigestInput = Parameters<Host['disk']['digest']>[0];

type Digested = Awaited<ReturnType<Host['disk']['digest']>>;

/** Asks the disk about the known page, and those that follow while each is as it was. */
export async function askKnownPage(
  input: ListFilesInput & { readonly limit: number },
  disk: Host['disk'],
): Promise<KnownPageAnswer> {
  const { known, knownThrough: through = null, knownParts, knownNext = [], limit } = input;
  const stretch = stretchOf(input);
  if (stretch === undefined || known === undefined) return undefined;
  const isComparable = typeof knownParts === 'string';
  const answer = await disk.digest({
    ...stretch,
    ...(isComparable
      ? { unlike: { digest: known, parts: knownParts, most: limit } }
      : { known, next: nextOf(input) }),
  });
  const { digest, passed = digest === known ? 1 : 0 } = answer;
  const last = [{ digest: known, through }, ...knownNext][passed - 1];
  const wantsParts = knownParts === null && digest !== null && digest !== last?.digest;
  const page = { entries: [], problems: [], ...(wantsParts && { wantsParts }) };
  if (last) return { ...page, cursor: last.through, digest: last.digest, isKnown: true };
  if (digest === null) return 'untellable';
  if (wantsParts) return { ...page, cursor: through };
  return differentPage(input, answer) ?? 'changed';
}

/** The page between the same two places, with what differs in it. */
function differentPage(
  { uri, cursor = null, knownThrough = null }: ListFilesInput,
  { digest, parts, differences, files }: Digested,
): FileListing | undefined {
  if (digest === null || parts === undefined || !differences || !files) return undefined;
  const root = uriOf(pathOf(uri));
  const entries = files.map(({ place, size, modifiedAt }): FileEntry => {
    return { uri: below(root, place), kind: 'file', size, modifiedAt };
  });
  const uriAt = (place: string): string | null => (place === '' ? null : below(root, place));
  const stretches = differences.map(({ after, through }) => ({
    after: uriAt(after),
    through: uriAt(through ?? ''),
  }));
  const [first] = stretches;
  const isWhole = first?.after === cursor && first.through === knownThrough;
  return {
    entries,
    problems: [],
    cursor: knownThrough,
    digest,
    parts,
    ...(!isWhole && { stretches }),
  };
}

/** What of the disk the known page speaks for; undefined when it cannot be named. */
function stretchOf({
  uri,
  cursor = null,
  knownThrough,
  extensions,
  ignore,
  ignoreFilesFrom,
}: ListFilesInput): DigestInput | undefined {
  if (knownThrough === undefined) return undefined;
  const path = pathOf(uri);
  const root = uriOf(path);
  // Ignore files of the folders above are read by a listing alone.
  if (ignoreFilesFrom !== undefined && ignoreFilesFrom !== uri) return undefined;
  const [after, through] = [cursor, knownThrough].map((place) => placeBelow(root, place));
  if (after === undefined || through === undefined) return undefined;
  return {
    path,
    after: after ?? '',
    through,
    naming: root,
    ...(extensions && { extensions }),
    ...(ignore && { ignore }),
    ...(ignoreFilesFrom !== undefined && { markers: ignoreFiles }),
  };
}

/** What of the disk the pages that follow speak for, up to one that cannot be named. */
function nextOf({ uri, knownNext = [] }: ListFilesInput): NonNullable<DigestInput['next']> {
  const root = uriOf(pathOf(uri));
  const next: { known: string; through: string | null }[] = [];
  for (const { digest: known, through: end } of knownNext) {
    const through = placeBelow(root, end);
    if (through === undefined) break;
    next.push({ known, through });
  }
  return next;
}

/** A place in the order of URIs as a path below a root; undefined for one that is not below it. */
function placeBelow(root: string, place: string | null): string | null | undefined {
  if (place === null) return null;
  return place.startsWith(`${root}/`) ? place.slice(root.length + 1) : undefined;
}

/** What a page of a folder is told by, and its files, as `host.disk.digest` makes them. */
export function marksOf(
  folder: string,
  entries: readonly FileEntry[],
): { readonly digest: string; readonly parts: string } {
  const start = uriOf(pathOf(folder)).length + 1;
  const whole = createDigest();
  const parts = entries.map(({ uri, size, modifiedAt }) => {
    whole.add(`${uri} ${size} ${modifiedAt}`);
    const part = createDigest();
    part.add(`${uri.slice(start)} ${size} ${modifiedAt}`);
    return part.text();
  });
  return { digest: whole.text(), parts: parts.join('') };
}
