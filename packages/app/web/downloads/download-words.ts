/** Why something is not kept, in words. */
import { t } from '../core/messages.ts';
import { errorText, sizeOf } from '../ui/words.ts';
import { NotKept } from './collect.ts';
import { NoSpace } from './downloads.ts';
import type { Kept } from './kept.ts';

/** The words for what {@link keepItem} rejects with. */
export function refusalText(error: unknown): string {
  if (error instanceof NotKept) return t(`downloads.not.${error.reason}`);
  if (error instanceof NoSpace)
    return t('downloads.noSpace', { needed: sizeOf(error.needed), free: sizeOf(error.free) });
  return errorText(error);
}

/** The words for a download that failed; `undefined` = it did not. */
export function faultText({ fault }: Pick<Kept, 'fault'>): string | undefined {
  if (fault === null) return undefined;
  if (fault === 'conversion' || fault === 'nothing') return t(`downloads.not.${fault}`);
  return t(`downloads.fault.${fault}`);
}
