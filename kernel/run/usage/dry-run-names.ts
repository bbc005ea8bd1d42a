import { inLanguageOf } from '../../reader-language.ts';
import type { CountedUse } from './power-log.ts';
import { english } from './dry-run-english.ts';
import { german } from './dry-run-german.ts';
import type { DryRunWords } from './dry-run-words.ts';

/** The words in the language of a reader, as a BCP 47 tag; English where there are none. */
export const dryRunWords = (locale: string | null): DryRunWords =>
  inLanguageOf(locale, { english, german });

const nameIn = (names: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(names, key) ? names[key] : undefined;

/** What a call does, for people. */
export const callName = ({ calls, otherCall }: DryRunWords, call: string): string =>
  nameIn(calls, call) ?? otherCall;

/** The power that a call needs, for people. */
export const powerName = (
  { powers, otherPower }: DryRunWords,
  { name, level }: NonNullable<CountedUse['need']>,
): string =>
  nameIn(powers, name === 'library' && level === 'write' ? 'libraryChange' : name) ?? otherPower;

/** What is served with a key such as `filesystem:s3`, for people. */
export function servedName({ served }: DryRunWords, key: string): string {
  const [kind = key, ...rest] = key.split(':');
  return [nameIn(served, kind) ?? kind, ...(rest.length > 0 ? [rest.join(':')] : [])].join(' ');
}
