/** Somebody asked for what cannot be made; the message says what would be right. */
export class CreateError extends Error {
  override readonly name = 'CreateError';
}
