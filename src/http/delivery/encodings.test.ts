import { expect, test } from 'vitest';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseEncoding, encode } from './encodings.ts';

test.each([
  [undefined, null],
  ['', null],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['BR ; Q=0.3', 'br'],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
  ['identity', null],
  ['identity;q=1, br;q=0.5', null],
  ['deflate', null],
  ['br;q=much', null],
  ['br;q=-1', null],
  [`${'x,'.repeat(30)}br`, null],
])('the coding for Accept-Encoding "%s" is %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});

test('both codings give back the bytes', async () => {
  const bytes = Buffer.from('Überall '.repeat(500));

  expect(brotliDecompressSync(await encode(bytes, 'br'))).toEqual(bytes);
  expect(gunzipSync(await encode(bytes, 'gzip'))).toEqual(bytes);
});
