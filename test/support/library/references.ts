/** What plugins may name, where a test has no grants: all of their item's library, and any address. */
import { createClaims, createReferenceCheck } from '../../../src/files/references/index.ts';
import type { ClaimsParts, ReferencesParts } from '../../../src/files/references/index.ts';

/** Judge and claims; every file is there. */
export function testReferences(
  parts: Partial<ReferencesParts> & Partial<Pick<ClaimsParts, 'refuse' | 'there'>> = {},
) {
  const roots = () => [];
  const checkReference = createReferenceCheck({
    roots,
    mayWrite: () => true,
    mayName: () => true,
    serves: () => false,
    mayFetch: () => true,
    ...parts,
  });
  const claims = createClaims({
    check: checkReference,
    roots,
    refuse: () => undefined,
    there: async (uris) => new Set(uris),
    ...parts,
  });
  return { checkReference, mayWrite: () => true, claims };
}
