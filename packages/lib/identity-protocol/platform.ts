/** The kinds of device that an app may name when it pairs. People see them when they approve. */
export const platforms = [
  'tvos',
  'ios',
  'android',
  'windows',
  'macos',
  'linux',
  'web',
  'tv',
  'mobile',
  'tablet',
  'desktop',
  'cli',
  'other',
] as const;

export type Platform = (typeof platforms)[number];

/** The platform that an app means, in any case of letters; an unknown word is `other`. */
export function platformOf(word: string): Platform {
  const wanted = word.toLowerCase();
  return platforms.find((platform) => platform === wanted) ?? 'other';
}
