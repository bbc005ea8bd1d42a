import { createHmac } from 'node:crypto';

/** What is signed, and how. */
export interface SignRequest {
  readonly algorithm: 'sha256' | 'sha512';
  readonly prefix: string;
  readonly messages: readonly string[];
}

/** HMAC of the first message with the key, and of each next one with the signature before it. */
export function signChain(
  secret: Uint8Array,
  { algorithm, prefix, messages }: SignRequest,
): Buffer {
  const first = Buffer.concat([Buffer.from(prefix), secret]);
  return messages.reduce<Buffer>(
    (key, message) => createHmac(algorithm, key).update(message).digest(),
    first,
  );
}
