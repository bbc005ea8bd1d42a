const latin = /\p{Script=Latin}/u;
const between = /\s*[⁄/|／]\s*/;

/**
 * `Черное зеркало / Black Mirror`: of titles in two scripts the Latin one, which metadata providers
 * know, with the others as alternatives.
 */
export function withoutOtherScript(title: string): {
  readonly title: string;
  readonly others: readonly string[];
} {
  if (!/[⁄/|／]/.test(title)) return { title, others: [] };
  const parts = title.split(between).map((part) => part.trim());
  const known = parts.filter((part) => latin.test(part));
  if (known.length === 0 || known.length === parts.length) return { title, others: [] };
  return { title: known.join(' / '), others: parts.filter((part) => !latin.test(part)) };
}
