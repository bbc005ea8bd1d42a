/**
 * Headers for sending a file of a library to a browser. Files are untrusted: a type that a browser
 * would run as a page of this server is sent as a download.
 */

const active =
  /^(?:text\/(?!plain\b|vtt\b)|application\/(?:xhtml|xml|javascript|ecmascript|wasm)|image\/svg)|[+/]xml\b/i;

const policy =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/** The headers for the type and name of a file. */
export function contentHeaders(filename: string, mimeType: string): Record<string, string> {
  const disposition = active.test(mimeType) ? 'attachment' : 'inline';
  return {
    'content-type': mimeType,
    'content-disposition': `${disposition}; ${filenameParameters(filename)}`,
    'content-security-policy': policy,
    'cache-control': 'private, no-cache',
  };
}

/** The name in the old form for old clients, and in the form of RFC 8187 for others. */
function filenameParameters(filename: string): string {
  const name = filename.toWellFormed().replace(/[\p{Cc}\p{Cf}]/gu, '_');
  const plain = name.replace(/[^\x20-\x7E]|["\\%;/]/g, '_');
  const exact = encodeURIComponent(name).replace(/['()*]/g, percent);
  return `filename="${plain}"; filename*=UTF-8''${exact}`;
}

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
