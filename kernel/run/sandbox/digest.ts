import { createHash } from 'node:crypto';
import type { Body } from '../../call/running-plugin.ts';

/** A digest, or why there is none. */
export type DigestAnswer =
  | { readonly kind: 'answer'; readonly call: number; readonly body: Body }
  | {
      readonly kind: 'refusal';
      readonly call: number;
      readonly code: string;
      readonly message: string;
    };

/** Answers a guest's request for a digest. The host process computes it in native code. */
export function digestOf(request: {
  readonly call: number;
  readonly algorithm: string;
  readonly body: Body;
}): DigestAnswer {
  const { call, algorithm, body } = request;
  const name = /^SHA-(1|256|384|512)$/.exec(algorithm)?.[1];
  if (name === undefined) {
    const message = 'The algorithm must be SHA-1, SHA-256, SHA-384 or SHA-512.';
    return { kind: 'refusal', call, code: 'invalid_argument', message };
  }
  return { kind: 'answer', call, body: createHash(`sha${name}`).update(body).digest() };
}
