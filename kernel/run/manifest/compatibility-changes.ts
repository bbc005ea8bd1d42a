/**
 * The table of changes that a plugin could notice. A plugin's manifest names the day for whose server
 * it was written. A later change applies to it only after its author moves that date. So entries are
 * never removed, and their dates never change.
 *
 * To change what a plugin sees: add an entry, ask {@link isChangedFor} where the behaviours differ,
 * and keep the old behaviour. Additions need no entry.
 */

export interface CompatibilityChange {
  /** The name by which code asks for it. */
  readonly name: string;
  /** `2026-11-21`: applies to plugins with this date or a later one. */
  readonly date: string;
  /** What differs from this date on, in one sentence. */
  readonly summary: string;
  /** What an author should check or do, in one sentence. */
  readonly advice: string;
  /** Rewrites a manifest so that the plugin behaves as before. */
  readonly migrate?: (manifest: JsonObject) => JsonObject;
}

/** A manifest that is being moved from one date to another. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** All changes, the oldest first. */
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
