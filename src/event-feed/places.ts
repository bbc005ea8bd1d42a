import { KernelError } from '../../kernel/index.ts';
import type { Undo } from '../clock.ts';
import { AppError } from '../errors.ts';

/** How many clients may follow the events at a time. */
export interface FeedLimits {
  readonly clients: number;
  readonly clientsPerUser: number;
}

/** The places of the clients. */
export interface Places {
  /** Takes one for the user until the undo; throws when there is none left. */
  readonly take: (userId: string) => Undo;
  readonly taken: () => number;
}

/** Creates places that are all free. */
export function createPlaces({ clients, clientsPerUser }: FeedLimits): Places {
  const ofUser = new Map<string, number>();
  let taken = 0;
  return {
    take: (userId) => {
      const own = ofUser.get(userId) ?? 0;
      if (own >= clientsPerUser) {
        throw new AppError('too_many_requests', {
          what: `This user follows the events ${own} times already; close a stream first.`,
        });
      }
      if (taken >= clients) throw new KernelError('overloaded', allTaken);
      taken += 1;
      ofUser.set(userId, own + 1);
      return once(() => {
        taken -= 1;
        const left = (ofUser.get(userId) ?? 1) - 1;
        if (left > 0) ofUser.set(userId, left);
        else ofUser.delete(userId);
      });
    },
    taken: () => taken,
  };
}

const allTaken = 'Too many clients follow the events already. Try again in a moment.';

function once(undo: Undo): Undo {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    undo();
  };
}
