/** Which headers a plugin may send, and which of a response it may see. */
import { KernelError } from '../../../kernel/index.ts';

/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/** Headers that the server sets itself, or that would impersonate another client. */
const reserved =
  /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect|cookie2?|user-agent|accept-encoding|date|via|forwarded|x-forwarded-.*|x-real-ip|proxy-.*|sec-.*)$/;

/** Headers of one connection or for the server; the body is decompressed, so its length changed. */
const hidden =
  /^(set-cookie2?|connection|keep-alive|transfer-encoding|upgrade|te|trailer|content-encoding|content-length|proxy-.*|alt-svc|clear-site-data|report-to|nel)$/;

const longestValue = 8192;

/** The headers that a plugin sends, by lower-case name; throws for one that it may not set. */
export function parseRequestHeaders(headers: Headers): Headers {
  const parsed = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(key)) throw refusal(name, 'is not a header name');
    if (reserved.test(key)) throw refusal(name, 'is set by the server; leave it out');
    if (parsed.has(key)) throw refusal(name, 'is given twice');
    if (value.length > longestValue || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw refusal(name, `must be at most ${longestValue} characters of one line of Latin-1`);
    }
    parsed.set(key, value);
  }
  return Object.fromEntries(parsed);
}

/**
 * The headers of a response that a plugin may see. A HEAD has the length of the body it would have.
 */
export function visibleHeaders(headers: Headers, method = 'GET'): Headers {
  const tellsLength = method === 'HEAD' && headers['content-encoding'] === undefined;
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !hidden.test(name) || (tellsLength && name === 'content-length'),
    ),
  );
}

function refusal(name: string, why: string): KernelError {
  return new KernelError(
    'invalid_argument',
    `host.net.fetch: headers: ${JSON.stringify(name.slice(0, 100))} ${why}.`,
  );
}
