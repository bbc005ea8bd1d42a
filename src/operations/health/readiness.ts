import type { Problem, ReadyState } from '../../contract/resources/operations/operations.ts';

/** Why the server is not ready: the code of a problem, `starting`, `stopping` or `overloaded`. */
export interface UnreadyReason {
  readonly code: string;
  readonly message: string;
}

export interface ReadyParts {
  readonly roles: ReadyState['roles'];
  readonly refresh: () => undefined | Promise<undefined>;
  readonly problems: () => readonly Problem[];
  readonly readiness: () => 'starting' | 'ready' | 'draining' | 'stopping';
}

const words = {
  starting: 'The server is starting.',
  stopping: 'The server is stopping.',
} as const;

/** Creates the check whether requests may be sent to this server. */
export function createReadyCheck(parts: ReadyParts): () => Promise<ReadyState> {
  const { refresh, problems, readiness, roles } = parts;
  return async () => {
    await refresh();
    const now = readiness();
    const reasons = problems()
      .filter(({ severity, code }) => severity === 'critical' || code === 'overloaded')
      .map(({ code, message }) => ({ code, message }));
    const word = now === 'draining' ? 'stopping' : now;
    const all = word === 'ready' ? reasons : [{ code: word, message: words[word] }, ...reasons];
    return { ready: all.length === 0, roles, reasons: all };
  };
}
