/** The words around a revocation. What its publisher wrote stays as it is. */
import { inLanguageOf } from '../../../kernel/index.ts';

/** Texts of one language. */
export interface RevocationWords {
  readonly noReason: string;
  readonly ofKey: (source: string, reason: string) => string;
  readonly ofVersion: (source: string, version: string, reason: string) => string;
}

const english: RevocationWords = {
  noReason: 'The source gives no reason.',
  ofKey: (source, reason) => `${source} revoked the key of its publisher: ${reason}`,
  ofVersion: (source, version, reason) => `${source} revoked version ${version}: ${reason}`,
};

const german: RevocationWords = {
  noReason: 'Die Quelle nennt keinen Grund.',
  ofKey: (source, reason) => `${source} hat den Schlüssel des Herausgebers widerrufen: ${reason}`,
  ofVersion: (source, version, reason) =>
    `${source} hat die Version ${version} widerrufen: ${reason}`,
};

/** The words in the language of a reader, as a BCP 47 tag; English where there are none. */
export const revocationWords = (locale: string | null): RevocationWords =>
  inLanguageOf(locale, { english, german });

/** A reason as it is stored, in the language of a reader: only the missing one has words of ours. */
export const reasonText = (stored: string, locale: string | null): string =>
  stored === english.noReason ? revocationWords(locale).noReason : stored;
