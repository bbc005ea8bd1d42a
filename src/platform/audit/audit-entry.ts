/** A JSON value. */
export type AuditDetail =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly AuditDetail[]
  | { readonly [key: string]: AuditDetail };

/** The user and the credential of an act. */
export interface AuditUser {
  readonly userId: string;
  readonly credentialId: string;
  readonly credentialKind: string;
}

/** A user with the role of the credential. Every `Viewer` is one. */
export interface AuditPerson extends AuditUser {
  /** Each act of an admin has an entry; what others repeat is counted. */
  readonly role: 'admin' | 'user' | 'guest';
}

/** The actor: a user with a credential, the server itself, or a caller without a credential. */
export type AuditActor = AuditPerson | 'server' | 'nobody';

/** The object of an act. */
export interface AuditTarget {
  readonly type: string;
  readonly id: string;
}

/** One act. */
export interface AuditEntry {
  readonly actor: AuditActor;
  /** The kind of act: `user.created`. */
  readonly action: string;
  readonly target: AuditTarget | null;
  /** Further details. Never a secret: no password, token, PIN, key or their hashes. */
  readonly details?: Readonly<Record<string, AuditDetail>>;
  /** Repeats are counted apart for each of these. There must not be many of them. */
  readonly countedAs?: string;
  /** Absent = the address of the current request. */
  readonly address?: string | null;
}

/** One act, as reported by the caller. */
export interface AuditReport extends AuditEntry {
  /**
   * What the act was to change, before and after it. When both are equal nothing happened, and
   * nothing is recorded. It is only compared, never stored. `event` = the act itself is what
   * happened: a sign-in, or something that was made, removed or started.
   */
  readonly change: { readonly before: unknown; readonly after: unknown } | 'event';
}

/** An act as stored in the log. */
export interface AuditRecord {
  readonly seq: number;
  readonly at: string;
  readonly actor: AuditUser;
  readonly action: string;
  readonly target: AuditTarget | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly hash: string;
}

/**
 * The last link of the chain. A copy kept elsewhere can later prove that no earlier entry was
 * changed.
 */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}
