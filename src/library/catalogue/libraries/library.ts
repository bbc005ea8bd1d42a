import { toTimestamp } from '../../../platform/clock.ts';
import { linksOf, rootsOf, type LibraryRow } from '../tables/library-store.ts';
import { parseRootProblems } from '../scan/root-health.ts';
import { parseUnreadPlaces } from '../scan/unread-places.ts';
import { parseList } from '../tables/rows.ts';
import { type MediaJobType } from './media-jobs.ts';
import {
  mediaJobTypes,
  type Library,
  type RootProblem,
} from '../../../contract/resources/library/libraries.ts';

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
