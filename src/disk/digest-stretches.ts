import type { TreeStretch, TreeStretches } from './disk.ts';

type Answer = string | Uint8Array;

/** A question that comes back without having come to its end is asked again, from where it stood. */
const longestMs = 200;

/**
 * The digest of a stretch, and of those that follow while each is the known one. Each is a question of
 * its own, so that whoever else asks the disk waits for one stretch at most.
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
