/** One bucket: pages of its objects, the data of an object, and ranges of it. */
import { toFetchedBytes, type Host } from '@vitrine/plugin-api';
import { fault } from './fault.ts';
import { errorCodeOf, parseListing, type S3Page } from './listing.ts';
import { signRequest } from './signed-request.ts';

/** Which objects to list. */
export interface PageInput {
  /** Prefix of their keys. */
  readonly prefix: string;
  /** Groups keys that continue after the next slash. */
  readonly isShallow?: boolean;
  /** Only keys after this one. */
  readonly startAfter?: string;
  /** Where the page before ended. */
  readonly token?: string;
  /** 1000 by default and at most. */
  readonly maxKeys?: number;
}

/** The operations on a bucket. */
export interface Bucket {
  readonly name: string;
  /** In the order of keys as bytes. */
  readonly page: (input: PageInput) => Promise<S3Page>;
  /** `null` = the object does not exist. */
  readonly head: (
    key: string,
  ) => Promise<{ readonly size: number; readonly modifiedAt: number } | null>;
  /** Fewer bytes at the end of the object. */
  readonly read: (key: string, offset: number, length: number) => Promise<Uint8Array>;
}

/** Creates it over a way to send requests. */
export function createBucket(bucket: string, host: Host): Bucket {
  async function page(input: PageInput): Promise<S3Page> {
    const { prefix, isShallow = false, startAfter, token, maxKeys = 1000 } = input;
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      'max-keys': String(maxKeys),
      prefix,
      ...(isShallow && { delimiter: '/' }),
      ...(startAfter !== undefined && { 'start-after': startAfter }),
      ...(token !== undefined && { 'continuation-token': token }),
    };
    const asked = await signRequest({ method: 'GET', bucket, key: '', query }, host);
    const { status, body } = await host.net.fetch({ ...asked, maxAge: 0 });
    if (status !== 200) throw refusal(status, body);
    return parseListing(body, prefix);
  }

  async function head(key: string) {
    const asked = await signRequest({ method: 'HEAD', bucket, key, query: {} }, host);
    const { status, headers } = await host.net.fetch(asked);
    if (status === 404) return null;
    if (status !== 200) throw refusal(status, '');
    const size = Number(headers['content-length'] ?? Number.NaN);
    const modifiedAt = Date.parse(headers['last-modified'] ?? '');
    if (!Number.isSafeInteger(size) || size < 0 || !Number.isFinite(modifiedAt))
      throw fault('unreadable', 'The storage does not say how large the object is, or how old.');
    return { size, modifiedAt };
  }

  async function read(key: string, offset: number, length: number): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array();
    const signed = await signRequest({ method: 'GET', bucket, key, query: {} }, host);
    const range = `bytes=${offset}-${offset + length - 1}`;
    const asked = { ...signed, headers: { ...signed.headers, range }, bodyAs: 'bytes' } as const;
    const { status, bodyBytes } = toFetchedBytes(await host.net.fetch(asked));
    if (status === 416) return new Uint8Array();
    // An empty object, or a storage without ranges.
    if (status === 200) return bodyBytes.slice(offset, offset + length);
    if (status !== 206) throw refusal(status, new TextDecoder().decode(bodyBytes.slice(0, 4096)));
    return bodyBytes.slice(0, length);
  }

  return { name: bucket, page, head, read };
}

/** What an admin can do about it; of the storage's answer only the code is shown, which is one word. */
function refusal(status: number, body: string): Error {
  const code = errorCodeOf(body);
  const said = code === null ? `${status}` : `${status} ${code}`;
  if (code === 'NoSuchBucket') return fault('not_found', 'The bucket does not exist.');
  if (status === 404) return fault('not_found', 'The object does not exist.');
  if (code === 'SignatureDoesNotMatch' || code === 'InvalidAccessKeyId')
    return fault('unreadable', `The storage rejects the keys (${said}).`);
  if (code === 'InvalidObjectState')
    return fault('unreadable', 'The object is in an archive, and has to be restored first.');
  if (status === 301 || code === 'AuthorizationHeaderMalformed')
    return fault('unreadable', `The bucket is in another region (${said}).`);
  return fault('unreadable', `The storage answered ${said}.`);
}
