/** An id has no spaces, and no characters that a database refuses, such as NUL. */
const id = /^[\w.:-]{1,100}$/;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** The limit, since each id is looked up. */
export const mostIds = 4000;

/**
 * The possible ids in these texts: each text that has the form of an id, and each UUID inside of another
 * text, as in `/api/assets/<id>`. The result can exceed `mostIds`; callers then refuse it.
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
