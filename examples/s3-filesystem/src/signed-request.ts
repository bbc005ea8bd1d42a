/**
 * Requests to S3 with AWS Signature 4. The secret key stays with the server, which signs: the plugin
 * knows only the text that is signed, and the signature.
 */
import type { Host } from '@vitrine/plugin-api';
import { fault } from './fault.ts';

/** The request. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD';
  readonly bucket: string;
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A signed request, which S3 accepts for a quarter of an hour. */
export interface SignedRequest {
  readonly url: string;
  readonly method: 'GET' | 'HEAD';
  readonly headers: Readonly<Record<string, string>>;
}

/** The name under which an admin sets the secret key. */
const secretName = 'secretAccessKey';

const algorithm = 'AWS4-HMAC-SHA256';
/** SHA-256 of empty input: no request here has a body. */
const noBody = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Signs a request, which must then be sent at once. */
export async function signRequest(
  request: S3Request,
  { secrets, config }: Pick<Host, 'secrets' | 'config'>,
  now = new Date(),
): Promise<SignedRequest> {
  const settings = readSettings(await config.get({}));
  const { origin, host, path } = addressOf(request, settings);
  const query = Object.entries(request.query)
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&');
  const at = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = at.slice(0, 8);
  const headers = { host, 'x-amz-content-sha256': noBody, 'x-amz-date': at };
  const signedHeaders = Object.keys(headers).join(';');
  const headerLines = Object.entries(headers).map((pair) => `${pair.join(':')}\n`);
  const canonical = [
    ...[request.method, path, query, headerLines.join('')],
    ...[signedHeaders, noBody],
  ].join('\n');
  const scope = [day, settings.region, 's3', 'aws4_request'];
  const { signature } = await secrets.sign({
    name: secretName,
    prefix: 'AWS4',
    messages: [...scope, [algorithm, at, scope.join('/'), await sha256(canonical)].join('\n')],
    encoding: 'hex',
  });
  const credential = `Credential=${settings.accessKeyId}/${scope.join('/')}`;
  return {
    url: `${origin}${path}${query === '' ? '' : `?${query}`}`,
    method: request.method,
    headers: {
      'x-amz-content-sha256': noBody,
      'x-amz-date': at,
      authorization: `${algorithm} ${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
    },
  };
}

interface Settings {
  readonly endpoint: URL;
  readonly region: string;
  readonly accessKeyId: string;
  readonly bucketInHost: boolean;
}

function readSettings(values: Readonly<Record<string, unknown>>): Settings {
  const { endpoint, region, accessKeyId, bucketInHost } = values;
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint))
    throw fault('invalid_argument', 'Enter the address of the storage in the configuration first.');
  if (typeof accessKeyId !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(accessKeyId))
    throw fault('invalid_argument', 'Enter the access key id in the configuration first.');
  if (typeof region !== 'string' || !/^[A-Za-z0-9-]{1,64}$/.test(region))
    throw fault('invalid_argument', 'The region is a word such as us-east-1.');
  const url = new URL(endpoint);
  return { endpoint: url, region, accessKeyId, bucketInHost: bucketInHost === true };
}

function addressOf({ bucket, key }: S3Request, { endpoint, bucketInHost }: Settings) {
  const host = bucketInHost ? `${bucket}.${endpoint.host}` : endpoint.host;
  const base = endpoint.pathname.replace(/\/+$/, '');
  const names = [...(bucketInHost ? [] : [bucket]), ...key.split('/')];
  const path = `${base}/${names.map(encode).join('/')}`;
  return { origin: `${endpoint.protocol}//${host}`, host, path };
}

/** The encoding of Signature 4: all but letters, digits and four signs. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
