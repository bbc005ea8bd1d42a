import type { TreeStretch, TreeStretches } from './disk.ts';

type Answer = string | Uint8Array;

/** A call ends after this long with a partial answer, and is continued by the next call. */
const longestMs = 200;

/**
 * The digest of a stretch, and of the following ones while each equals the known digest. Each is a
 * call of its own, so that other callers of the disk wait for one stretch at most.
 */
export async function digestStretches(
  ask: (stretch: TreeStretch) => Promise<Answer>,
  { known, next = [], ...first }: TreeStretches,
  clock: () => number,
): Promise<Answer> {
  const endsAt = clock() + longestMs;
  let answer = await ask(first);
  if (known === undefined) return answer;
  let wanted = known;
  let { through } = first;
  let passed = 0;
  while (digestIn(answer) === wanted) {
    passed += 1;
    const following = next[passed - 1];
    if (following === undefined || through === null || clock() >= endsAt) break;
    answer = await ask({ ...first, after: through, through: following.through });
    wanted = following.known;
    through = following.through;
  }
  return JSON.stringify({ digest: digestIn(answer), passed });
}

function digestIn(answer: Answer): string | null {
  const value: unknown = typeof answer === 'string' ? JSON.parse(answer) : null;
  const isFound = typeof value === 'object' && value !== null && 'digest' in value;
  return isFound && typeof value.digest === 'string' ? value.digest : null;
}
