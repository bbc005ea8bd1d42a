/**
 * A film that is moved to another library is another item there. What profiles said of the first one, and
 * its places in playlists and collections, go to the second one. This is done at the end of each scan,
 * which finds files gone or back, and of each ingest, which learns the content of new files.
 */
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import type { Log } from '../../../kernel/index.ts';
import type { EventBus } from '../../../kernel/call/events/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import { findMovedItems, readGone } from '../../library/catalogue/items/index.ts';
import type { Undo } from '../../platform/clock.ts';
import { moveMembers, readMembersAmong } from '../collections/index.ts';
import { moveStates, readItemsWithStates } from '../playback/index.ts';

/** Follows moves. */
export type MovedItems = ReturnType<typeof createMovedItems>;

export interface MovedItemsParts {
  readonly database: Pick<Database, 'read' | 'write'>;
  readonly now: () => number;
  readonly log: Log;
}

/** How long ago an item may have gone missing: thirty days. */
const longestMs = 30 * 86_400_000;

export function createMovedItems({ database, now, log }: MovedItemsParts) {
  const looks = createSerialQueue();
  const undo: Undo[] = [];
  let isQueued = false;

  async function look(): Promise<number> {
    const { read, write } = database;
    const gone = await readGone(read, now() - longestMs);
    if (gone.length === 0) return 0;
    const ids = [...new Set(gone.map((file) => file.item_id))];
    const [withStates, members] = await Promise.all([
      readItemsWithStates(read, ids),
      readMembersAmong(read, ids),
    ]);
    const giving = new Set([...withStates, ...members]);
    const moves = await findMovedItems(
      read,
      gone.filter((file) => giving.has(file.item_id)),
    );
    for (const move of moves)
      await write(async (trx) => {
        await moveStates(trx, move);
        await moveMembers(trx, move);
      });
    return moves.length;
  }

  /** At most one look waits: it will see the same. */
  function lookSoon(): void {
    if (isQueued) return;
    isQueued = true;
    const run = async (): Promise<number> => {
      isQueued = false;
      return look();
    };
    looks.run(run).catch((err: unknown) => {
      log.warn({ err }, 'The states of items that moved to another library could not be kept.');
    });
  }

  return {
    start: (events: Pick<EventBus, 'listen'>): void => {
      undo.push(
        events.listen('library.scan.completed', lookSoon),
        events.listen('job.completed', ({ data }) => {
          if (Object.getOwnPropertyDescriptor(data, 'type')?.value === 'probe') lookSoon();
        }),
      );
    },
    /** Looks once. Gives how many items had something to give. */
    look: (): Promise<number> => looks.run(look),
    /** Resolves when no look is under way. */
    stop: async (): Promise<void> => {
      for (const one of undo.splice(0)) one();
      await looks.run(async () => undefined);
    },
  };
}
