import { toTimestamp } from '../../../platform/clock.ts';
import { linksOf, rootsOf, type LibraryRow, type LinkFolder } from '../tables/library-store.ts';
import { parseRootProblems } from '../scan/root-health.ts';
import type { RootProblem } from '../scan/root-problem.ts';
import { parseUnreadPlaces } from '../scan/unread-places.ts';
import { parseList } from '../tables/rows.ts';
import { type MediaJobType } from './media-jobs.ts';
import { mediaJobTypes } from '../../../contract/resources/library/libraries.ts';

/** The Library resource. */
export interface Library {
  readonly id: string;
  readonly name: string;
  /** Open: `movies tv music audiobooks books photos`. */
  readonly type: string;
  /** URIs without a trailing slash. */
  readonly roots: readonly string[];
  /** The folders to which links below its roots may lead as well. */
  readonly links: readonly LinkFolder[];
  /** The filesystem plugin of the library; null = the one that serves the scheme of its roots. */
  readonly pluginId: string | null;
  readonly hidden: boolean;
  /** Its folders are watched for changes; else only requested scans find them. */
  readonly watch: boolean;
  /** The media jobs that run for it at night. */
  readonly mediaJobs: readonly MediaJobType[];
  /** The number of active items. */
  readonly itemCount: number;
  readonly lastScanAt: string | null;
  /** Its problems; a root with a problem loses no files. */
  readonly problems: readonly RootProblem[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The fields of a new library. */
export interface NewLibrary {
  readonly name: string;
  readonly type: string;
  /** URIs, or absolute paths of this machine. */
  readonly roots: readonly string[];
  readonly links?: readonly LinkFolder[] | undefined;
  readonly pluginId?: string | null | undefined;
  readonly hidden?: boolean | undefined;
  readonly watch?: boolean | undefined;
  readonly mediaJobs?: readonly MediaJobType[] | undefined;
}

/** The fields of a library that can change. */
export interface LibraryChanges {
  readonly name?: string | undefined;
  readonly roots?: readonly string[] | undefined;
  readonly links?: readonly LinkFolder[] | undefined;
  readonly pluginId?: string | null | undefined;
  readonly hidden?: boolean | undefined;
  readonly watch?: boolean | undefined;
  readonly mediaJobs?: readonly MediaJobType[] | undefined;
}

export function toLibrary(row: LibraryRow): Library {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    roots: rootsOf(row),
    links: linksOf(row),
    pluginId: row.plugin_id,
    hidden: Boolean(row.hidden),
    watch: Boolean(row.is_watched),
    mediaJobs: mediaJobsOf(row),
    itemCount: row.item_count,
    lastScanAt: row.last_scan_at === null ? null : toTimestamp(Number(row.last_scan_at)),
    problems: problemsOf(row),
    createdAt: toTimestamp(Number(row.created_at)),
    updatedAt: toTimestamp(Number(row.updated_at)),
  };
}

/** The media jobs of a library, in the order of their names. */
export function mediaJobsOf({
  media_jobs,
}: Pick<LibraryRow, 'media_jobs'>): readonly MediaJobType[] {
  if (media_jobs === null) return mediaJobTypes;
  const stored = parseList(media_jobs);
  return mediaJobTypes.filter((type) => stored.includes(type));
}

/** Those of roots that were removed since are over. */
function problemsOf(row: LibraryRow): readonly RootProblem[] {
  const roots = rootsOf(row);
  const isIn = (uri: string): boolean =>
    roots.some((root) => uri === root || uri.startsWith(`${root}/`));
  const stored = parseRootProblems(parseList(row.problems));
  const unread = parseUnreadPlaces(row.unread_places);
  const places = unread === null ? [] : [{ ...unread, code: 'incomplete' as const }];
  return [...stored, ...places]
    .filter(({ uri }) => isIn(uri))
    .map(({ uri, code, message }) => ({ uri, code, message }));
}
