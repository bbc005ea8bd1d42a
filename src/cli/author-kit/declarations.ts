/** Declarations that are committed as one text, because a build has no TypeScript compiler. */

/**
 * The files of a text in which a line `// host/kv.d.ts` precedes each file. Imports end in `.js`, which
 * every resolver supports.
 */
export function declarationsIn(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^\/\/ ([a-z-]+(?:\/[a-z-]+)*\.d\.ts)\n/m).slice(1);
  return new Map(
    parts.flatMap((part, at) =>
      at % 2 === 0
        ? [[part, (parts[at + 1] ?? '').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'")]]
        : [],
    ),
  );
}
