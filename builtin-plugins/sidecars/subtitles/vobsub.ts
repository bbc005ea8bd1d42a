import { toLanguageTag } from '../../../plugin-api/index.ts';

/** The part of an index that contains its first language. */
export const vobsubHeadBytes = 16_384;

/** The language of the first stream in the index of a VobSub; null when it does not say. */
export function vobsubLanguage(head: string): string | null {
  const code = /^id: ?([a-z]{2,3}),/m.exec(head)?.[1];
  return code === undefined ? null : toLanguageTag(code);
}
