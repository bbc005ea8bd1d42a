/**
 * Blobs in a bucket that speaks S3. Each request is signed by `aws4fetch` and ends within a limit. After a
 * failure the store says so at once for a while, so that a bucket which is away or slow delays nobody twice.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import type { Clock } from '../clock.ts';
import {
  assertKey,
  assertPrefix,
  BlobStoreFailed,
  isKey,
  type BlobRange,
  type BlobStore,
  type ListedBlob,
} from './blob-store.ts';

/** Who may use the bucket. */
export interface BlobKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3BlobsParts {
  readonly bucket: string;
  /** Before each key, without a slash at its end; may be empty. */
  readonly prefix: string;
  /** The address of the service; that of AWS for the region when `null`. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly keys: BlobKeys;
  readonly clock: Clock;
  /** Milliseconds until an answer must have begun, and a body must have been sent. */
  readonly timeoutMs?: number;
}

const usualTimeoutMs = 15_000;
/** The store is not asked again for so long after it failed. */
const restMs = 5000;
const mostListed = 1000;
const mostListBytes = 4 * 1024 ** 2;

interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Empty for the bucket itself. */
  readonly key?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export function createS3Blobs(parts: S3BlobsParts): BlobStore {
  const { bucket, prefix, region, keys, clock, timeoutMs = usualTimeoutMs } = parts;
  const client = new AwsClient({ ...keys, region, service: 's3', retries: 0 });
  const endpoint = (parts.endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '');
  const before = prefix === '' ? '' : `${prefix}/`;
  let restsUntil = 0;
  let lastFailure: BlobStoreFailed | null = null;

  function failed(failure: BlobStoreFailed): BlobStoreFailed {
    lastFailure = failure;
    restsUntil = clock.now() + restMs;
    return failure;
  }

  /** 404 is an answer; everything else that is not a success is a failure. */
  async function ask({ method, key, query = '', headers = {}, body }: Asked): Promise<Response> {
    if (lastFailure !== null && clock.now() < restsUntil) throw lastFailure;
    const name = key === undefined ? '' : `/${encodeURI(`${before}${key}`)}`;
    const late = new AbortController();
    const cancel = clock.after(timeoutMs, () => late.abort());
    try {
      const request = await client.sign(`${endpoint}/${bucket}${name}${query}`, {
        method,
        // A line that somebody else writes on changes no byte.
        headers: { ...headers, 'x-amz-content-sha256': digestOf(body ?? new Uint8Array()) },
        ...(body !== undefined && { body: Buffer.from(body) }),
      });
      const reply = await fetch(request, { redirect: 'manual', signal: late.signal });
      if (reply.ok || reply.status === 416 || (reply.status === 404 && method !== 'PUT'))
        return await answered(reply);
      throw new BlobStoreFailed(reasonOf(reply.status), await saidIn(reply));
    } catch (error) {
      if (error instanceof BlobStoreFailed) throw failed(error);
      throw failed(new BlobStoreFailed('away', 'The bucket of the blobs does not answer.', error));
    } finally {
      cancel();
    }
  }

  /** A bucket that is not there is not a blob that is not there. */
  async function answered(reply: Response): Promise<Response> {
    if (reply.status === 404) {
      const said = await textOf(reply);
      if (said.includes('NoSuchBucket'))
        throw new BlobStoreFailed('refused', 'The bucket of the blobs does not exist.');
    }
    lastFailure = null;
    return reply;
  }

  async function page(prefixOf: string, token: string | null): Promise<ListedPage> {
    const query = new URLSearchParams({ 'list-type': '2', 'max-keys': String(mostListed) });
    query.set('prefix', `${before}${prefixOf}`);
    if (token !== null) query.set('continuation-token', token);
    const reply = await ask({ method: 'GET', query: `?${query.toString()}` });
    if (reply.status !== 200)
      throw failed(new BlobStoreFailed('away', 'The bucket lists nothing.'));
    return readPage(await textOf(reply), before);
  }

  async function sizeOf(key: string): Promise<number | null> {
    assertKey(key);
    const reply = await ask({ method: 'HEAD', key });
    return reply.status === 200 ? Number(reply.headers.get('content-length') ?? '0') : null;
  }

  return {
    has: async (key) => (await sizeOf(key)) !== null,
    size: sizeOf,
    read: async (key, range) => {
      assertKey(key);
      const reply = await ask({ method: 'GET', key, headers: rangeHeader(range) });
      if (reply.status === 404) return null;
      if (reply.status === 416) return { size: 0, body: Readable.from([]) };
      const size = Number(reply.headers.get('content-length') ?? '0');
      const body =
        reply.body === null
          ? Readable.from([])
          : Readable.fromWeb(reply.body, { signal: AbortSignal.timeout(60_000) });
      return { size, body };
    },
    write: async (key, bytes) => {
      assertKey(key);
      await (await ask({ method: 'PUT', key, body: bytes })).body?.cancel();
    },
    remove: async (key) => {
      assertKey(key);
      await (await ask({ method: 'DELETE', key })).body?.cancel();
    },
    list: async function* (wanted) {
      assertPrefix(wanted);
      let token: string | null = null;
      do {
        const { blobs, next }: ListedPage = await page(wanted, token);
        yield* blobs;
        token = next;
      } while (token !== null);
    },
  };
}

const rangeHeader = (range: BlobRange | undefined): Readonly<Record<string, string>> =>
  range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function reasonOf(status: number): BlobStoreFailed['reason'] {
  if (status === 507) return 'full';
  return status === 401 || status === 403 || status === 404 || status === 301 ? 'refused' : 'away';
}

/** One plain word of what the service says of an error. */
async function saidIn(reply: Response): Promise<string> {
  const [, code] = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(await textOf(reply).catch(() => '')) ?? [];
  const word = code === undefined ? '' : ` (${code})`;
  return `The bucket of the blobs answers ${reply.status}${word}.`;
}

async function textOf(reply: Response): Promise<string> {
  if (Number(reply.headers.get('content-length') ?? '0') > mostListBytes)
    throw new BlobStoreFailed('away', 'The bucket of the blobs answers too much.');
  return reply.text();
}

interface ListedPage {
  readonly blobs: readonly ListedBlob[];
  readonly next: string | null;
}

/** Keys that this store did not write are left out, and never touched. */
function readPage(xml: string, before: string): ListedPage {
  if (!/<ListBucketResult[\s>]/.test(xml))
    throw new BlobStoreFailed('away', 'The bucket of the blobs answers no list.');
  const blobs = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, inner = '']) => {
    const whole = fieldOf(inner, 'Key') ?? '';
    const key = whole.startsWith(before) ? whole.slice(before.length) : '';
    const size = Number(fieldOf(inner, 'Size'));
    const usedAt = Date.parse(fieldOf(inner, 'LastModified') ?? '');
    return isKey(key) && size >= 0 && usedAt > 0 ? [{ key, size, usedAt }] : [];
  });
  const isMore = fieldOf(xml, 'IsTruncated') === 'true';
  const token = fieldOf(xml, 'NextContinuationToken')?.replaceAll('&amp;', '&') ?? null;
  return { blobs, next: isMore ? token : null };
}

const fieldOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
