/** The URL Standard's parser as its state machine; the states bear the standard's names. */
import { percentEncode, percentSets } from './percent.ts';
import { parseHost } from './url-host.ts';

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
  | 'scheme start'
  | 'host'
  | 'hostname'
  | 'port'
  | 'path start'
  | 'query'
  | 'fragment';

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

/** What the standard's algorithm keeps from one character to the next. */
interface Machine {
  readonly url: UrlRecord;
  readonly base: UrlRecord | undefined;
  readonly points: readonly string[];
  readonly startState: State;
  /** It ends when its first part is complete. */
  readonly isSetter: boolean;
  pointer: number;
  buffer: string;
  isAtSignSeen: boolean;
  isInsideBrackets: boolean;
  isPasswordSeen: boolean;
}

/** What one character leads to; `failure`: not a URL. */
type Next = State | 'done' | 'failure';

/** False: not a URL. */
function run(
  url: UrlRecord,
  rawInput: string,
  startState: State,
  base: UrlRecord | undefined,
  isSetter: boolean,
): boolean {
  const machine: Machine = {
    url,
    base,
    points: Array.from(rawInput.toWellFormed().replace(/[\t\n\r]/g, '')),
    startState,
    isSetter,
    pointer: 0,
    buffer: '',
    isAtSignSeen: false,
    isInsideBrackets: false,
    isPasswordSeen: false,
  };
  let state = startState;
  for (; ; machine.pointer++) {
    const c = machine.points[machine.pointer];
    const next = steps[state](machine, c);
    if (next === 'done' || next === 'failure') return next === 'done';
    state = next;
    if (c === undefined && machine.pointer >= machine.points.length) return true;
  }
}

/** The same character is read again in another state. */
function again(machine: Machine, state: State): State {
  machine.pointer--;
  return state;
}

function restOf({ points, pointer }: Machine): string {
  return points.slice(pointer).join('');
}

function isSlash(url: UrlRecord, c: string | undefined): boolean {
  return c === '/' || (c === '\\' && isSpecial(url.scheme));
}

function isAuthorityEnd(url: UrlRecord, c: string | undefined): boolean {
  return c === undefined || c === '?' || c === '#' || isSlash(url, c);
}

function startQuery(url: UrlRecord): State {
  url.query = '';
  return 'query';
}

function startFragment(url: UrlRecord): State {
  url.fragment = '';
  return 'fragment';
}

/** One step of each state; `undefined` is the end of the input. */
const steps: Readonly<Record<State, (machine: Machine, c: string | undefined) => Next>> = {
  'scheme start': (machine, c) => {
    if (c !== undefined && /[a-z]/i.test(c)) {
      machine.buffer += c.toLowerCase();
      return 'scheme';
    }
    return machine.isSetter ? 'failure' : again(machine, 'no scheme');
  },

  scheme: (machine, c) => {
    if (c !== undefined && /[a-z0-9+\-.]/i.test(c)) {
      machine.buffer += c.toLowerCase();
      return 'scheme';
    }
    if (c === ':') return endScheme(machine);
    // The setter adds a colon, so this character is not allowed in a scheme.
    if (machine.isSetter) return 'failure';
    machine.buffer = '';
    machine.pointer = -1;
    return 'no scheme';
  },

  'no scheme': (machine, c) => {
    const { url, base } = machine;
    if (base === undefined) return 'failure';
    if (typeof base.path !== 'string')
      return again(machine, base.scheme === 'file' ? 'file' : 'relative');
    if (c !== '#') return 'failure';
    Object.assign(url, base);
    return startFragment(url);
  },

  'special relative or authority': (machine, c) => {
    if (c !== '/' || machine.points[machine.pointer + 1] !== '/') return again(machine, 'relative');
    machine.pointer++;
    return 'special authority ignore slashes';
  },

  'path or authority': (machine, c) => (c === '/' ? 'authority' : again(machine, 'path')),

  relative: (machine, c) => {
    const { url, base } = machine;
    if (base === undefined) return 'failure';
    url.scheme = base.scheme;
    if (isSlash(url, c)) return 'relative slash';
    inherit(url, base);
    if (c === undefined) return 'relative';
    if (c === '?') return startQuery(url);
    if (c === '#') return startFragment(url);
    url.query = null;
    shorten(url);
    return again(machine, 'path');
  },

  'relative slash': (machine, c) => {
    const { url, base } = machine;
    if (isSlash(url, c))
      return isSpecial(url.scheme) ? 'special authority ignore slashes' : 'authority';
    if (base !== undefined) inheritAuthority(url, base);
    return again(machine, 'path');
  },

  'special authority slashes': (machine, c) => {
    if (c !== '/' || machine.points[machine.pointer + 1] !== '/')
      return again(machine, 'special authority ignore slashes');
    machine.pointer++;
    return 'special authority ignore slashes';
  },

  'special authority ignore slashes': (machine, c) =>
    c === '/' || c === '\\' ? 'special authority ignore slashes' : again(machine, 'authority'),

  authority: (machine, c) => {
    const { url, buffer } = machine;
    if (c === '@') addCredentials(machine);
    else if (c !== undefined && !isAuthorityEnd(url, c)) machine.buffer += c;
    else {
      if (machine.isAtSignSeen && buffer === '') return 'failure';
      machine.pointer -= Array.from(buffer).length + 1;
      machine.buffer = '';
      return 'host';
    }
    return 'authority';
  },

  host: hostStep,
  hostname: hostStep,

  port: (machine, c) => {
    const { url, buffer, isSetter, startState } = machine;
    if (c !== undefined && /[0-9]/.test(c)) {
      machine.buffer += c;
      return 'port';
    }
    if (!isAuthorityEnd(url, c) && !isSetter) return 'failure';
    // A host that was set together with the port stays, as in the standard.
    const setterEnd = startState === 'host' ? 'done' : 'failure';
    if (buffer !== '') {
      const port = Number(buffer);
      if (port > 65_535) return isSetter ? setterEnd : 'failure';
      url.port = port === defaultPorts[`${url.scheme}:`] ? null : port;
      machine.buffer = '';
      if (isSetter) return 'done';
    }
    return isSetter ? setterEnd : again(machine, 'path start');
  },

  file: (machine, c) => {
    const { url, base } = machine;
    url.scheme = 'file';
    url.host = '';
    if (isSlash(url, c)) return 'file slash';
    if (base?.scheme !== 'file') return again(machine, 'path');
    inherit(url, base);
    if (c === undefined) return 'file';
    if (c === '?') return startQuery(url);
    if (c === '#') return startFragment(url);
    url.query = null;
    if (startsWithDriveLetter(restOf(machine))) url.path = [];
    else shorten(url);
    return again(machine, 'path');
  },

  'file slash': (machine, c) => {
    const { url, base } = machine;
    if (isSlash(url, c)) return 'file host';
    if (base?.scheme === 'file') {
      url.host = base.host;
      const first = typeof base.path === 'string' ? undefined : base.path[0];
      const hasDrive = first !== undefined && isDriveLetter(first, ':');
      if (hasDrive && !startsWithDriveLetter(restOf(machine))) url.path = [first];
    }
    return again(machine, 'path');
  },

  'file host': (machine, c) => {
    const { url, buffer, isSetter } = machine;
    if (c !== undefined && !isAuthorityEnd(url, c)) {
      machine.buffer += c;
      return 'file host';
    }
    // The letter stays in the buffer and becomes the first segment.
    if (!isSetter && isDriveLetter(buffer, ':|')) return again(machine, 'path');
    if (buffer === '') url.host = '';
    else if (!setHost(url, buffer)) return 'failure';
    if (url.host === 'localhost') url.host = '';
    machine.buffer = '';
    return isSetter ? 'done' : again(machine, 'path start');
  },

  'path start': (machine, c) => {
    const { url, isSetter } = machine;
    if (isSpecial(url.scheme)) return isSlash(url, c) ? 'path' : again(machine, 'path');
    if (!isSetter && c === '?') return startQuery(url);
    if (!isSetter && c === '#') return startFragment(url);
    if (c !== undefined) return c === '/' ? 'path' : again(machine, 'path');
    if (isSetter && url.host === null && typeof url.path !== 'string') url.path.push('');
    return 'path start';
  },

  path: (machine, c) => {
    const { url, isSetter } = machine;
    const isFollowed = isSlash(url, c);
    const isSegmentEnd = isFollowed || c === undefined || (!isSetter && (c === '?' || c === '#'));
    if (!isSegmentEnd) {
      machine.buffer += percentEncode(c, percentSets.path);
      return 'path';
    }
    addSegment(url, machine.buffer, isFollowed);
    machine.buffer = '';
    if (c === '?') return startQuery(url);
    return c === '#' ? startFragment(url) : 'path';
  },

  'opaque path': ({ url, points, pointer }, c) => {
    if (c === '?') return startQuery(url);
    if (c === '#') return startFragment(url);
    if (c === undefined || typeof url.path !== 'string') return 'opaque path';
    const next = points[pointer + 1];
    if (c !== ' ') url.path += percentEncode(c, percentSets.control);
    else url.path += next === '?' || next === '#' ? '%20' : ' ';
    return 'opaque path';
  },

  query: (machine) => {
    const { url, points, pointer, isSetter } = machine;
    const end = isSetter ? -1 : points.indexOf('#', pointer);
    const text = points.slice(pointer, end < 0 ? points.length : end).join('');
    const set = isSpecial(url.scheme) ? percentSets.specialQuery : percentSets.query;
    url.query = percentEncode(text, set);
    if (end < 0) return 'done';
    machine.pointer = end;
    return startFragment(url);
  },

  fragment: (machine) => {
    machine.url.fragment = percentEncode(restOf(machine), percentSets.fragment);
    return 'done';
  },
};

/** The colon after a scheme. */
function endScheme(machine: Machine): Next {
  const { url, base, points, pointer, buffer } = machine;
  if (machine.isSetter) return changeScheme(url, buffer) ? 'done' : 'failure';
  url.scheme = buffer;
  machine.buffer = '';
  if (url.scheme === 'file') return 'file';
  if (isSpecial(url.scheme)) {
    return base?.scheme === url.scheme
      ? 'special relative or authority'
      : 'special authority slashes';
  }
  if (points[pointer + 1] === '/') {
    machine.pointer++;
    return 'path or authority';
  }
  url.path = '';
  return 'opaque path';
}

/** What stands before an at sign; an earlier at sign belongs to it. */
function addCredentials(machine: Machine): void {
  const { url } = machine;
  const text = machine.isAtSignSeen ? `%40${machine.buffer}` : machine.buffer;
  machine.isAtSignSeen = true;
  machine.buffer = '';
  for (const point of text) {
    if (point === ':' && !machine.isPasswordSeen) machine.isPasswordSeen = true;
    else if (machine.isPasswordSeen) url.password += percentEncode(point, percentSets.userinfo);
    else url.username += percentEncode(point, percentSets.userinfo);
  }
}

function hostStep(machine: Machine, c: string | undefined): Next {
  const { url, buffer, isSetter } = machine;
  if (isSetter && url.scheme === 'file') return again(machine, 'file host');
  if (c === ':' && !machine.isInsideBrackets) {
    if (buffer === '' || (isSetter && machine.startState === 'hostname')) return 'failure';
    if (!setHost(url, buffer)) return 'failure';
    machine.buffer = '';
    return 'port';
  }
  if (c !== undefined && !isAuthorityEnd(url, c)) {
    if (c === '[') machine.isInsideBrackets = true;
    if (c === ']') machine.isInsideBrackets = false;
    machine.buffer += c;
    return 'host';
  }
  if (buffer === '' && isSpecial(url.scheme)) return 'failure';
  if (buffer === '' && isSetter && (hasCredentials(url) || url.port !== null)) return 'failure';
  if (!setHost(url, buffer)) return 'failure';
  machine.buffer = '';
  return isSetter ? 'done' : again(machine, 'path start');
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
