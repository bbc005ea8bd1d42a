import { toTimestamp } from '../clock.ts';
import { rootsOf, type LibraryRow } from './library-store.ts';
import { parseRootProblems, type RootProblem } from './root-witness.ts';
import { parseList } from './rows.ts';

/** The Library resource. */
export interface Library {
  readonly id: string;
  readonly name: string;
  /** Open: `movies tv music audiobooks books photos`. */
  readonly type: string;
  /** URIs, without a slash at the end. */
  readonly roots: readonly string[];
  /** The filesystem plugin that holds it; null = whichever serves the scheme of its roots. */
  readonly pluginId: string | null;
  readonly hidden: boolean;
  /** What changes in its folders is looked for; else only when somebody has it scanned. */
  readonly watch: boolean;
  /** Items that are there now. */
  readonly itemCount: number;
  readonly lastScanAt: string | null;
  /** What is wrong with its roots; while something is, nothing of that root is called gone. */
  readonly problems: readonly RootProblem[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What a new library is made of. */
export interface NewLibrary {
  readonly name: string;
  readonly type: string;
  /** URIs, or absolute paths of this machine. */
  readonly roots: readonly string[];
  readonly pluginId?: string | null | undefined;
  readonly hidden?: boolean | undefined;
  readonly watch?: boolean | undefined;
}

/** What of a library can change. */
export interface LibraryChanges {
  readonly name?: string | undefined;
  readonly roots?: readonly string[] | undefined;
  readonly pluginId?: string | null | undefined;
  readonly hidden?: boolean | undefined;
  readonly watch?: boolean | undefined;
}

export function toLibrary(row: LibraryRow): Library {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    roots: rootsOf(row),
    pluginId: row.plugin_id,
    hidden: Boolean(row.hidden),
    watch: Boolean(row.is_watched),
    itemCount: row.item_count,
    lastScanAt: row.last_scan_at === null ? null : toTimestamp(Number(row.last_scan_at)),
    problems: parseRootProblems(parseList(row.problems)),
    createdAt: toTimestamp(Number(row.created_at)),
    updatedAt: toTimestamp(Number(row.updated_at)),
  };
}
