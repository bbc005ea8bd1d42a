/** A value that JSON can say. */
export type AuditDetail =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly AuditDetail[]
  | { readonly [key: string]: AuditDetail };

/** Whose credential an act was done with. Every `Viewer` is one. */
export interface AuditUser {
  readonly userId: string;
  readonly credentialId: string;
  readonly credentialKind: string;
}

/** Who did it: somebody with a credential, the server by itself, or somebody without a credential. */
export type AuditActor = AuditUser | 'server' | 'nobody';

/** What an act was done to. */
export interface AuditTarget {
  readonly type: string;
  readonly id: string;
}

/** One act, as whoever did it tells it. */
export interface AuditEntry {
  readonly actor: AuditActor;
  /** What was done: `user.created`. */
  readonly action: string;
  readonly target: AuditTarget | null;
  /** What else is worth knowing. Never a secret: no password, token, PIN, key or their hashes. */
  readonly details?: Readonly<Record<string, AuditDetail>>;
  /** Left out, it is the address of the request that is being answered. */
  readonly address?: string | null;
}

/** An act as it stands in the log. */
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

/** The last link of the chain. Kept elsewhere, it tells later that nothing before it was changed. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}
