/** A provider that does not answer any more, and will not by itself. */
export interface LostProvider {
  readonly pluginId: string;
  readonly keys: readonly string[];
  readonly why: 'disabled' | 'failed' | 'removed' | 'revoked' | 'not granted';
}

/** Hears of a lost provider; `instead` answers now, `null` = nobody does. */
export type OnLostProvider = (lost: LostProvider & { readonly instead: string | null }) => void;
