/** A provider that no longer answers, and will not return by itself. */
export interface LostProvider {
  readonly pluginId: string;
  readonly keys: readonly string[];
  readonly why: 'disabled' | 'failed' | 'removed' | 'revoked' | 'not granted';
}

/** Called for a lost provider; `instead` answers now, `null` = no plugin does. */
export type OnLostProvider = (lost: LostProvider & { readonly instead: string | null }) => void;
