/** The words around a revocation. What its publisher wrote stays as it is. */
import { say, textIn } from '../../platform/text.ts';

/** Texts of one language. */
export interface RevocationWords {
  readonly noReason: string;
  readonly ofKey: (source: string, reason: string) => string;
  readonly ofVersion: (source: string, version: string, reason: string) => string;
}

/** The words in the language of a reader, as a BCP 47 tag; English where there are none. */
export const revocationWords = (locale: string | null): RevocationWords => ({
  noReason: textIn(noReason, locale),
  ofKey: (source, reason) => textIn(say('marketplace.keyRevoked', { source, reason }), locale),
  ofVersion: (source, version, reason) =>
    textIn(say('marketplace.versionRevoked', { source, version, reason }), locale),
});

const noReason = say('marketplace.noReason');

/** A reason as it is stored, in the language of a reader: only the missing one has words of ours. */
export const reasonText = (stored: string, locale: string | null): string =>
  stored === noReason.english ? textIn(noReason, locale) : stored;
