/** Signatures of the documentation of Amazon S3, with its own keys, requests and results. */
import type { Host } from '@vitrine/plugin-api';
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signRequest, type S3Request } from './src/signed-request.ts';

const secretKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const may24 = new Date('2013-05-24T00:00:00Z');

/** The host, which signs for a plugin. */
function hostWith(configuration: Readonly<Record<string, unknown>>) {
  const asked: unknown[] = [];
  const host: Pick<Host, 'secrets' | 'config'> = {
    config: {
      get: async () => ({
        endpoint: 'https://s3.amazonaws.com',
        region: 'us-east-1',
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        bucketInHost: true,
        ...configuration,
      }),
      ofProfile: async () => ({ profile: 'a', values: {} }),
    },
    secrets: {
      list: async () => ({ secrets: [] }),
      create: async () => ({ created: false }),
      remove: async () => ({ removed: false }),
      digest: async () => ({ digest: '' }),
      sign: async (input) => {
        asked.push(input);
        const { prefix = '', messages } = input;
        const signature = messages.reduce<Buffer>(
          (key, message) => createHmac('sha256', key).update(message).digest(),
          Buffer.from(prefix + secretKey),
        );
        return { signature: signature.toString('hex') };
      },
    },
  };
  return { host, asked };
}

const request = (query: Readonly<Record<string, string>>): S3Request => ({
  method: 'GET',
  bucket: 'examplebucket',
  key: '',
  query,
});

test.each([
  [
    'GET Bucket (List Objects)',
    { 'max-keys': '2', prefix: 'J' },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
  [
    'GET Bucket Lifecycle',
    { lifecycle: '' },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
])('signs "%s" as the documentation does', async (_, query, signature) => {
  const { host, asked } = hostWith({});

  const { url, headers } = await signRequest(request(query), host, may24);

  expect(headers['authorization']).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${signature}`,
  );
  expect(url).toMatch(/^https:\/\/examplebucket\.s3\.amazonaws\.com\/\?/);
  expect(JSON.stringify(asked)).not.toContain(secretKey);
});

test('names the bucket in the path, and encodes all but letters, digits and four signs', async () => {
  const { host } = hostWith({ endpoint: 'http://minio.local:9000/base/', bucketInHost: false });

  const { url } = await signRequest(
    { method: 'HEAD', bucket: 'films', key: "a b/It's (1)*~!.mkv", query: {} },
    host,
    may24,
  );

  expect(url).toBe('http://minio.local:9000/base/films/a%20b/It%27s%20%281%29%2A~%21.mkv');
});

test.each([
  ['endpoint', 'minio'],
  ['accessKeyId', ''],
  ['accessKeyId', 'a/b c'],
  ['region', 'eu central'],
])('says what to enter if %s is %j', async (key, value) => {
  const { host } = hostWith({ [key]: value });

  await expect(signRequest(request({}), host, may24)).rejects.toMatchObject({
    code: 'invalid_argument',
  });
});
