import picomatch from 'picomatch/posix.js';
import type { FileEntry, ScannedFile } from '../../plugin-api/index.ts';
import type { ScanPlan } from './scan-plan.ts';

/** Which files of a listing a scan takes, and their type. */
export interface MediaFilter {
  /** What the listing itself can filter; absent when it cannot. */
  readonly extensions: readonly string[] | undefined;
  /** The file as the library gets it; null = it is ignored. */
  readonly take: (root: string, file: FileEntry) => ScannedFile | null;
}

const longestPattern = 300;

/** The filter of a scan: by extension; a file that matches a pattern is media. */
export function createMediaFilter({ extensions, auxiliary, patterns }: ScanPlan): MediaFilter {
  const media = new Set(extensions);
  const beside = new Set(auxiliary.filter((extension) => !media.has(extension)));
  const globs = patterns
    .filter(({ length }) => length > 0 && length <= longestPattern)
    .map((pattern) => picomatch(pattern, { nocase: true, noextglob: true, nonegate: true }));

  function fitsPattern(root: string, uri: string): boolean {
    if (globs.length === 0) return false;
    const path = decodePath(uri.slice(root.length + 1));
    return globs.some((fits) => fits(path));
  }

  return {
    extensions: patterns.length === 0 ? [...media, ...beside] : undefined,
    take(root, { uri, size, modifiedAt }) {
      const extension = extensionOf(uri);
      if (media.has(extension) || fitsPattern(root, uri)) return { uri, size, modifiedAt };
      return beside.has(extension) ? { uri, size, modifiedAt, type: 'auxiliary' } : null;
    },
  };
}

function extensionOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** The path with decoded names; names that are not UTF-8 stay encoded. */
function decodePath(path: string): string {
  return path
    .split('/')
    .map((name) => {
      try {
        return decodeURIComponent(name);
      } catch {
        return name;
      }
    })
    .join('/');
}
