/** How long a request counts as under way: until it is answered, its client is gone, or its answer is held back. */
import type { ServerResponse } from 'node:http';

const heldBack = Symbol('held back');

/** Runs once, when the request is under way no longer. */
export function whenOver(reply: ServerResponse, run: () => void): void {
  const end = (): void => {
    reply.off('close', end).off(heldBack, end);
    run();
  };
  reply.once('close', end).once(heldBack, end);
}

/** From now on nothing works for this request: its answer waits. */
export const markHeldBack = (reply: ServerResponse): void => void reply.emit(heldBack);
