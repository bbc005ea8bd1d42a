import { randomBytes } from 'node:crypto';
import { Agent, request as send } from 'node:http';
import { isSame, signAnswer, signRequest, type SignatureParts } from './request-signature.ts';

/** Asks other servers. */
export interface AskServer {
  /**
   * The bytes at a path of the server at an address; `null` = it has none, does not answer in time, or is
   * not one of these servers.
   */
  readonly get: (to: string, path: string, timeoutMs: number) => Promise<Buffer | null>;
  /** The same for what a server does with a body. */
  readonly post: (
    to: string,
    path: string,
    timeoutMs: number,
    body: Uint8Array,
  ) => Promise<Buffer | null>;
  readonly close: () => void;
}

/** A segment has some megabytes. */
const mostBytes = 128 * 1024 ** 2;

export function createAskServer(parts: SignatureParts): AskServer {
  const agent = new Agent({ keepAlive: true, maxSockets: 32, timeout: 60_000 });
  const asking =
    (method: 'GET' | 'POST') =>
    (
      to: string,
      path: string,
      timeoutMs: number,
      body: Uint8Array = new Uint8Array(),
    ): Promise<Buffer | null> => {
      const asked = { method, path, body, to };
      const signature = signRequest(parts, asked, randomBytes);
      const { hostname, port } = new URL(`http://${to}`);
      return new Promise((resolve) => {
        const nothing = (): void => resolve(null);
        const request = send({
          agent,
          method,
          // An IPv6 address is named without its brackets.
          hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
          port,
          path,
          headers: { 'x-vitrine-signature': signature, 'content-length': body.length },
          signal: AbortSignal.timeout(timeoutMs),
        });
        request.on('error', nothing);
        request.on('response', (response) => {
          const found: Buffer[] = [];
          let length = 0;
          response.on('data', (part: Buffer) => {
            length += part.length;
            if (length > mostBytes) response.destroy();
            else found.push(part);
          });
          response.on('error', nothing);
          response.on('close', nothing);
          response.on('end', () => {
            const answer = Buffer.concat(found);
            const status = response.statusCode ?? 0;
            const given = response.headers['x-vitrine-signature'];
            const isOurs =
              typeof given === 'string' &&
              isSame(given, signAnswer(parts.key, signature, { status, body: answer }));
            resolve(isOurs && status === 200 ? answer : null);
          });
        });
        request.end(body);
      });
    };
  return {
    get: asking('GET'),
    post: asking('POST'),
    close: () => agent.destroy(),
  };
}
