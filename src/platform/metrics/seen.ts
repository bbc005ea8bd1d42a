/** A request that was answered. */
export interface SeenRequest {
  readonly method: string;
  /** The registered route (`/api/items/:id`); `undefined` = no route. */
  readonly route: string | undefined;
  readonly status: number;
  readonly durationMs: number;
}

/** A call of a plugin that ended, with any outcome. */
export interface SeenCall {
  readonly pluginId: string;
  /** `hook.dispatch`, `indexer.index`, … */
  readonly method: string;
  /** The event, the hook or the view. */
  readonly name?: string;
  /** `returned`, `threw`, `timed-out`, `unknown-handler`. */
  readonly outcome: string;
  readonly durationMs: number;
}

/** Something that happened to a conversion. */
export type SeenTranscode =
  | { readonly kind: 'first-segment'; readonly track: string; readonly ms: number }
  | { readonly kind: 'failure' };

/** A transaction of the writer. */
export interface SeenWrite {
  /** The time behind other writes. */
  readonly waitedMs: number;
  readonly durationMs: number;
  readonly hasFailed: boolean;
  /** The code of the failure of the database or its disk, if that refused the write. */
  readonly refusedWith: string | null;
}
