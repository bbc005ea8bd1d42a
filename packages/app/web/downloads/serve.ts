/**
 * The answers of the service worker with what is kept: to pages of this server alone, of what the
 * profile that is in keeps. It is never a page: the type is that of a sound, a video, a picture or a
 * subtitle, and a page that opens it gets a policy that allows nothing.
 */
import { askedBytes } from './byte-range.ts';
import type { Opened } from './kept-store.ts';
import { bytesHere, keyOf, textKey, type Kept, type KeptFile } from './kept.ts';
import { isMedia } from './part-reply.ts';

/** The device, as far as it answers. */
export interface Device {
  readonly opened: () => Promise<Opened | undefined>;
  readonly kept: (key: string) => Promise<Kept | undefined>;
  readonly parts: (key: string, fileId: string) => Promise<readonly Blob[]>;
}

export interface Asked {
  readonly path: string;
  /** The header Range. */
  readonly range: string | null;
}

const always = {
  'accept-ranges': 'bytes',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};
const missing = (): Response => new Response(null, { status: 404, headers: always });

const whole = (body: Blob | string, type: string): Response =>
  new Response(body, { headers: { ...always, 'content-type': type } });

/** The bytes that were asked for: all, a range, or 416 where it begins after the end. */
export function answerWith(bytes: Blob, type: string, range: string | null): Response {
  const { size } = bytes;
  const asked = askedBytes(range, size);
  if (asked === 'none')
    return new Response(null, {
      status: 416,
      headers: { ...always, 'content-range': `bytes */${size}` },
    });
  const headers = { ...always, 'content-type': type };
  if (asked === 'all')
    return new Response(bytes, { headers: { ...headers, 'content-length': String(size) } });
  const { first, last } = asked;
  return new Response(bytes.slice(first, last + 1, type), {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(last - first + 1),
      'content-range': `bytes ${first}-${last}/${size}`,
    },
  });
}

/** Creates the answers over a device. Of the file that was asked for last, the parts are known. */
export function createAnswers(device: Device): (asked: Asked) => Promise<Response> {
  let last: { readonly of: string; readonly bytes: Blob } | undefined;

  async function bytesOf(key: string, file: KeptFile): Promise<Blob> {
    const of = `${key}/${file.fileId}/${file.etag}/${file.size}`;
    if (last?.of !== of)
      last = { of, bytes: new Blob([...(await device.parts(key, file.fileId))]) };
    return last.bytes;
  }

  return async ({ path, range }) => {
    const [, , kind, itemId = '', fileId = '', trackId = ''] = path
      .split('/')
      .map((part) => decodeURIComponent(part));
    const opened = await device.opened();
    if (opened === undefined) return missing();
    const kept = await device.kept(keyOf(opened.profileId, itemId));
    if (kept?.userId !== opened.userId) return missing();
    if (kind === 'picture') {
      const { picture } = kept;
      const isPicture = /^image\/(webp|jpeg|png)$/.test(picture?.type ?? '');
      return picture !== null && isPicture ? whole(picture, picture.type) : missing();
    }
    if (kind === 'text') {
      const text = kept.texts[textKey(fileId, trackId)];
      return text === undefined ? missing() : whole(text, 'text/vtt; charset=utf-8');
    }
    const file = kept.files.find((one) => one.fileId === fileId);
    if (kind !== 'file' || file === undefined || !isMedia(file.type)) return missing();
    if (bytesHere({ files: [file] }) !== file.size) return missing();
    const bytes = await bytesOf(kept.key, file);
    // The browser lost some of it.
    return bytes.size === file.size ? answerWith(bytes, file.type, range) : missing();
  };
}
