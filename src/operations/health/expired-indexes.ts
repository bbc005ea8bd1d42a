import type { FoundProblem } from '../../platform/problems/index.ts';

/** A marketplace source. */
export interface SourceState {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly expiresAt: string;
  readonly isExpired: boolean;
}

/** A problem for each source whose index has expired. */
export const expiredIndexes = (sources: readonly SourceState[]): readonly FoundProblem[] =>
  sources
    .filter(({ isExpired }) => isExpired)
    .map(({ id, name, url, expiresAt }) => ({
      code: 'index_expired',
      subject: { type: 'marketplace-source', id },
      message: {
        english: `The marketplace source ${name} has expired.`,
        german: `Die Quelle ${name} des Marktplatzes ist abgelaufen.`,
      },
      detail: {
        english: `Its index expired at ${expiresAt}; until it is signed again, no plugin can be installed from it, and new revocations are not known.`,
        german: `Ihr Verzeichnis lief am ${expiresAt} ab; bis es neu signiert ist, lässt sich aus ihr kein Plugin installieren, und neue Widerrufe sind nicht bekannt.`,
      },
      action: {
        english: `Contact the publisher of ${url}, or remove the source.`,
        german: `Wenden Sie sich an den Herausgeber von ${url}, oder entfernen Sie die Quelle.`,
      },
    }));
