import { KernelError } from '../../../../kernel/index.ts';
import type { ReconcileInput } from '../../../../plugin-api/index.ts';
import { pageRange, stretchesOf } from './page-diff.ts';

/** Names that lead elsewhere or contain an escaped name. Files with such names cannot be read. */
const misleading = /\/(?:\.|%2e){1,2}(?:\/|$)|%2f|%00/i;

/**
 * Refuses a malformed page: one outside the library's roots, or with files out of order or out of
 * its range, could mark files as gone that the scan never listed.
 */
export function assertPage(page: ReconcileInput, roots: readonly string[]): void {
  if (!roots.some((root) => isBelow(root, page.root)))
    throw refusal(`root must be a root of the library, or a folder in it, not ${page.root}.`);
  assertPlain(page.root);
  const start = `${page.root}/`;
  for (const bound of [page.after, page.through]) {
    if (bound !== null && !bound.startsWith(start))
      throw refusal(`after and through must lie below root, and ${bound} does not.`);
  }
  const { after, through } = pageRange(page);
  let last = after;
  for (const { uri } of page.files) {
    if (!uri.startsWith(start)) throw refusal(`files must lie below root, and ${uri} does not.`);
    if (uri <= last) throw refusal(`files must ascend by URI above after; ${uri} does not.`);
    assertPlain(uri);
    last = uri;
  }
  if (last > through && page.files.length > 0)
    throw refusal(`files must not lie above through, and ${last} does.`);
  if (page.stretches) assertStretches(page);
}

/** Files outside all stretches would not be compared with anything. */
function assertStretches(page: ReconcileInput): void {
  if (page.known === undefined || page.isKnown || page.unreadable.length > 0)
    throw refusal('stretches must come with known, and with neither isKnown nor unreadable.');
  const range = pageRange(page);
  const stretches = stretchesOf(page);
  let last = range.after;
  for (const { after, through } of stretches) {
    if (after < last || through <= after || through > range.through)
      throw refusal(`stretches must ascend apart in the page; ${after} to ${through} does not.`);
    last = through;
  }
  let at = 0;
  for (const { uri } of page.files) {
    while (uri > (stretches[at]?.through ?? uri)) at++;
    const stretch = stretches[at];
    if (stretch === undefined || uri <= stretch.after)
      throw refusal(`files must lie in one of the stretches, and ${uri} does not.`);
  }
}

function assertPlain(uri: string): void {
  if (!misleading.test(uri)) return;
  throw refusal(`names in URIs must be neither . nor .. nor hold an escaped slash, as in ${uri}.`);
}

function isBelow(root: string, folder: string): boolean {
  return folder === root || folder.startsWith(`${root}/`);
}

function refusal(what: string): KernelError {
  return new KernelError('invalid_argument', what);
}
