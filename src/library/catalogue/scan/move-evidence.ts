import type { Log } from '../../../../kernel/index.ts';
import type { Database } from '../../../../kernel/store/index.ts';
import type { Discovery } from './discovery.ts';
import { findBySize, readSamples, type FileSample, type TracedFile } from '../tables/file-store.ts';
import { findLibrary } from '../tables/library-store.ts';
import type { PageDiff } from './page-diff.ts';

/** What is known about the files of a page that may have moved. */
export interface MoveEvidence {
  /** By URI, of the files that were compared; unreadable files are left out. */
  readonly fingerprints: ReadonlyMap<string, string>;
  /** New files of this scan that files of this page may have moved to. */
  readonly arrivals: readonly TracedFile[];
}

/** Hex of 32 digits by URI, over size and samples of the content. */
export type MakeFingerprints = (uris: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const noEvidence: MoveEvidence = { fingerprints: new Map(), arrivals: [] };

/**
 * Reads the files whose content decides: new ones with the size of a missing one whose content is
 * known. So a scan without missing files reads no file. It runs before the transaction of the page,
 * which must not wait for a disk.
 */
export function createMoveEvidence(parts: {
  readonly database: Pick<Database, 'read'>;
  readonly fingerprints: MakeFingerprints;
  readonly log: Log;
}): (
  libraryId: string,
  diff: PageDiff,
  discoveries: readonly Discovery[],
) => Promise<MoveEvidence> {
  const db = parts.database.read;

  async function make(uris: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (uris.length === 0) return noEvidence.fingerprints;
    try {
      return await parts.fingerprints(uris);
    } catch (cause) {
      parts.log.warn({ files: uris.length, err: cause }, 'Files could not be compared by content');
      return noEvidence.fingerprints;
    }
  }

  return async (libraryId, diff, discoveries) => {
    const came = discoveries.filter(({ known, scanned }) => known === null && scanned.size > 0);
    if (came.length + diff.gone.length === 0) return noEvidence;
    const library = await findLibrary(db, libraryId);
    if (!library || (!library.has_missed && diff.gone.length === 0)) return noEvidence;

    const gone = await readSamples(
      db,
      diff.gone.map(({ no }) => no),
    );
    const goneSizes = sizesKnown(gone);
    const cameSizes = new Set(came.map(({ scanned }) => scanned.size));
    const missed = await findBySize(db, library.no, [...cameSizes], 'missing');
    const sizes = new Set([...goneSizes, ...sizesKnown(missed)]);
    const arrivals =
      library.scan_after === null || goneSizes.size === 0
        ? []
        : await findBySize(db, library.no, [...goneSizes], {
            madeAfter: Number(library.scan_after),
          });
    const unknown = arrivals.filter(({ fingerprint }) => fingerprint === null);
    const asked = [
      ...came.flatMap(({ scanned }) => (sizes.has(scanned.size) ? [scanned.uri] : [])),
      ...unknown.map(({ uri }) => uri),
    ];
    return { fingerprints: await make(asked), arrivals };
  };
}

/** Sizes of the files with a known fingerprint; empty files are left out. */
function sizesKnown(
  files: readonly Pick<FileSample, 'size' | 'fingerprint'>[],
): ReadonlySet<number> {
  return new Set(
    files.flatMap(({ size, fingerprint }) => (fingerprint === null || size === 0 ? [] : [size])),
  );
}
