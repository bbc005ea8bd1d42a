/**
 * The port at which the servers of one database ask each other. It has the routes that are listed here
 * and no other, answers nothing that is not signed, and nothing to a browser.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Log } from '../../../kernel/index.ts';
import { createSignatureCheck, signAnswer, type SignatureParts } from './request-signature.ts';

/** An answer: `null` = there is no such thing here. */
export type InternalAnswer = Uint8Array | null;

/** What the port answers. The names are checked before. */
export interface InternalRoutes {
  /** The id of this server. */
  readonly health: () => string;
  /** `GET /v1/heads/<hash of the work>/<name of a segment, or init>/<session>`. */
  readonly segment: (
    wanted: { readonly work: string; readonly name: string; readonly sessionId: string },
    signal: AbortSignal,
  ) => Promise<InternalAnswer>;
  /** `POST /v1/heads`: begins a process for what the body says, and answers the part that is asked for. */
  readonly begin: (body: Uint8Array, signal: AbortSignal) => Promise<InternalAnswer>;
  /** `GET /v1/blobs/<kind>/<hash>`: what only this server has. */
  readonly blob: (wanted: {
    readonly kind: BlobKind;
    readonly name: string;
  }) => Promise<InternalAnswer>;
}

/** What servers keep in their data folders and give to others. */
export const blobKinds = ['conversions', 'trickplay', 'stills'] as const;
export type BlobKind = (typeof blobKinds)[number];

export interface InternalPortParts extends SignatureParts {
  /** Where it listens; port 0 = any free one. */
  readonly host: string;
  readonly port: number;
  /** How others name this server: `HOST:PORT`, given the port. */
  readonly addressOf: (port: number) => string;
  readonly routes: InternalRoutes;
  readonly log: Log;
}

/** The open port. */
export interface InternalPort {
  readonly address: string;
  readonly close: () => Promise<void>;
}

const mostBodyBytes = 64 * 1024;
const limits = {
  maxHeaderSize: 4096,
  headersTimeout: 5000,
  requestTimeout: 10_000,
  keepAliveTimeout: 30_000,
} as const;
const mostConnections = 256;

/** All that the port answers. */
const allowed = {
  health: /^GET \/v1\/health$/,
  segment: /^GET \/v1\/heads\/([0-9a-f]{64})\/(init|\d{1,15}-\d{1,15})\/([\w-]{1,40})$/,
  begin: /^POST \/v1\/heads$/,
  blob: new RegExp(`^GET /v1/blobs/(${blobKinds.join('|')})/([0-9a-f]{64})$`),
} as const;

/** What a browser sends, and no server: a page must not reach this port with any request. */
const ofBrowsers = ['origin', 'cookie', 'referer', 'sec-fetch-site', 'sec-fetch-mode'] as const;

/** Opens it; rejects when it cannot listen. */
export async function openInternalPort(parts: InternalPortParts): Promise<InternalPort> {
  const { routes, key, log } = parts;
  const isSigned = createSignatureCheck(parts);
  let address = '';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const run = routeOf(routes, `${method} ${path}`);
    const refusal = ofBrowsers.some((name) => headers[name] !== undefined) ? 403 : 404;
    if (run === null || refusal === 403) {
      refuse(response, refusal);
      return;
    }
    const body = await bodyOf(request);
    const given = headers['x-vitrine-signature'];
    const signature = typeof given === 'string' ? given : undefined;
    if (body === null || !isSigned({ method, path, body, to: address }, signature)) {
      refuse(response, body === null ? 413 : 401);
      return;
    }
    const late = new AbortController();
    response.once('close', () => late.abort());
    const found = await run(body, late.signal);
    const reply = { status: found === null ? 404 : 200, body: found ?? new Uint8Array() };
    response
      .writeHead(reply.status, {
        'content-type': 'application/octet-stream',
        'content-length': reply.body.length,
        'x-content-type-options': 'nosniff',
        'x-vitrine-signature': signAnswer(key, signature ?? '', reply),
      })
      .end(reply.body);
  }

  const server = createServer(limits, (request, response) => {
    answer(request, response).catch((err: unknown) => {
      log.debug({ err }, 'A request of another server failed.');
      refuse(response, 500);
    });
  });
  server.maxConnections = mostConnections;
  server.on('upgrade', (_, socket) => socket.destroy());
  server.on('connect', (_, socket) => socket.destroy());
  server.on('clientError', (_, socket) => socket.destroy());
  address = parts.addressOf(await listening(server, parts));
  return {
    address,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Run = (body: Uint8Array, signal: AbortSignal) => Promise<InternalAnswer>;

function routeOf(routes: InternalRoutes, line: string): Run | null {
  if (allowed.health.test(line)) return () => Promise.resolve(Buffer.from(routes.health()));
  if (allowed.begin.test(line)) return (body, signal) => routes.begin(body, signal);
  const [, work, name, sessionId] = allowed.segment.exec(line) ?? [];
  if (work !== undefined && name !== undefined && sessionId !== undefined)
    return (_, signal) => routes.segment({ work, name, sessionId }, signal);
  const [, named, hash] = allowed.blob.exec(line) ?? [];
  const kind = blobKinds.find((one) => one === named);
  return kind === undefined || hash === undefined ? null : () => routes.blob({ kind, name: hash });
}

/** Nothing is said of the reason, and the connection ends. */
function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-length': 0, connection: 'close' }).end();
}

/** `null` = it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > mostBodyBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function listening(server: Server, { host, port }: InternalPortParts): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}
