/**
 * The paths that a package may hold: those that mean the same file on every system, and nothing
 * outside. ASCII letters and digits only, since Unicode spells some names in several ways; no device
 * names of Windows and no names that it shortens; no two paths that differ in case only.
 */
import { quoted } from '../../foreign-text.ts';

/** Short enough that every path fits the two fields of a tar header, which are split at a slash. */
const longestPath = 150;
const longestSegment = 100;
const mostSegments = 16;
const segmentForm = /^[A-Za-z0-9_@][A-Za-z0-9_@+. -]*$/;
const device = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9]|lpt[0-9])(\.|$)/i;

/**
 * Why a path is not allowed, as the end of a sentence that names the package; `null` = it is allowed.
 */
export function pathFault(path: string): string | null {
  if (path.length > longestPath) return `has a path of more than ${longestPath} characters`;
  const segments = path.split('/');
  if (segments.length > mostSegments) return `has a path of more than ${mostSegments} folders`;
  return segments.every(isSafe) ? null : `has the path ${quoted(path)}, which is not portable`;
}

function isSafe(segment: string): boolean {
  return (
    segment.length <= longestSegment &&
    segmentForm.test(segment) &&
    !/[. ]$/.test(segment) &&
    !device.test(segment) &&
    segment !== '__proto__'
  );
}

/**
 * Why these paths cannot be in one package, or `null`: two of them are equal where case does not
 * count.
 */
export function clashFault(paths: readonly string[]): string | null {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const segments = path.split('/');
    for (let length = 1; length <= segments.length; length += 1) {
      const kind = length === segments.length ? 'file' : 'folder';
      const here = segments.slice(0, length).join('/');
      const mark = `${kind} ${here}`;
      const before = seen.get(here.toLowerCase());
      if (before !== undefined && (before !== mark || kind === 'file')) {
        return `has ${quoted(here)} twice, or spelled in two ways`;
      }
      seen.set(here.toLowerCase(), mark);
    }
  }
  return null;
}
