/** No id has spaces in it, nor what a database could not take, as NUL. */
const id = /^[\w.:-]{1,100}$/;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Each is looked up, while others wait. */
export const mostIds = 4000;

/**
 * What of these texts may be an id: each that is spelled as one may be, and what has the form of one inside
 * of another text, as in `/api/assets/<id>`. A few more than `mostIds` where there are more.
 */
export function idsIn(texts: readonly string[]): readonly string[] {
  const ids = new Set<string>();
  for (const text of texts) {
    if (id.test(text)) ids.add(text);
    for (const [inner] of text.matchAll(uuid)) {
      ids.add(inner.toLowerCase());
      if (ids.size > mostIds) return [...ids];
    }
  }
  return [...ids];
}
