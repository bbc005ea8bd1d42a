/** Languages as files spell them, as BCP 47 tags. */

const known = new Map<string, string | undefined>();
const unspoken = new Set(['und', 'unk', 'mis', 'mul', 'zxx', 'qaa', '', 'xxx', 'none']);
const keptWords = 500;

/**
 * `ger`, `deu`, `de`, `de-AT` and such to BCP 47; `undefined` for `und` and for what is no language.
 * Words are looked up once: the same few come again with every file.
 */
export function language(spelled: string | undefined): string | undefined {
  const word = (spelled ?? '').trim().toLowerCase().replaceAll('_', '-');
  if (unspoken.has(word) || word.length > 20) return undefined;
  if (known.has(word)) return known.get(word);
  const tag = canonical(word);
  if (known.size < keptWords) known.set(word, tag);
  return tag;
}

function canonical(word: string): string | undefined {
  if (!/^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(word)) return undefined;
  try {
    return Intl.getCanonicalLocales(word)[0];
  } catch {
    return undefined;
  }
}
