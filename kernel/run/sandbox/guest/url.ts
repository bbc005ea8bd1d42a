import { percentEncode, percentSets } from './percent.ts';
import { toText } from './to-text.ts';
import {
  changeUrl,
  hasCredentials,
  isSpecial,
  parseUrl,
  type UrlRecord,
  type UrlState,
} from './url-parser.ts';
import { followQuery, URLSearchParams } from './url-search-params.ts';

/** A URL of the URL Standard. Domains are converted to lower case and Punycode, without IDNA checks. */
export class URL {
  #url: UrlRecord;
  readonly #searchParams: URLSearchParams;

  constructor(input: unknown, base?: unknown) {
    this.#url = parseOrThrow(input, base);
    this.#searchParams = new URLSearchParams(this.#url.query ?? '');
    followQuery(this.#searchParams, (query) => {
      this.#url.query = query === '' ? null : query;
    });
  }

  static canParse(input: unknown, base?: unknown): boolean {
    return URL.parse(input, base) !== null;
  }

  static parse(input: unknown, base?: unknown): URL | null {
    try {
      return new URL(input, base);
    } catch {
      return null;
    }
  }

  get href(): string {
    const { scheme, host, path, query, fragment } = this.#url;
    let href = `${scheme}:`;
    if (host !== null) {
      href += '//';
      if (hasCredentials(this.#url)) {
        href += this.username + (this.password === '' ? '' : `:${this.password}`) + '@';
      }
      href += this.host;
    } else if (typeof path !== 'string' && path.length > 1 && path[0] === '') {
      href += '/.';
    }
    href += this.pathname;
    if (query !== null) href += `?${query}`;
    return fragment === null ? href : `${href}#${fragment}`;
  }

  set href(value: string) {
    this.#url = parseOrThrow(value, undefined);
    this.#refreshParams();
  }

  get origin(): string {
    const { scheme, path } = this.#url;
    if (scheme === 'blob') {
      const inner = typeof path === 'string' ? URL.parse(path) : null;
      return inner !== null && /^https?:$/.test(inner.protocol) ? inner.origin : 'null';
    }
    return isSpecial(scheme) && scheme !== 'file' ? `${scheme}://${this.host}` : 'null';
  }

  get protocol(): string {
    return `${this.#url.scheme}:`;
  }

  set protocol(value: string) {
    changeUrl(this.#url, `${toText(value)}:`, 'scheme start');
  }

  get username(): string {
    return this.#url.username;
  }

  set username(value: string) {
    if (this.#mayHaveCredentials()) {
      this.#url.username = percentEncode(toText(value).toWellFormed(), percentSets.userinfo);
    }
  }

  get password(): string {
    return this.#url.password;
  }

  set password(value: string) {
    if (this.#mayHaveCredentials()) {
      this.#url.password = percentEncode(toText(value).toWellFormed(), percentSets.userinfo);
    }
  }

  get host(): string {
    const { host, port } = this.#url;
    return (host ?? '') + (port === null ? '' : `:${port}`);
  }

  set host(value: string) {
    this.#changePart(value, 'host');
  }

  get hostname(): string {
    return this.#url.host ?? '';
  }

  set hostname(value: string) {
    this.#changePart(value, 'hostname');
  }

  get port(): string {
    return this.#url.port === null ? '' : String(this.#url.port);
  }

  set port(value: string) {
    if (!this.#mayHaveCredentials()) return;
    if (toText(value) === '') this.#url.port = null;
    else changeUrl(this.#url, toText(value), 'port');
  }

  get pathname(): string {
    const { path } = this.#url;
    return typeof path === 'string' ? path : path.map((segment) => `/${segment}`).join('');
  }

  set pathname(value: string) {
    if (typeof this.#url.path === 'string') return;
    this.#url.path = [];
    changeUrl(this.#url, toText(value), 'path start');
  }

  get search(): string {
    const { query } = this.#url;
    return query === null || query === '' ? '' : `?${query}`;
  }

  set search(value: string) {
    const text = toText(value);
    if (text === '') this.#url.query = null;
    else changeUrl(this.#url, text.replace(/^\?/, ''), 'query');
    this.#refreshParams();
  }

  get searchParams(): URLSearchParams {
    return this.#searchParams;
  }

  get hash(): string {
    const { fragment } = this.#url;
    return fragment === null || fragment === '' ? '' : `#${fragment}`;
  }

  set hash(value: string) {
    const text = toText(value);
    if (text === '') this.#url.fragment = null;
    else changeUrl(this.#url, text.replace(/^#/, ''), 'fragment');
  }

  toString(): string {
    return this.href;
  }

  toJSON(): string {
    return this.href;
  }

  #changePart(value: unknown, state: UrlState): void {
    if (typeof this.#url.path !== 'string') changeUrl(this.#url, toText(value), state);
  }

  #mayHaveCredentials(): boolean {
    return this.#url.host !== null && this.#url.host !== '' && this.#url.scheme !== 'file';
  }

  #refreshParams(): void {
    followQuery(this.#searchParams, undefined, this.#url.query ?? '');
  }
}

function parseOrThrow(input: unknown, base: unknown): UrlRecord {
  const baseUrl = base === undefined ? undefined : parseUrl(toText(base));
  const url =
    base !== undefined && baseUrl === undefined ? undefined : parseUrl(toText(input), baseUrl);
  if (url === undefined) throw new TypeError('Invalid URL');
  return url;
}
