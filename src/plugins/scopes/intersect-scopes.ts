import type { Narrowed, ReachedScope } from '../../../kernel/index.ts';
import { isBelow } from '../../files/filesystems/index.ts';

/** What is within two scopes: libraries that both grant, and of their folders the inner ones. */
export const intersectScopes = (one: Narrowed, other: Narrowed): Narrowed =>
  one.flatMap((mine) => {
    const theirs = other.find(({ id }) => id === mine.id);
    return theirs ? inBoth(mine, theirs) : [];
  });

function inBoth(mine: ReachedScope, theirs: ReachedScope): readonly ReachedScope[] {
  if (mine.folders === undefined) return [theirs];
  if (theirs.folders === undefined) return [mine];
  const folders = [
    ...innerOf(mine.folders, theirs.folders),
    ...innerOf(theirs.folders, mine.folders),
  ];
  return folders.length === 0 ? [] : [{ id: mine.id, folders: [...new Set(folders)] }];
}

/** The folders that are in, or are, one of the outer ones. */
const innerOf = (inner: readonly string[], outer: readonly string[]): readonly string[] =>
  inner.filter((one) => outer.some((all) => isBelow(one, all)));
