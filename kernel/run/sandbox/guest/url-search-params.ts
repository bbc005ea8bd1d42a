import { percentDecode, percentEncode, percentSets } from './percent.ts';
import { toText } from './to-text.ts';

type Pair = [name: string, value: string];

/** Links a `URL` and its parameters; no other code can reach it. */
interface Followed {
  onChange: ((query: string) => void) | undefined;
  readonly replace: (query: string) => void;
}
const followed = new WeakMap<URLSearchParams, Followed>();

/** Notifies a URL of changes, and its parameters of a new query. */
export function followQuery(
  params: URLSearchParams,
  onChange: ((query: string) => void) | undefined,
  query?: string,
): void {
  const entry = followed.get(params);
  if (entry === undefined) return;
  if (onChange !== undefined) entry.onChange = onChange;
  if (query !== undefined) entry.replace(query);
}

/** The name-value pairs of a query, in order. */
export class URLSearchParams {
  #pairs: Pair[];

  constructor(init?: unknown) {
    this.#pairs = pairsOf(init);
    followed.set(this, {
      onChange: undefined,
      replace: (query) => {
        this.#pairs = parseQuery(query);
      },
    });
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: unknown, value: unknown): void {
    this.#pairs.push([toScalars(name), toScalars(value)]);
    this.#changed();
  }

  delete(name: unknown, value?: unknown): void {
    this.#pairs = this.#pairs.filter((pair) => !isPair(pair, name, value));
    this.#changed();
  }

  get(name: unknown): string | null {
    return this.#pairs.find((pair) => isPair(pair, name))?.[1] ?? null;
  }

  getAll(name: unknown): string[] {
    return this.#pairs.filter((pair) => isPair(pair, name)).map(([, value]) => value);
  }

  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some((pair) => isPair(pair, name, value));
  }

  set(name: unknown, value: unknown): void {
    const first = this.#pairs.find((pair) => isPair(pair, name));
    if (first === undefined) this.#pairs.push([toScalars(name), toScalars(value)]);
    else {
      first[1] = toScalars(value);
      this.#pairs = this.#pairs.filter((pair) => pair === first || !isPair(pair, name));
    }
    this.#changed();
  }

  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#changed();
  }

  forEach(visit: (value: string, name: string, params: URLSearchParams) => void): void {
    for (const [name, value] of this) visit(value, name, this);
  }

  *entries(): IterableIterator<Pair> {
    for (let index = 0; index < this.#pairs.length; index++) {
      const [name, value] = this.#pairs[index] ?? ['', ''];
      yield [name, value];
    }
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries();
  }

  toString(): string {
    return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  }

  #changed(): void {
    followed.get(this)?.onChange?.(this.toString());
  }
}

function pairsOf(init: unknown): Pair[] {
  if (init === undefined || init === null) return [];
  if (typeof init !== 'object' && typeof init !== 'function') {
    return parseQuery(toText(init).replace(/^\?/, ''));
  }
  if (!(Symbol.iterator in init)) {
    return Object.entries(init).map(([name, value]) => [toScalars(name), toScalars(value)]);
  }
  return Array.from(init as Iterable<Iterable<unknown>>, (entry) => {
    const [name, value, ...more] = entry;
    if (value === undefined || more.length > 0) {
      throw new TypeError('Each pair must be a name and a value.');
    }
    return [toScalars(name), toScalars(value)];
  });
}

function parseQuery(query: string): Pair[] {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      const name = at < 0 ? part : part.slice(0, at);
      return [decode(name), at < 0 ? '' : decode(part.slice(at + 1))];
    });
}

function isPair(pair: Pair, name: unknown, value?: unknown): boolean {
  return pair[0] === toScalars(name) && (value === undefined || pair[1] === toScalars(value));
}

function toScalars(value: unknown): string {
  return toText(value).toWellFormed();
}

function decode(text: string): string {
  return percentDecode(text.replaceAll('+', ' '));
}

function encode(text: string): string {
  return percentEncode(text, percentSets.form).replaceAll('%20', '+');
}
