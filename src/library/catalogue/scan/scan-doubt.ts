/**
 * Files that a scan must not mark as gone. A plugin that did not say what to look for may be the
 * only one that lists a file: a scan that did not look for the file cannot tell whether it is gone.
 */
import { extensionOf, fileName } from '../tables/file-uri.ts';
import type { KnownFile } from './known-file-store.ts';
import type { PageDiff } from './page-diff.ts';
import { isMap } from '../tables/rows.ts';
import { parseCriteria, type ScanCriteria } from './scan-criteria.ts';

/** A plugin that should have said what to look for and did not. */
export interface AbsentPlugin {
  readonly pluginId: string;
  /** `not_running`, `failed`, `timed_out`, `invalid_delta`, or the code of the plugin's error. */
  readonly code: string;
  /** A sentence for admins. */
  readonly reason: string;
  /** What it looked for at its last answer; `null` = unknown. */
  readonly sought: ScanCriteria | null;
}

/** The plugin that may list a file for which the scan did not look; `null` = there is none. */
export type ScanDoubt = (file: Pick<KnownFile, 'uri' | 'type'>) => string | null;

/** The doubts of the running scans, by library. */
export type ScanDoubts = ReturnType<typeof createScanDoubts>;

export function createScanDoubts() {
  const doubts = new Map<string, ScanDoubt>();
  return {
    set: (libraryId: string, doubt: ScanDoubt): void => void doubts.set(libraryId, doubt),
    end: (libraryId: string): void => void doubts.delete(libraryId),
    of: (libraryId: string): ScanDoubt | undefined => doubts.get(libraryId),
  };
}

/** The doubt of a scan with this plan, without these plugins. */
export function doubtOf(
  plan: Pick<ScanCriteria, 'extensions' | 'auxiliary'>,
  absent: readonly AbsentPlugin[],
): ScanDoubt {
  const media = new Set(plan.extensions);
  const beside = new Set(plan.auxiliary);
  return ({ uri, type }) => {
    const extension = extensionOf(fileName(uri));
    // A file that is auxiliary without the plugin may be media with it.
    if (media.has(extension) || (type === 'auxiliary' && beside.has(extension))) return null;
    return absent.find(({ sought }) => couldList(sought, extension))?.pluginId ?? null;
  };
}

/** A pattern may match any extension. */
function couldList(sought: ScanCriteria | null, extension: string): boolean {
  if (sought === null || sought.patterns.length > 0) return true;
  return sought.extensions.includes(extension) || sought.auxiliary.includes(extension);
}

/** Removes doubtful files from the losses; gives how many media files that kept, by plugin. */
export function withholdDoubtful(diff: PageDiff, doubt: ScanDoubt): ReadonlyMap<string, number> {
  const kept = new Map<string, number>();
  const isCertain = (file: KnownFile): boolean => {
    const pluginId = doubt(file);
    if (pluginId === null) return true;
    diff.isSettled = false;
    kept.set(pluginId, (kept.get(pluginId) ?? 0) + (file.type === 'auxiliary' ? 0 : 1));
    return false;
  };
  for (const list of [diff.gone, diff.auxiliary.gone])
    list.splice(0, list.length, ...list.filter(isCertain));
  return kept;
}

/** The absent plugins in a checkpoint. */
export function parseAbsentPlugins(value: unknown): readonly AbsentPlugin[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((one) => {
    if (!isMap(one)) return [];
    const { pluginId, code, reason, sought } = one;
    if (typeof pluginId !== 'string' || typeof code !== 'string') return [];
    const kept = sought === null || sought === undefined ? null : parseCriteria(sought);
    return [{ pluginId, code, reason: typeof reason === 'string' ? reason : '', sought: kept }];
  });
}
