/**
 * Text from a guest, made safe for our messages and logs: one line, cut to length, without characters
 * that move a terminal's cursor or reverse the reading order.
 */

const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A guest's text, cut to `length` characters. */
export function guestWords(text: string, length = 500): string {
  return text.slice(0, length).replace(unprintable, ' ');
}

/** A guest's name for something, in quotes, cut to 64 characters. */
export function quoted(text: string): string {
  const cut = text.length > 64 ? `${text.slice(0, 64)}…` : text;
  return JSON.stringify(cut.replace(unprintable, ' '));
}

/** A path into a value as people write it, `assets[3].uri`; the whole value is `value`. */
export function pathText(path: readonly string[]): string {
  return path.reduce((before, key) => before + stepText(key, before === ''), '') || 'value';
}

function stepText(key: string, isFirst: boolean): string {
  if (/^\d+$/.test(key)) return `[${key}]`;
  if (/^[\w-]{1,64}$/.test(key)) return isFirst ? key : `.${key}`;
  return `[${quoted(key)}]`;
}
