/** Words and phrases that a generated library holds, from rare to very frequent. */
const words = [
  'silent harbor',
  'the golden river',
  'kyoto',
  'detective',
  'chasing',
  'winter',
  'emp',
  'clara and the',
  'lighthouse',
  'crimson mach',
  '2012',
  'amélie',
  'zwischen',
  'orchard & station',
  'montreal',
  'phantom ca',
  'garden of lisbon',
  'stealing the',
  'vanishing comet',
  'a',
] as const;

/** So many search texts, always the same. */
export const searchTerms = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => words[at % words.length] ?? '');
