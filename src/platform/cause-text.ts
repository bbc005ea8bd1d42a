/**
 * Causes of failures that were stored or passed on in English, in each language of the server. Each
 * sentence is translated by itself; one that is not known here, such as what a plugin wrote, stays as
 * it is.
 */
import { inEach, textIn, type Text } from './text.ts';
import { english, languages, type Language, type WordKey } from './words/index.ts';

const isStored = (key: string): boolean => /^(?:stored|restored|health)\./.test(key);

/** The keys of what is found by its English text. */
export const storedKeys = (Object.keys(english) as readonly WordKey[]).filter(isStored);

const known = storedKeys.map((key) => {
  const pieces = english[key]
    .split(/\{\w+\}/)
    .map((piece) => piece.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const names = [...english[key].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return { pattern: new RegExp(`^${pieces.join('(.*?)')}$`, 's'), names, key };
});

/** A cause that is known in English, in each language. */
export const causeText = (cause: string): Text => {
  const sentences = cause.split(/(?<=[.!?]) (?=[A-Z])/);
  return inEach((language) =>
    language === 'english' ? cause : sentences.map((one) => sentenceIn(one, language)).join(' '),
  );
};

/** A cause in the language of a reader; `null` stays `null`. */
export const causeIn = <Cause extends string | null>(
  cause: Cause,
  locale: string | null | undefined,
): Cause | string => (cause === null ? cause : textIn(causeText(cause), locale));

function sentenceIn(sentence: string, language: Language): string {
  for (const { pattern, names, key } of known) {
    const found = pattern.exec(sentence);
    if (found === null) continue;
    const values = new Map(names.map((name, at) => [name, found[at + 1] ?? '']));
    return languages[language].words[key].replaceAll(
      /\{(\w+)\}/g,
      (whole, name: string) => values.get(name) ?? whole,
    );
  }
  return sentence;
}
