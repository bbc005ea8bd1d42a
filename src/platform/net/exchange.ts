/** One request and its response, of limited size, over a guarded agent. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Agent, Dispatcher } from 'undici';
import { KernelError } from '../../../kernel/index.ts';
import type { Headers } from './header-rules.ts';
import type { Target } from './target.ts';

export interface ExchangeRequest {
  readonly target: Target;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Headers;
  readonly body: string | null;
  /** Limit of the body in bytes, compressed and decompressed. */
  readonly maxBytes: number;
  /** The body is not returned; a little of it is read, so that the connection can be reused. */
  readonly isHeadOnly?: boolean;
  /** Called when the bytes of the request went out; again when it is repeated on another connection. */
  readonly onSent?: () => void;
  /** Called with the head of the response, before its body is read. */
  readonly onHead?: (status: number, headers: Headers) => void;
  /** The plugin, if it decides which connections are used. */
  readonly pluginId?: string;
  /** Aborted with the `KernelError` that is the reason. */
  readonly signal: AbortSignal;
}

/** A response. */
export interface ExchangeReply {
  readonly status: number;
  readonly headers: Headers;
  /** Decompressed. */
  readonly body: Uint8Array;
  /** Bytes of the body as received. */
  readonly receivedBytes: number;
}

/** Sends one request; rejects with a `KernelError`. */
export type Exchange = (request: ExchangeRequest) => Promise<ExchangeReply>;

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** Creates it over an agent that is made for the first request. */
export function createExchange(agent: (request: ExchangeRequest) => Promise<Agent>): Exchange {
  return async (request) => {
    const { target, signal } = request;
    try {
      signal.throwIfAborted();
      const reply = await send(await agent(request), request);
      const headers = oneLine(reply.headers);
      request.onHead?.(reply.statusCode, headers);
      if (request.isHeadOnly === true) {
        await drain(reply);
        return { status: reply.statusCode, headers, body: nothing, receivedBytes: 0 };
      }
      const raw = await readAll(reply, headers, request);
      const body = await decoded(raw, headers['content-encoding'], request);
      return { status: reply.statusCode, headers, body, receivedBytes: raw.length };
    } catch (error) {
      throw toKernelError(signal.aborted ? signal.reason : error, target.host);
    }
  };
}

function send(agent: Agent, request: ExchangeRequest): Promise<Dispatcher.ResponseData> {
  const { target, method, headers, body, signal, onSent } = request;
  const telling =
    onSent === undefined
      ? agent
      : agent.compose((dispatch) => (options, handler) => dispatch(options, told(handler, onSent)));
  return telling.request({
    origin: target.url.origin,
    path: `${target.url.pathname}${target.url.search}`,
    method,
    headers: { ...headers, 'accept-encoding': isOfTheWhole(request) ? 'gzip, br' : 'identity' },
    body,
    signal,
  });
}

/** undici tells the start of a request, and writes it in the same run of its code. */
const told = (
  handler: Dispatcher.DispatchHandler,
  onSent: () => void,
): Dispatcher.DispatchHandler => ({
  onRequestStart: (...args) => {
    queueMicrotask(onSent);
    handler.onRequestStart?.(...args);
  },
  onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
  onResponseStart: (...args) => handler.onResponseStart?.(...args),
  onResponseData: (...args) => handler.onResponseData?.(...args),
  onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
  onResponseError: (...args) => handler.onResponseError?.(...args),
});

/** A range of compressed bytes could not be decompressed, and would have another length. */
const isOfTheWhole = ({ method, headers }: ExchangeRequest): boolean =>
  method !== 'HEAD' && headers['range'] === undefined;

const nothing = new Uint8Array(0);
const mostReadAway = 65_536;

/** The response is known already, so errors of its body are ignored. */
async function drain({ body }: Dispatcher.ResponseData): Promise<void> {
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > mostReadAway) break;
    }
  } catch {
    // It was cut off, or took too long.
  } finally {
    body.on('error', () => undefined).destroy();
  }
}

async function readAll(
  { body }: Dispatcher.ResponseData,
  headers: Headers,
  { maxBytes, target, method }: ExchangeRequest,
): Promise<Uint8Array> {
  const announced = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    if (announced > maxBytes) throw tooLarge(target, maxBytes);
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(target, maxBytes);
      chunks.push(chunk);
    }
  } finally {
    // An unread body would block the connection, for ever if the sender never ends.
    body.on('error', () => undefined).destroy();
  }
  return Buffer.concat(chunks, length);
}

/** Limits the decompressed size, so that a small body cannot fill the memory. */
async function decoded(
  raw: Uint8Array,
  encoding: string | undefined,
  { maxBytes, target }: ExchangeRequest,
): Promise<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (raw.length === 0 || name === 'identity' || name === '') return raw;
  const decode = Object.entries(decoders).find(([known]) => known === name)?.[1];
  if (!decode) throw badResponse(target, 'answered in an encoding that was not requested');
  try {
    return await decode(raw, { maxOutputLength: maxBytes });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(target, maxBytes);
    throw badResponse(target, 'sent a body that cannot be decompressed');
  }
}

/** Joins repeated headers; cookies are not joined, since they are dropped later. */
function oneLine(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]];
    }),
  );
}

function toKernelError(error: unknown, host: string): KernelError {
  if (error instanceof KernelError) return error;
  const code = codeOf(error);
  if (code !== null && /TIMEOUT|ETIMEDOUT/.test(code)) {
    return new KernelError('net_timeout', `${host} did not answer in time.`, { cause: error });
  }
  const why = code === null ? '' : ` (${code})`;
  return new KernelError('net_unreachable', `${host} could not be reached${why}.`, {
    cause: error,
  });
}

/** The code of a network error, or of the first of several. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string' && /^[A-Z0-9_]{1,60}$/.test(error.code)) {
    return error.code;
  }
  return error instanceof AggregateError ? codeOf(error.errors[0]) : null;
}

function tooLarge({ host }: Target, maxBytes: number): KernelError {
  return new KernelError('too_large', `The answer of ${host} is above ${maxBytes} bytes.`);
}

function badResponse({ host }: Target, what: string): KernelError {
  return new KernelError('net_unreachable', `${host} ${what}.`);
}
