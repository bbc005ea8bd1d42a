/**
 * The search, as a job of many short steps. First it notes the signs of every item in `host.kv`, one
 * key for each; then it reads the keys in order, so that equal signs stand beside each other.
 * However large a library is, only one page of it is in memory.
 *
 * A step may run twice, since the server can end between its work and its checkpoint. So every write
 * has the same key and value the second time, and the result is replaced once, by the last step.
 */
import type { Host, JobRunInput, JobRunResult } from '@vitrine/plugin-api';
import { copyOf, type Copy } from './copy.ts';
import { writeFound } from './found.ts';
import { merge, mostCopies, pairsOf, type Pair } from './pairs.ts';
import { signsOf, type Sign } from './signs.ts';

/** What is stored for one sign of one item. */
interface Note {
  readonly sign: Sign;
  readonly copy: Copy;
}

/** Where the search stands. `open` are the notes of the last sign, of which the next page may have more. */
type Stand =
  | { readonly phase: 'clean'; readonly isLast: boolean; readonly pairs: number }
  | { readonly phase: 'read'; readonly cursor: string | null; readonly read: number }
  | {
      readonly phase: 'compare';
      readonly cursor: string | null;
      readonly read: number;
      readonly open: readonly Note[];
      readonly pairs: readonly Pair[];
    };

const prefix = 'sign/';
/** An item has at most seven signs, and a batch at most 1000 keys. */
const itemsAtOnce = 100;
const notesAtOnce = 500;
const mostPairs = 500;

/** Does one step. */
export async function search(input: JobRunInput, host: Host): Promise<JobRunResult> {
  const { jobId, checkpoint } = input;
  // The newest search wins: two at once would clean up each other's notes.
  if (checkpoint === null) await host.kv.set({ key: 'run', value: jobId });
  else if ((await host.kv.get({ key: 'run' })) !== jobId)
    return { done: true, result: { replaced: true } };

  const stand = (checkpoint ?? { phase: 'clean', isLast: false, pairs: 0 }) as Stand;
  switch (stand.phase) {
    case 'clean':
      return clean(stand, host);
    case 'read':
      return read(stand, host);
    case 'compare':
      return compare(stand, host);
  }
}

type StandOf<Phase extends Stand['phase']> = Extract<Stand, { readonly phase: Phase }>;

const goOn = (checkpoint: Stand, progress: number): JobRunResult => ({
  done: false,
  checkpoint,
  progress,
});

/** At first it removes what a failed search left, at last its own notes. */
async function clean(stand: StandOf<'clean'>, { kv }: Host): Promise<JobRunResult> {
  const { removed } = await kv.trim({ prefix, keep: 0 });
  if (removed > 0) return goOn(stand, stand.isLast ? 0.95 : 0);
  return stand.isLast
    ? { done: true, result: { pairs: stand.pairs } }
    : goOn({ phase: 'read', cursor: null, read: 0 }, 0);
}

async function read(stand: StandOf<'read'>, { kv, media }: Host): Promise<JobRunResult> {
  const { cursor } = stand;
  const page = await media.list({
    sortBy: 'addedAt',
    limit: itemsAtOnce,
    ...(cursor !== null && { cursor }),
  });
  const set = page.items.flatMap((item) => {
    const copy = copyOf(item);
    return signsOf(item).map((sign) => ({
      key: `${prefix}${sign.text}/${item.id}`,
      value: { sign, copy } satisfies Note,
    }));
  });
  if (set.length > 0) await kv.batch({ set });
  const count = stand.read + page.items.length;
  return page.nextCursor === null
    ? goOn({ phase: 'compare', cursor: null, read: count, open: [], pairs: [] }, 0.5)
    : goOn({ phase: 'read', cursor: page.nextCursor, read: count }, 0.25);
}

async function compare(stand: StandOf<'compare'>, { kv }: Host): Promise<JobRunResult> {
  const page = await kv.scan({ prefix, cursor: stand.cursor, limit: notesAtOnce });
  let { open, pairs } = stand;
  for (const note of page.entries.map(({ value }) => value as Note)) {
    if (note.sign.text === open[0]?.sign.text) {
      // One more than the most says enough.
      if (open.length <= mostCopies) open = [...open, note];
    } else {
      pairs = merge(pairs, pairsAmong(open));
      open = [note];
    }
  }
  if (page.cursor !== null)
    return goOn(
      { ...stand, cursor: page.cursor, open, pairs: pairs.slice(0, mostPairs + 1) },
      0.75,
    );
  pairs = merge(pairs, pairsAmong(open));
  await writeFound(kv, {
    at: Date.now(),
    read: stand.read,
    isCut: pairs.length > mostPairs,
    pairs: pairs.slice(0, mostPairs),
  });
  return goOn({ phase: 'clean', isLast: true, pairs: pairs.length }, 0.95);
}

function pairsAmong(notes: readonly Note[]): readonly Pair[] {
  const [first] = notes;
  return first === undefined
    ? []
    : pairsOf(
        notes.map(({ copy }) => copy),
        first.sign.reason,
      );
}
