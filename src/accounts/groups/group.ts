import type { LibraryAccess } from '../library-access.ts';

/** A named set of libraries that any number of users may see. */
export interface Group {
  readonly id: string;
  readonly name: string;
  /** What its users see beside what is their own; empty = it adds nothing. */
  readonly libraryAccess: readonly LibraryAccess[];
  /** How many users name it. */
  readonly userCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}
