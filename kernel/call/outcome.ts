/** How one dispatch to one plugin ended. A dispatch never rejects; it always ends in one of these. */
export type Outcome =
  | { readonly kind: 'returned'; readonly value: unknown; readonly durationMs: number }
  | {
      readonly kind: 'threw';
      readonly code: string;
      readonly message: string;
      readonly durationMs: number;
    }
  | { readonly kind: 'timed-out'; readonly durationMs: number }
  | { readonly kind: 'unknown-handler'; readonly durationMs: number };
