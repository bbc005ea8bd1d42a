/**
 * A small S3 storage on the loopback: ListObjectsV2, HEAD and GET with ranges, over objects in memory. It
 * believes nobody: each request is checked by AWS Signature 4, as its documentation tells it.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpSource, type HttpSource } from './http-source.ts';

export interface StoredObject {
  readonly bytes: Uint8Array;
  /** Unix milliseconds, whole seconds. */
  readonly modifiedAt: number;
  readonly storageClass?: string;
}

/** Who may ask. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** The storage. */
export interface S3Server extends HttpSource {
  /** Objects by key, by bucket; a test changes them as it likes. */
  readonly buckets: Map<string, Map<string, StoredObject>>;
  readonly put: (
    bucket: string,
    key: string,
    bytes: Uint8Array | string,
    more?: Partial<StoredObject>,
  ) => void;
  /** Sends this instead of each listing, until it is taken back with `null`. */
  readonly sayInstead: (xml: string | null) => void;
  /** How many requests were refused for their signature. */
  readonly refused: () => number;
}

/** Keys to a page at most, which makes listings long. */
const usualPage = 1000;
const madeAt = Date.UTC(2026, 0, 2, 3, 4, 5);

export async function startS3Server(
  keys: S3Keys,
  { pageSize = usualPage, now = Date.now }: { pageSize?: number; now?: () => number } = {},
): Promise<S3Server> {
  const buckets = new Map<string, Map<string, StoredObject>>();
  let instead: string | null = null;
  let refused = 0;

  const http = await startHttpSource((request, response) => {
    const url = new URL(request.url ?? '', 'http://storage');
    const fault = signatureFault(request, keys, now());
    if (fault !== null) {
      refused += 1;
      return sendError(response, 403, fault);
    }
    const [bucketName = '', ...names] = rawPath(request)
      .slice(1)
      .split('/')
      .map(decodeURIComponent);
    const bucket = buckets.get(bucketName);
    if (!bucket) return sendError(response, 404, 'NoSuchBucket');
    if (names.join('/') === '') {
      const xml = instead ?? listing(bucketName, bucket, { query: url.searchParams, pageSize });
      return response.writeHead(200, { 'content-type': 'application/xml' }).end(xml);
    }
    const object = bucket.get(names.join('/'));
    if (!object) return sendError(response, 404, 'NoSuchKey');
    if (object.storageClass === 'GLACIER' && request.method === 'GET')
      return sendError(response, 403, 'InvalidObjectState');
    return sendObject(request, response, object);
  });

  return {
    ...http,
    buckets,
    put: (bucket, key, bytes, more = {}) => {
      const objects = buckets.get(bucket) ?? new Map<string, StoredObject>();
      objects.set(key, { bytes: Buffer.from(bytes as string), modifiedAt: madeAt, ...more });
      buckets.set(bucket, objects);
    },
    sayInstead: (xml) => {
      instead = xml;
    },
    refused: () => refused,
  };
}

/** As it came; `URL` would take `..` out of it. */
const rawPath = ({ url = '' }: IncomingMessage): string => url.split('?')[0] ?? '';

// --- Signature 4 -------------------------------------------------------------------------------------

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;
const mostSkewMs = 15 * 60_000;

/** The code of the refusal; `null` = the request is who it says it is. */
function signatureFault(request: IncomingMessage, keys: S3Keys, now: number): string | null {
  const [, id, day = '', region = '', names = '', signature = ''] =
    authorization.exec(request.headers.authorization ?? '') ?? [];
  if (id === undefined) return 'AccessDenied';
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== keys.region) return 'AuthorizationHeaderMalformed';
  const at = String(request.headers['x-amz-date']);
  const [, year, month, date, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(at) ?? [];
  const time = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`);
  if (!at.startsWith(day) || !(Math.abs(now - time) < mostSkewMs)) return 'RequestTimeTooSkewed';
  const signed = names.split(';');
  const needed = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'));
  if (![...needed, 'host'].every((name) => signed.includes(name))) return 'AccessDenied';
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical(request, signed))].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    hmac,
    Buffer.from(`AWS4${keys.secretAccessKey}`),
  );
  const right = timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
  return right ? null : 'SignatureDoesNotMatch';
}

function canonical(request: IncomingMessage, signed: readonly string[]): string {
  const query = (request.url ?? '').split('?')[1] ?? '';
  const pairs = query
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return `${encoded(decodeURIComponent(name))}=${encoded(decodeURIComponent(value))}`;
    });
  const headers = signed.map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  return [
    request.method,
    rawPath(request)
      .split('/')
      .map((name) => encoded(decodeURIComponent(name)))
      .join('/'),
    pairs.sort().join('&'),
    headers.join(''),
    signed.join(';'),
    request.headers['x-amz-content-sha256'],
  ].join('\n');
}

const encoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      const hex = byte.toString(16).toUpperCase().padStart(2, '0');
      return /[A-Za-z0-9_.~-]/.test(sign) ? sign : `%${hex}`;
    })
    .join('');

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

// --- Answers -----------------------------------------------------------------------------------------

function listing(
  name: string,
  bucket: ReadonlyMap<string, StoredObject>,
  { query, pageSize }: { query: URLSearchParams; pageSize: number },
): string {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter');
  const after = fromToken(query.get('continuation-token')) ?? query.get('start-after') ?? '';
  const most = Math.min(Number(query.get('max-keys') ?? usualPage), pageSize);
  const rolled = [...bucket.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const at = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
      return at === -1 ? key : key.slice(0, at + 1);
    });
  const found = [...new Set(rolled)].sort(byBytes).filter((key) => byBytes(key, after) > 0);
  const page = found.slice(0, most);
  const isFolder = (key: string) => delimiter !== null && key.endsWith('/') && key !== prefix;
  const show = (key: string) => (query.get('encoding-type') === 'url' ? inUrl(key) : escaped(key));
  const contents = page.map((key) => {
    if (isFolder(key)) return `<CommonPrefixes><Prefix>${show(key)}</Prefix></CommonPrefixes>`;
    const object = bucket.get(key);
    const fields = [
      `<Key>${show(key)}</Key>`,
      `<LastModified>${new Date(object?.modifiedAt ?? 0).toISOString()}</LastModified>`,
      `<ETag>&quot;${sha256(key).slice(0, 32)}&quot;</ETag>`,
      `<Size>${object?.bytes.length ?? 0}</Size>`,
      `<StorageClass>${object?.storageClass ?? 'STANDARD'}</StorageClass>`,
    ];
    return `<Contents>${fields.join('')}</Contents>`;
  });
  const isCut = found.length > page.length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
    `<Name>${name}</Name><Prefix>${show(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>`,
    ...(query.get('encoding-type') === 'url' ? ['<EncodingType>url</EncodingType>'] : []),
    `<IsTruncated>${isCut}</IsTruncated>`,
    ...(isCut
      ? [`<NextContinuationToken>${toToken(page.at(-1) ?? '')}</NextContinuationToken>`]
      : []),
    ...contents,
    '</ListBucketResult>',
  ].join('');
}

/** Opaque, as it is with S3. */
const toToken = (key: string): string => Buffer.from(key).toString('base64');
const fromToken = (token: string | null): string | null =>
  token === null ? null : Buffer.from(token, 'base64').toString();

const byBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

const inUrl = (key: string): string => key.split('/').map(encoded).join('/').replaceAll('%20', '+');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function sendError(response: ServerResponse, status: number, code: string): unknown {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`;
  return response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
}

function sendObject(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { bytes, modifiedAt }: StoredObject,
): unknown {
  const known = {
    'last-modified': new Date(modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
    'content-type': 'application/octet-stream',
  };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  if (method === 'HEAD' || from === undefined) {
    response.writeHead(200, { ...known, 'content-length': bytes.length });
    return response.end(method === 'HEAD' ? undefined : bytes);
  }
  if (Number(from) >= bytes.length) return sendError(response, 416, 'InvalidRange');
  const part = bytes.subarray(Number(from), Number(to) + 1);
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
  response.writeHead(206, { ...known, 'content-range': range, 'content-length': part.length });
  return response.end(part);
}
