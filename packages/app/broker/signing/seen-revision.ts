/** The storage of a browser, such as `localStorage`. */
export interface Memory {
  readonly getItem: (key: string) => string | null;
  readonly setItem: (key: string, value: string) => void;
}

const keyOf = (userId: string): string => `vault-rev:${userId}`;

/**
 * Whether a vault is older than one that this browser saw before: then the broker returned an old
 * one, which may contain a removed passkey.
 */
export const isRolledBack = (memory: Memory, userId: string, rev: number): boolean =>
  rev < Number(memory.getItem(keyOf(userId)) ?? 0);

/** Stores the newest revision that was seen. */
export function rememberRevision(memory: Memory, userId: string, rev: number): void {
  if (!isRolledBack(memory, userId, rev)) memory.setItem(keyOf(userId), String(rev));
}
