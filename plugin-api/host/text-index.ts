import { closed, type MethodRecords } from '../server/method-record.ts';

/** One document. Equal matches come in the order in which they were first put. */
export interface TextDocument {
  readonly id: string;
  /** A partition that queries can be limited to, such as a library's id. */
  readonly scope: string;
  /** Its kind, such as `item` or `entity`. */
  readonly kind: string;
  /** Ranks highest. */
  readonly title: string;
  /** Ranks lower. */
  readonly body: string;
}

/** One hit; `score` is the index's own measure, higher is better. */
export interface TextHit {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly score: number;
}

/** One term of a query. At most 200 characters, with at most 16 alternatives. */
export interface TextTerm {
  readonly text: string;
  /** Whether words that begin with it match too. */
  readonly prefix?: boolean;
  /** Other words that count as the same. */
  readonly alternatives?: readonly string[];
}

/** The best hits of a query, and the number of all matches. */
export interface TextHits {
  readonly hits: readonly TextHit[];
  readonly total: number;
}

/**
 * `host.textIndex`: a full-text index of the plugin. Words are compared without case and accents;
 * punctuation separates words; scripts without spaces, and Hangul, are found by any part of a text.
 * An index has at most 16 kinds and 4095 scopes; documents of further scopes are found only by
 * queries over all scopes. Permission: `textIndex`.
 */
export interface TextIndexService {
  /** Adds or replaces up to 500 documents, in order and each atomically; much text is cut into parts. */
  readonly put: (input: { readonly documents: readonly TextDocument[] }) => Promise<null>;
  /** Removes up to 500 documents; unknown ids are ignored. */
  readonly remove: (input: { readonly ids: readonly string[] }) => Promise<null>;
  /** Removes everything. */
  readonly clear: (input: Readonly<Record<string, never>>) => Promise<null>;
  readonly size: (input: Readonly<Record<string, never>>) => Promise<{
    readonly documents: number;
  }>;
  /**
   * Documents that have all `terms` (16 at most), best first: titles that equal the query word for
   * word, then titles with all terms, the shorter first, then the rest. `limit` is 500 at most.
   */
  readonly query: (input: {
    readonly terms: readonly TextTerm[];
    readonly kind?: string;
    readonly scopes?: readonly string[] | null;
    readonly limit: number;
  }) => Promise<TextHits>;
  /** The same for several kinds at once, for little more than the cost of one; answers in order. */
  readonly queryKinds: (input: {
    readonly terms: readonly TextTerm[];
    readonly scopes?: readonly string[] | null;
    readonly kinds: readonly { readonly kind: string; readonly limit: number }[];
  }) => Promise<{ readonly kinds: readonly TextHits[] }>;
  /** Words of the index within one edit (insert, delete, replace, swap) of `text`, most frequent first. */
  readonly similar: (input: { readonly text: string; readonly limit: number }) => Promise<{
    readonly words: readonly { readonly text: string; readonly documents: number }[];
  }>;
}

const own = { permission: { name: 'textIndex' }, scope: 'none', viewer: 'none' } as const;
/** Text that is compared exactly; a NUL character is not allowed. */
const name = { type: 'string', minLength: 1, maxLength: 512, pattern: '^[^\\u0000]*$' } as const;
const word = { type: 'string', maxLength: 200 } as const;
const limit = { type: 'integer', minimum: 1, maximum: 500 } as const;
const scopes = { type: ['array', 'null'], items: name, maxItems: 4096 } as const;
const document = closed({
  id: name,
  scope: name,
  kind: name,
  title: { type: 'string', maxLength: 2000 },
  body: { type: 'string', maxLength: 100_000 },
});
const term = closed(
  { text: word },
  { prefix: { type: 'boolean' }, alternatives: { type: 'array', items: word, maxItems: 16 } },
);
const terms = { type: 'array', items: term, maxItems: 16 } as const;

/** What the server knows of each method. @internal */
export const textIndexMethods = {
  put: {
    ...own,
    needs: { documents: { type: 'array', items: document, maxItems: 500 } },
    // Room for 500 long documents; more would take too long to read at once.
    maxLength: 4 * 1024 * 1024,
    fillsTextIndex: true,
    done: { english: 'added to its search index', german: 'etwas in seinen Suchindex aufgenommen' },
  },
  remove: {
    ...own,
    needs: { ids: { type: 'array', items: name, maxItems: 500 } },
    done: {
      english: 'removed from its search index',
      german: 'etwas aus seinem Suchindex entfernt',
    },
  },
  clear: {
    ...own,
    done: { english: 'emptied its search index', german: 'seinen Suchindex geleert' },
  },
  size: {
    ...own,
    done: {
      english: 'asked for the size of its search index',
      german: 'nach der Größe seines Suchindex gefragt',
    },
  },
  query: {
    ...own,
    needs: { terms, limit },
    takes: { kind: name, scopes },
    done: { english: 'searched its index', german: 'in seinem Index gesucht' },
  },
  queryKinds: {
    ...own,
    needs: {
      terms,
      kinds: { type: 'array', minItems: 1, maxItems: 16, items: closed({ kind: name, limit }) },
    },
    takes: { scopes },
    done: { english: 'searched its index by kinds', german: 'in seinem Index nach Arten gesucht' },
  },
  similar: {
    ...own,
    needs: { text: word, limit: { ...limit, maximum: 100 } },
    done: {
      english: 'looked for similar words in its index',
      german: 'in seinem Index nach ähnlichen Wörtern gesucht',
    },
  },
} as const satisfies MethodRecords<TextIndexService>;
