import type { LibraryAccess } from '../viewer/index.ts';

/** A named set of libraries that any number of users may see. */
export interface Group {
  readonly id: string;
  readonly name: string;
  /** Libraries that its users may see in addition to their own; empty = none. */
  readonly libraryAccess: readonly LibraryAccess[];
  /** The number of users in it. */
  readonly userCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}
