/** A broker as far as servers know one: it links, and has a feed. It checks nothing, and does as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { SignedObject } from '../../../packages/lib/identity-protocol/index.ts';

/** A record as the feed has it. */
export interface FeedEntry extends SignedObject {
  readonly newSig?: string;
  readonly publishedAt: number;
}

/** What a test sees of it and tells it. */
export interface FakeBroker {
  readonly url: string;
  /** What servers asked to be linked with. */
  readonly asked: readonly SignedObject[];
  /** What polls of a link are answered with. */
  answer: Readonly<Record<string, unknown>>;
  /** Answers everything with this status, and nonsense. */
  failure: number | null;
  epoch: string;
  /** Records on one page. */
  pageSize: number;
  /** `method path` of every request. */
  readonly requests: readonly string[];
  readonly publish: (...records: readonly (SignedObject & { readonly newSig?: string })[]) => void;
  /** The records are those, and no other: as after a restore. */
  readonly restore: (records: readonly FeedEntry[]) => void;
  readonly feed: () => readonly FeedEntry[];
}

/** Opens one on a free port of this machine; it is closed when the test ends. */
export async function openFakeBroker(): Promise<FakeBroker> {
  const asked: SignedObject[] = [];
  const requests: string[] = [];
  let feed: FeedEntry[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => reply(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  function reply(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    requests.push(`${request.method ?? ''} ${pathname}`);
    const send = (status: number, answer: unknown, headers = {}): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(answer));
    if (broker.failure !== null) {
      send(broker.failure, { error: 'internal' });
      return;
    }
    if (pathname === '/api/identity/servers/link/begin') {
      asked.push(JSON.parse(body) as SignedObject);
      const requestId = `request_${asked.length}`;
      const expiresAt = Number.MAX_SAFE_INTEGER;
      send(200, { requestId, linkUrl: `${url}/link/${requestId}`, expiresAt });
      return;
    }
    if (pathname.startsWith('/api/identity/servers/link/')) {
      send(200, broker.answer);
      return;
    }
    const since = Number(searchParams.get('since') ?? 0);
    const left = feed.filter(({ publishedAt }) => publishedAt > since);
    const records = left.slice(0, broker.pageSize);
    const next = records.at(-1)?.publishedAt ?? since;
    const etag = `"${broker.epoch}-${since}-${records.length}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    send(200, { epoch: broker.epoch, records, next, more: left.length > records.length }, { etag });
  }

  const broker: FakeBroker = {
    ...{ url, asked, requests },
    answer: { status: 'pending' },
    failure: null,
    epoch: 'first',
    pageSize: 500,
    publish: (...records) => {
      for (const record of records)
        feed.push({ ...record, publishedAt: (feed.at(-1)?.publishedAt ?? 1000) + 1 });
    },
    restore: (records) => {
      feed = [...records];
    },
    feed: () => feed,
  };
  return broker;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts).toString();
}
