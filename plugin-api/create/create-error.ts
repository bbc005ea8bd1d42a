/** The input is invalid; the message says what would be right. */
export class CreateError extends Error {
  override readonly name = 'CreateError';
}
