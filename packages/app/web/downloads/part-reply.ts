/**
 * Whether a reply is the part that was asked for. A proxy, a portal of a hotel or a broken server may
 * answer anything; what is not exactly the part is not kept.
 */
import { saidBytes, type Bytes } from './byte-range.ts';
import type { Fault, KeptFile } from './kept.ts';

/** What of a reply is looked at. */
export interface ReplyHead {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
}

/** Statuses after which the same request is made again later. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The type without its parameters. */
export const mediaType = (header: string | null): string =>
  (header?.split(';')[0] ?? '').trim().toLowerCase();

/** Whether a file of this type may be kept: nothing that a browser would run as a page. */
export const isMedia = (type: string): boolean => /^(audio|video)\/[\w.+-]+$/.test(type);

/** Whether a file of this type may be kept as a book. The service worker gives none of them to a page. */
export const isBookType = (type: string): boolean =>
  /^application\/(epub\+zip|pdf|x-cb[rz]|vnd\.comicbook[\w.+-]*)$/.test(type);

/** `null` = it is the part; `later` = it has to be asked for again; `signedOut` = the session ended. */
export function faultOf(
  { status, headers }: ReplyHead,
  { size, type, etag }: Pick<KeptFile, 'size' | 'type' | 'etag'>,
  { first, last }: Bytes,
): Fault | 'later' | 'signedOut' | null {
  if (status === 401) return 'signedOut';
  if (status === 403 || status === 404 || status === 410) return 'gone';
  if (status === 412 || status === 416) return 'changed';
  if (passing.has(status)) return 'later';
  if (status !== 200 && status !== 206) return 'reply';
  if (mediaType(headers.get('content-type')) !== type) return 'reply';
  if (headers.get('etag') !== etag) return 'changed';
  // The file as a whole: something on the way takes no ranges.
  if (status === 200) return 'reply';
  const said = saidBytes(headers.get('content-range'));
  if (said === undefined || said.first !== first || said.last !== last) return 'reply';
  return said.size === size ? null : 'changed';
}
