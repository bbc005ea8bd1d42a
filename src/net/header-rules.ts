/** Which headers a plugin may send, and which of an answer it may see. */
import { KernelError } from '../../kernel/index.ts';

/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** What the server says itself, and what would let a request pass for somebody else's. */
const reserved =
  /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect|cookie2?|user-agent|accept-encoding|date|via|forwarded|x-forwarded-.*|x-real-ip|proxy-.*|sec-.*)$/;

/** What belongs to one connection or to the server; the body is decompressed, so its length changed. */
const hidden =
  /^(set-cookie2?|connection|keep-alive|transfer-encoding|upgrade|te|trailer|content-encoding|content-length|proxy-.*|alt-svc|clear-site-data|report-to|nel)$/;

const longestValue = 8192;

/** The headers that a plugin asks for, by lower-case name; throws when one is not its to set. */
export function parseRequestHeaders(headers: Headers): Headers {
  const parsed = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(key)) throw refusal(name, 'is no header name');
    if (reserved.test(key)) throw refusal(name, "is the server's own; leave it out");
    if (parsed.has(key)) throw refusal(name, 'is there twice');
    if (value.length > longestValue || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw refusal(name, `must be at most ${longestValue} characters of one line of Latin-1`);
    }
    parsed.set(key, value);
  }
  return Object.fromEntries(parsed);
}

/** The headers of an answer that a plugin may see. What has no body tells the length of the one it would have. */
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
