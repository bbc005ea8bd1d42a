/** What serving a capability means, in plain sentences for the admin who decides on it. */
import type { PowerWords } from './words/index.ts';

/** One sentence for each capability among the keys, in the order of the keys. */
export function servesSentence(keys: readonly string[], words: PowerWords): string {
  const parts = Map.groupBy(keys, (key) => key.split(':', 1)[0] ?? key);
  return [...parts]
    .map(([capability, all]) => sentenceOf(capability, all.map(partOf), words))
    .join(' ');
}

const partOf = (key: string): string => key.slice(key.indexOf(':') + 1);

const mostNamed = 8;

/** A probe may name a hundred extensions, so only the first are named. */
function someOf(parts: readonly string[], words: PowerWords): string {
  if (parts.length <= mostNamed) return words.join(parts);
  return words.andMore(parts.slice(0, mostNamed), parts.length - mostNamed);
}

function sentenceOf(capability: string, parts: readonly string[], words: PowerWords): string {
  const named =
    capability === 'filesystem'
      ? words.join(parts.map((scheme) => `${scheme}://`))
      : someOf(parts, words);
  const sentence = Object.hasOwn(words.serves, capability) ? words.serves[capability] : undefined;
  return sentence?.(named) ?? words.servesOther(capability);
}
