/** An error whose code a server understands: `not_found`, `unreadable`, `invalid_argument`. */
export const fault = (
  code: 'not_found' | 'unreadable' | 'invalid_argument',
  message: string,
): Error => Object.assign(new Error(message), { code });
