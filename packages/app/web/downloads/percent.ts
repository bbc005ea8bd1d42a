import { locale } from '../core/messages.ts';

/** `34 %` of a share between 0 and 1. */
export const percentOf = (share: number): string =>
  new Intl.NumberFormat(locale.value, { style: 'percent' }).format(Math.floor(share * 100) / 100);
