/**
 * All objects below a prefix in the order of URIs, from any place on, in few requests. A folder with
 * at most a thousand objects below it is one request. For a larger one the children are listed
 * first; then those that follow each other in both orders are read together, a thousand objects at a
 * time.
 */
import type { Bucket } from './bucket.ts';
import { byKey, byPlace, placeOf, type Child } from './key-order.ts';
import type { S3Object, S3Page } from './listing.ts';
import { isNameable } from './place.ts';
import { shallowPages } from './shallow-pages.ts';

/** One step of a walk: a file, a folder that was entered, or an entry that cannot be shown. */
export type Step =
  | { readonly kind: 'file'; readonly place: string; readonly object: S3Object }
  | { readonly kind: 'folder'; readonly place: string }
  | { readonly kind: 'hidden'; readonly key: string };

/** What a walk needs. */
export interface TreeParts {
  readonly bucket: Pick<Bucket, 'page'>;
  readonly prefix: string;
  /** Only entries with a position after this one. */
  readonly after: string;
  /** Whether a folder is ignored with everything below. Gets its position. */
  readonly isLeftOut: (place: string) => boolean;
}

/** Walks. */
export async function* walkTree(parts: TreeParts): AsyncGenerator<Step, void, undefined> {
  const { bucket, prefix, after } = parts;
  const whole = await bucket.page({ prefix });
  if (whole.next === null) {
    yield* inOrder(whole.files, parts);
    return;
  }
  const { children, objects } = await listLevel(bucket, prefix);
  const ranks = new Map(children.toSorted((a, b) => byKey(a.key, b.key)).map(toRank));
  const ordered = children.toSorted(byPlace);
  for (let at = 0; at < ordered.length; at += 1) {
    const child = ordered[at];
    if (child?.place === '' && after === '') yield { kind: 'hidden', key: child.key };
    if (child === undefined || isBehind(child, after)) continue;
    const object = objects.get(child.key);
    if (object !== undefined) {
      yield* inOrder([object], parts);
      continue;
    }
    if (parts.isLeftOut(child.place)) continue;
    yield { kind: 'folder', place: child.place };
    const page = await bucket.page({ prefix, startAfter: child.key });
    const count = wholeIn(page, { prefix, run: ordered.slice(at), ranks });
    if (count === 0) yield* walkTree({ ...parts, prefix: child.key });
    else {
      const run = ordered.slice(at, at + count);
      yield* inOrder(filesOf(page, run), parts);
      at += count - 1;
    }
  }
}

const toRank = ({ key }: Child, rank: number): [string, number] => [key, rank];

/** Whether nothing of it can have a position after the one that was reached. */
const isBehind = ({ place }: Child, after: string): boolean =>
  place.endsWith('/') ? after > place && !after.startsWith(place) : after >= place;

function* inOrder(files: readonly S3Object[], { after, isLeftOut }: TreeParts): Generator<Step> {
  const steps = files
    // A key that ends in a slash stands for an empty folder.
    .filter(({ key }) => !key.endsWith('/'))
    .map((object) => ({ object, place: isNameable(object.key) ? placeOf(object.key) : null }));
  for (const { object, place } of steps)
    if (place === null) yield { kind: 'hidden', key: object.key };
  const named = steps.flatMap(({ object, place }) => (place === null ? [] : [{ object, place }]));
  for (const { object, place } of named.sort(byPlace))
    if (place > after && !isLeftOut(place)) yield { kind: 'file', place, object };
}

/** The children of a folder; one without a URI has no position, and so is never entered. */
async function listLevel(bucket: TreeParts['bucket'], prefix: string) {
  const objects = new Map<string, S3Object>();
  const children = new Map<string, Child>();
  for await (const { files, folders } of shallowPages(bucket, prefix)) {
    for (const object of files) {
      // The folder's own marker.
      if (object.key === prefix) continue;
      objects.set(object.key, object);
      const place = isNameable(object.key) ? placeOf(object.key) : '';
      children.set(object.key, { key: object.key, place });
    }
    for (const key of folders) children.set(key, { key, place: safePlaceOf(key) });
  }
  return { children: [...children.values()], objects };
}

const safePlaceOf = (key: string): string => (isNameable(key.slice(0, -1)) ? placeOf(key) : '');

/**
 * How many of the children at the start of a run also follow each other in the order of keys and are
 * completely in the page, which begins at the first of them.
 */
function wholeIn(
  { files, next }: S3Page,
  parts: {
    readonly prefix: string;
    readonly run: readonly Child[];
    readonly ranks: ReadonlyMap<string, number>;
  },
): number {
  const { prefix, run, ranks } = parts;
  const rankOf = ({ key }: Child): number => ranks.get(key) ?? -1;
  const [first] = run;
  if (first === undefined) return 0;
  const last = files.at(-1)?.key ?? prefix;
  const end = next === null ? Number.POSITIVE_INFINITY : rankOfChildWith(last, prefix, ranks);
  let count = 0;
  for (const child of run) {
    const rank = rankOf(child);
    if (rank !== rankOf(first) + count || rank >= end) break;
    count += 1;
  }
  return count;
}

/** The child that contains a key; the one before all when no child is known. */
function rankOfChildWith(key: string, prefix: string, ranks: ReadonlyMap<string, number>): number {
  const slash = key.indexOf('/', prefix.length);
  const child = slash === -1 ? key : key.slice(0, slash + 1);
  return ranks.get(child) ?? -1;
}

/** The objects of a page that are in these children, with their positions. */
function filesOf({ files }: S3Page, run: readonly Child[]): readonly S3Object[] {
  const [folders, names] = [new Set<string>(), new Set<string>()];
  for (const { key } of run) (key.endsWith('/') ? folders : names).add(key);
  const longest = [...folders].map(({ length }) => length);
  const lengths = new Set(longest);
  return files.filter(
    ({ key }) => names.has(key) || [...lengths].some((length) => folders.has(key.slice(0, length))),
  );
}
