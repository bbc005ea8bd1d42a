import { KernelError } from '../../../kernel/index.ts';
import type { Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';

/** How many clients may be connected at a time. */
export interface FeedLimits {
  readonly clients: number;
  readonly clientsPerUser: number;
}

/** The connections of the clients. */
export type ConnectionLimits = ReturnType<typeof createConnectionLimits>;

/** Creates the limits without connections. */
export function createConnectionLimits({ clients, clientsPerUser }: FeedLimits) {
  const ofUser = new Map<string, number>();
  let taken = 0;
  return {
    /** Reserves one for the user until the undo; throws when there is none left. */
    take: (userId: string): Undo => {
      const own = ofUser.get(userId) ?? 0;
      if (own >= clientsPerUser) {
        throw new AppError('too_many_requests', {
          what: `This user has ${own} event streams already; close one first.`,
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
    taken: (): number => taken,
  };
}

const allTaken = 'Too many clients follow the events. Try again in a moment.';

function once(undo: Undo): Undo {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    undo();
  };
}
