/**
 * Serves `dist/` for a look. With a certificate it speaks https, which a callback needs.
 *
 *   node serve.mjs [--port 8370] [--tls-cert file --tls-key file]
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8370' },
    'tls-cert': { type: 'string' },
    'tls-key': { type: 'string' },
  },
});

const files = new Map([
  ['/', ['index.html', 'text/html; charset=utf-8']],
  ['/main.js', ['main.js', 'text/javascript; charset=utf-8']],
  ['/style.css', ['style.css', 'text/css; charset=utf-8']],
  ['/icon.svg', ['icon.svg', 'image/svg+xml']],
]);

const headers = {
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // The servers of a user can be anywhere; nothing but their answers comes from elsewhere.
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
    "connect-src https: http:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** @type {import('node:http').RequestListener} */
async function answer(request, response) {
  const [pathname = '/'] = (request.url ?? '/').split('?', 1);
  const [name, type] = files.get(pathname) ?? [];
  if (name === undefined || type === undefined || request.method !== 'GET') {
    response.writeHead(404, headers).end('There is no such page.');
    return;
  }
  const text = await readFile(path.join(here, 'dist', name));
  response.writeHead(200, { ...headers, 'content-type': type }).end(text);
}

const { 'tls-cert': cert, 'tls-key': key } = values;
const isTls = cert !== undefined && key !== undefined;
const server = isTls
  ? createHttps({ cert: readFileSync(cert), key: readFileSync(key) }, answer)
  : createHttp(answer);
server.listen(Number(values.port), () =>
  console.log(`The example app is at ${isTls ? 'https' : 'http'}://localhost:${values.port}`),
);
