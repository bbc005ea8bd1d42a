import { AppError } from '../../platform/errors.ts';

const longest = 100;

/** A name in its stored form, or a refusal. */
export function parseUserName(text: string): string {
  const name = text.normalize('NFC').trim();
  const length = Array.from(name).length;
  if (length >= 1 && length <= longest && !/\p{C}/u.test(name)) return name;
  throw new AppError('invalid_request', {
    what: `name must be 1 to ${longest} visible characters.`,
  });
}

/**
 * Two names with one key are the same name: `ÅSA` and `åsa`, `ﬁn` and `fin`, `Straße` and
 * `STRASSE`.
 */
export const keyOfName = (name: string): string =>
  name.trim().normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
