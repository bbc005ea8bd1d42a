import type { FoundProblem } from '../../platform/problems/index.ts';
import { say } from '../../platform/text.ts';

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
      message: say('marketplace.marketplaceSourceExpired', { name }),
      detail: say('marketplace.indexExpiredUntilSignedAgain', { expiresAt }),
      action: say('marketplace.contactPublisherRemoveSource', { url }),
    }));
