import { toLanguageTag } from '../../../plugin-api/index.ts';

/** The part of a SAMI that has its styles, each of which is a language. */
export const samiHeadBytes = 20_000;

/** The languages of a SAMI, in the order of its styles. */
export function samiLanguages(head: string): readonly string[] {
  const styles = head.matchAll(/\.[\w-]{1,60}\s*\{([^{}]{0,1000})\}/g);
  const found = [...styles].flatMap(([, rules = '']) => {
    const spoken = /\blang\s*:\s*([a-z]{2,3}(?:-[a-z]{2,4})?)\b/i.exec(rules)?.[1];
    return (spoken === undefined ? null : toLanguageTag(spoken)) ?? [];
  });
  return [...new Set(found)];
}
