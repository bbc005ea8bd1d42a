import { createDigest } from '../../plugin-api/index.ts';
import type { FileEntry, FileListing, Host, ListFilesInput } from '../../plugin-api/index.ts';
import { below, pathOf, uriOf } from './file-uri.ts';
import { ignoreFiles } from './ignore-files.ts';

/**
 * The result for a known page: the page itself, or its differences, if the disk can tell them without a
 * listing; else the reason why it must be listed. Undefined when there is no page to compare.
 */
export type KnownPageAnswer = FileListing | 'changed' | 'needs-listing' | undefined;

type DigestInput = Parameters<Host['disk']['digest']>[0];

type Digested = Awaited<ReturnType<Host['disk']['digest']>>;

/** Compares the known page with the disk, and the pages after it while each is unchanged. */
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
  if (digest === null) return 'needs-listing';
  if (wantsParts) return { ...page, cursor: through };
  return differentPage(input, answer) ?? 'changed';
}

/** The page between the same two places, with its differences. */
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

/** The part of the disk that the known page covers; undefined when it cannot be named. */
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
  // Only a listing reads the ignore files of the folders above.
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

/** The parts of the disk that the following pages cover, up to the first that cannot be named. */
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

/** How a page of a folder and its files are identified: the digests of `host.disk.digest`. */
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
