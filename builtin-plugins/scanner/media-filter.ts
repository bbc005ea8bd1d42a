import picomatch from 'picomatch/posix.js';
import type { FileEntry } from '../../plugin-api/index.ts';
import type { ScanPlan } from './scan-plan.ts';

/** Which files of a listing a scan takes. */
export interface MediaFilter {
  /** What the listing itself can leave out; absent when it cannot tell. */
  readonly extensions: readonly string[] | undefined;
  readonly takes: (root: string, file: FileEntry) => boolean;
}

const longestPattern = 300;

/** The filter of a scan: media by extension, and whatever fits a pattern. */
export function createMediaFilter({ extensions, patterns }: ScanPlan): MediaFilter {
  if (patterns.length === 0) return { extensions, takes: () => true };
  const wanted = new Set(extensions);
  const globs = patterns
    .filter(({ length }) => length > 0 && length <= longestPattern)
    .map((pattern) => picomatch(pattern, { nocase: true, noextglob: true, nonegate: true }));
  return {
    extensions: undefined,
    takes(root, { uri }) {
      if (wanted.has(extensionOf(uri))) return true;
      const path = decodePath(uri.slice(root.length + 1));
      return globs.some((fits) => fits(path));
    },
  };
}

function extensionOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** The path as people write it; names that are no UTF-8 stay encoded. */
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
