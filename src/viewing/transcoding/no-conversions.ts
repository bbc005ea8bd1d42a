import { AppError } from '../../platform/errors.ts';
import type { Conversions } from './conversions.ts';

/** Conversion on a server that cannot convert, and why. */
export function createNoConversions(why: string): Conversions {
  const refuse = async (): Promise<never> => {
    throw new AppError('transcoder_missing', { why });
  };
  return {
    missing: () => why,
    maxHeight: () => null,
    learn: () => Promise.resolve(),
    init: refuse,
    segment: refuse,
    rateOf: () => null,
    told: () => undefined,
  };
}
