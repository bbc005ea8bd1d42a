/** The URL Standard's parser as its state machine; the states bear the standard's names. */
import { percentEncode, percentSets } from './percent.ts';
import { parseHost } from './url-host.ts';

/** A URL in its parts. */
export interface UrlRecord {
  scheme: string;
  username: string;
  password: string;
  /** `null`: there is no authority. */
  host: string | null;
  port: number | null;
  /** A string when the path is opaque, as in `mailto:a@b`. */
  path: string[] | string;
  query: string | null;
  fragment: string | null;
}

/** The start states of setters. */
export type UrlState =
  'scheme start' | 'host' | 'hostname' | 'port' | 'path start' | 'query' | 'fragment';

type State =
  | UrlState
  | 'scheme'
  | 'no scheme'
  | 'special relative or authority'
  | 'path or authority'
  | 'relative'
  | 'relative slash'
  | 'special authority slashes'
  | 'special authority ignore slashes'
  | 'authority'
  | 'file'
  | 'file slash'
  | 'file host'
  | 'path'
  | 'opaque path';

const defaultPorts: Readonly<Record<string, number | null>> = {
  'http:': 80,
  'https:': 443,
  'ws:': 80,
  'wss:': 443,
  'ftp:': 21,
  'file:': null,
};

export function isSpecial(scheme: string): boolean {
  return Object.hasOwn(defaultPorts, `${scheme}:`);
}

/** A new record, or `undefined` when the text is not a URL. */
export function parseUrl(input: string, base?: UrlRecord): UrlRecord | undefined {
  const trimmed = input.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, '');
  const url: UrlRecord = {
    scheme: '',
    username: '',
    password: '',
    host: null,
    port: null,
    path: [],
    query: null,
    fragment: null,
  };
  return run(url, trimmed, 'scheme start', base, false) ? url : undefined;
}

/** Changes a part of the record as a setter does; leaves it unchanged for an invalid value. */
export function changeUrl(url: UrlRecord, value: string, state: UrlState): void {
  const copy = { ...url, path: typeof url.path === 'string' ? url.path : [...url.path] };
  if (run(copy, value, state, undefined, true)) Object.assign(url, copy);
}

/** False: not a URL. With `isSetter` it ends when its first part is complete. */
function run(
  url: UrlRecord,
  rawInput: string,
  startState: State,
  base: UrlRecord | undefined,
  isSetter: boolean,
): boolean {
  const points = Array.from(rawInput.toWellFormed().replace(/[\t\n\r]/g, ''));
  let state = startState;
  let buffer = '';
  let isAtSignSeen = false;
  let isInsideBrackets = false;
  let isPasswordSeen = false;
  const rest = (from: number): string => points.slice(from).join('');

  for (let pointer = 0; ; pointer++) {
    const c = points[pointer];
    const isEnd = c === undefined;
    const special = isSpecial(url.scheme);
    const isPathStart = c === '/' || (special && c === '\\');
    const isAuthorityEnd = isEnd || isPathStart || c === '?' || c === '#';

    switch (state) {
      case 'scheme start':
        if (c !== undefined && /[a-z]/i.test(c)) {
          buffer += c.toLowerCase();
          state = 'scheme';
        } else if (isSetter) {
          return false;
        } else {
          state = 'no scheme';
          pointer--;
        }
        break;

      case 'scheme':
        if (c !== undefined && /[a-z0-9+\-.]/i.test(c)) {
          buffer += c.toLowerCase();
        } else if (c === ':') {
          if (isSetter) return changeScheme(url, buffer);
          url.scheme = buffer;
          buffer = '';
          if (url.scheme === 'file') state = 'file';
          else if (isSpecial(url.scheme) && base?.scheme === url.scheme) {
            state = 'special relative or authority';
          } else if (isSpecial(url.scheme)) state = 'special authority slashes';
          else if (points[pointer + 1] === '/') {
            state = 'path or authority';
            pointer++;
          } else {
            url.path = '';
            state = 'opaque path';
          }
        } else if (isSetter) {
          // The setter adds a colon, so this character is not allowed in a scheme.
          return false;
        } else {
          buffer = '';
          state = 'no scheme';
          pointer = -1;
        }
        break;

      case 'no scheme':
        if (base === undefined || (typeof base.path === 'string' && c !== '#')) return false;
        if (typeof base.path === 'string') {
          Object.assign(url, base, { fragment: '' });
          state = 'fragment';
        } else {
          state = base.scheme === 'file' ? 'file' : 'relative';
          pointer--;
        }
        break;

      case 'special relative or authority':
        if (c === '/' && points[pointer + 1] === '/') {
          state = 'special authority ignore slashes';
          pointer++;
        } else {
          state = 'relative';
          pointer--;
        }
        break;

      case 'path or authority':
        if (c === '/') state = 'authority';
        else {
          state = 'path';
          pointer--;
        }
        break;

      case 'relative':
        if (base === undefined) return false;
        url.scheme = base.scheme;
        if (c === '/' || (isSpecial(url.scheme) && c === '\\')) {
          state = 'relative slash';
          break;
        }
        inherit(url, base);
        if (c === '?') {
          url.query = '';
          state = 'query';
        } else if (c === '#') {
          url.fragment = '';
          state = 'fragment';
        } else if (c !== undefined) {
          url.query = null;
          shorten(url);
          state = 'path';
          pointer--;
        }
        break;

      case 'relative slash':
        if (special && (c === '/' || c === '\\')) state = 'special authority ignore slashes';
        else if (c === '/') state = 'authority';
        else {
          if (base !== undefined) inheritAuthority(url, base);
          state = 'path';
          pointer--;
        }
        break;

      case 'special authority slashes':
        if (c === '/' && points[pointer + 1] === '/') pointer++;
        else pointer--;
        state = 'special authority ignore slashes';
        break;

      case 'special authority ignore slashes':
        if (c !== '/' && c !== '\\') {
          state = 'authority';
          pointer--;
        }
        break;

      case 'authority':
        if (c === '@') {
          if (isAtSignSeen) buffer = `%40${buffer}`;
          isAtSignSeen = true;
          for (const point of buffer) {
            if (point === ':' && !isPasswordSeen) isPasswordSeen = true;
            else if (isPasswordSeen) url.password += percentEncode(point, percentSets.userinfo);
            else url.username += percentEncode(point, percentSets.userinfo);
          }
          buffer = '';
        } else if (isAuthorityEnd) {
          if (isAtSignSeen && buffer === '') return false;
          pointer -= Array.from(buffer).length + 1;
          buffer = '';
          state = 'host';
        } else buffer += c;
        break;

      case 'host':
      case 'hostname':
        if (isSetter && url.scheme === 'file') {
          state = 'file host';
          pointer--;
        } else if (c === ':' && !isInsideBrackets) {
          if (buffer === '') return false;
          if (isSetter && startState === 'hostname') return false;
          if (!setHost(url, buffer)) return false;
          buffer = '';
          state = 'port';
        } else if (isAuthorityEnd) {
          pointer--;
          if (special && buffer === '') return false;
          if (isSetter && buffer === '' && (hasCredentials(url) || url.port !== null)) return false;
          if (!setHost(url, buffer)) return false;
          if (isSetter) return true;
          buffer = '';
          state = 'path start';
        } else {
          if (c === '[') isInsideBrackets = true;
          if (c === ']') isInsideBrackets = false;
          buffer += c;
        }
        break;

      case 'port':
        if (c !== undefined && /[0-9]/.test(c)) {
          buffer += c;
        } else if (isAuthorityEnd || isSetter) {
          if (buffer !== '') {
            const port = Number(buffer);
            // A host that was set together with the port stays, as in the standard.
            if (port > 65_535) return isSetter && startState === 'host';
            url.port = port === defaultPorts[`${url.scheme}:`] ? null : port;
            buffer = '';
            if (isSetter) return true;
          }
          if (isSetter) return startState === 'host';
          state = 'path start';
          pointer--;
        } else return false;
        break;

      case 'file':
        url.scheme = 'file';
        url.host = '';
        if (c === '/' || c === '\\') state = 'file slash';
        else if (base?.scheme === 'file') {
          inherit(url, base);
          if (c === '?') {
            url.query = '';
            state = 'query';
          } else if (c === '#') {
            url.fragment = '';
            state = 'fragment';
          } else if (c !== undefined) {
            url.query = null;
            if (startsWithDriveLetter(rest(pointer))) url.path = [];
            else shorten(url);
            state = 'path';
            pointer--;
          }
        } else {
          state = 'path';
          pointer--;
        }
        break;

      case 'file slash':
        if (c === '/' || c === '\\') state = 'file host';
        else {
          if (base?.scheme === 'file') {
            url.host = base.host;
            const first = typeof base.path === 'string' ? undefined : base.path[0];
            if (
              !startsWithDriveLetter(rest(pointer)) &&
              first !== undefined &&
              isDriveLetter(first, ':')
            ) {
              url.path = [first];
            }
          }
          state = 'path';
          pointer--;
        }
        break;

      case 'file host':
        if (isEnd || c === '/' || c === '\\' || c === '?' || c === '#') {
          pointer--;
          if (!isSetter && isDriveLetter(buffer, ':|')) state = 'path';
          else if (buffer === '') {
            url.host = '';
            if (isSetter) return true;
            state = 'path start';
          } else {
            if (!setHost(url, buffer)) return false;
            if (url.host === 'localhost') url.host = '';
            if (isSetter) return true;
            buffer = '';
            state = 'path start';
          }
        } else buffer += c;
        break;

      case 'path start':
        if (special) {
          state = 'path';
          if (c !== '/' && c !== '\\') pointer--;
        } else if (!isSetter && c === '?') {
          url.query = '';
          state = 'query';
        } else if (!isSetter && c === '#') {
          url.fragment = '';
          state = 'fragment';
        } else if (c !== undefined) {
          state = 'path';
          if (c !== '/') pointer--;
        } else if (isSetter && url.host === null && typeof url.path !== 'string') {
          url.path.push('');
        }
        break;

      case 'path': {
        const isSegmentEnd = isEnd || isPathStart || (!isSetter && (c === '?' || c === '#'));
        if (!isSegmentEnd) {
          buffer += percentEncode(c, percentSets.path);
          break;
        }
        addSegment(url, buffer, isPathStart);
        buffer = '';
        if (c === '?') {
          url.query = '';
          state = 'query';
        }
        if (c === '#') {
          url.fragment = '';
          state = 'fragment';
        }
        break;
      }

      case 'opaque path':
        if (c === '?') {
          url.query = '';
          state = 'query';
        } else if (c === '#') {
          url.fragment = '';
          state = 'fragment';
        } else if (c === ' ' && typeof url.path === 'string') {
          const next = points[pointer + 1];
          url.path += next === '?' || next === '#' ? '%20' : ' ';
        } else if (c !== undefined && typeof url.path === 'string') {
          url.path += percentEncode(c, percentSets.control);
        }
        break;

      case 'query': {
        const end = isSetter ? -1 : points.indexOf('#', pointer);
        const text = points.slice(pointer, end < 0 ? points.length : end).join('');
        url.query = percentEncode(text, special ? percentSets.specialQuery : percentSets.query);
        if (end < 0) return true;
        url.fragment = '';
        state = 'fragment';
        pointer = end;
        break;
      }

      case 'fragment':
        url.fragment = percentEncode(rest(pointer), percentSets.fragment);
        return true;
    }
    if (pointer >= points.length && isEnd) return true;
  }
}

function changeScheme(url: UrlRecord, scheme: string): boolean {
  if (isSpecial(url.scheme) !== isSpecial(scheme)) return false;
  if ((hasCredentials(url) || url.port !== null) && scheme === 'file') return false;
  if (url.scheme === 'file' && url.host === '') return false;
  url.scheme = scheme;
  if (url.port === defaultPorts[`${scheme}:`]) url.port = null;
  return true;
}

function setHost(url: UrlRecord, text: string): boolean {
  const host = parseHost(text, isSpecial(url.scheme));
  if (host === undefined) return false;
  url.host = host;
  return true;
}

export function hasCredentials(url: UrlRecord): boolean {
  return url.username !== '' || url.password !== '';
}

function inheritAuthority(url: UrlRecord, base: UrlRecord): void {
  url.username = base.username;
  url.password = base.password;
  url.host = base.host;
  url.port = base.port;
}

function inherit(url: UrlRecord, base: UrlRecord): void {
  inheritAuthority(url, base);
  url.path = typeof base.path === 'string' ? base.path : [...base.path];
  url.query = base.query;
}

function shorten(url: UrlRecord): void {
  if (typeof url.path === 'string') return;
  const first = url.path[0];
  const isDrive = url.scheme === 'file' && url.path.length === 1 && isDriveLetter(first ?? '', ':');
  if (!isDrive) url.path.pop();
}

function addSegment(url: UrlRecord, segment: string, isFollowed: boolean): void {
  if (typeof url.path === 'string') return;
  const dots = segment.toLowerCase().replaceAll('%2e', '.');
  if (dots === '..') {
    shorten(url);
    if (!isFollowed) url.path.push('');
  } else if (dots === '.') {
    if (!isFollowed) url.path.push('');
  } else {
    const isDrive = url.scheme === 'file' && url.path.length === 0 && isDriveLetter(segment, ':|');
    url.path.push(isDrive ? `${segment.charAt(0)}:` : segment);
  }
}

function isDriveLetter(text: string, separators: string): boolean {
  return text.length === 2 && /^[a-z]/i.test(text) && separators.includes(text.charAt(1));
}

function startsWithDriveLetter(text: string): boolean {
  return (
    isDriveLetter(text.slice(0, 2), ':|') && (text.length === 2 || '/\\?#'.includes(text.charAt(2)))
  );
}
