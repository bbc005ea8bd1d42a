/**
 * The one table of changes that a plugin could notice. A plugin is written for the server as it is on a
 * day, and says so in its manifest; what changes later happens to it only when its author has moved the
 * date on. So an entry is never removed, and its date never changed: plugins are built on it.
 *
 * Who changes what a plugin sees adds an entry, asks {@link isChangedFor} where the two behaviours part,
 * and keeps the old one. What is only added needs none.
 */

/** One change. */
export interface CompatibilityChange {
  /** What code asks for it by. */
  readonly name: string;
  /** `2026-11-21`: plugins whose date is this day or later have it. */
  readonly date: string;
  /** What is otherwise from this date on, in one sentence. */
  readonly summary: string;
  /** What an author looks at or does, in one sentence. */
  readonly advice: string;
  /** What can be done to a manifest by itself; it gives the manifest that does the same as before. */
  readonly migrate?: (manifest: JsonObject) => JsonObject;
}

/** A manifest on its way from one date to another. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** All of them, the oldest first. */
export const compatibilityChanges: readonly CompatibilityChange[] = [
  {
    name: 'compatibility-date',
    date: '2026-11-21',
    summary:
      'A manifest names the day whose behaviour of the server its plugin is written for (compatibilityDate).',
    advice: 'Nothing: a plugin without the date behaves as one with this date.',
    migrate: (manifest) => ({ ...manifest, compatibilityDate: '2026-11-21' }),
  },
];
