import type {
  Host,
  IndexedItem,
  LibraryChange,
  TextDocument,
  TextHit,
} from '../../plugin-api/index.ts';

/** A host with a library and a text index in memory, for the tests of this plugin. */
export interface FakeHost {
  readonly host: Host;
  readonly documents: Map<string, TextDocument>;
  readonly kv: Map<string, unknown>;
  /** Every host call, as `service.method`. */
  readonly calls: string[];
  /** Adds or changes an item. */
  readonly save: (item: IndexedItem) => void;
  readonly remove: (itemId: string) => void;
  /** No item of the library links to the entity any longer. */
  readonly leave: (entityId: string, libraryId: string) => void;
  /** Called before each host call; may throw or wait. */
  before: (call: string) => Promise<void> | void;
}

/** Builds an empty one. */
export function createFakeHost(): FakeHost {
  const documents = new Map<string, TextDocument>();
  const kv = new Map<string, unknown>();
  const changes = new Map<string, LibraryChange>();
  const calls: string[] = [];
  let seq = 0;

  const fake: FakeHost = {
    host: undefined as never,
    documents,
    kv,
    calls,
    save: (item) => {
      seq += 1;
      changes.delete(item.id);
      changes.set(item.id, { kind: 'present', item, seq });
    },
    remove: (itemId) => {
      seq += 1;
      changes.delete(itemId);
      changes.set(itemId, { kind: 'removed', itemId, seq });
    },
    leave: (entityId, libraryId) => {
      seq += 1;
      const key = `${entityId}@${libraryId}`;
      changes.delete(key);
      changes.set(key, { kind: 'entity-left', entityId, libraryId, seq });
    },
    before: () => undefined,
  };

  const on =
    <Input, Output>(name: string, answer: (input: Input) => Output) =>
    async (input: Input): Promise<Output> => {
      calls.push(name);
      await fake.before(name);
      return structuredClone(answer(input));
    };

  const services = {
    kv: {
      get: on('kv.get', ({ key }: { key: string }) => kv.get(key) ?? null),
      set: on('kv.set', ({ key, value }: { key: string; value: unknown }) => {
        kv.set(key, value);
        return null;
      }),
    },
    library: {
      changes: on('library.changes', (input: { seq: number; limit: number }) => {
        const later = [...changes.values()].filter((change) => change.seq > input.seq);
        const page = later.slice(0, input.limit);
        return {
          changes: page,
          seq: page.at(-1)?.seq ?? input.seq,
          done: page.length === later.length,
        };
      }),
    },
    textIndex: {
      put: on('textIndex.put', (input: { documents: readonly TextDocument[] }) => {
        if (input.documents.length > 500) throw new Error('A put takes at most 500 documents.');
        for (const document of input.documents) documents.set(document.id, document);
        return null;
      }),
      remove: on('textIndex.remove', ({ ids }: { ids: readonly string[] }) => {
        for (const id of ids) documents.delete(id);
        return null;
      }),
      clear: on('textIndex.clear', () => {
        documents.clear();
        return null;
      }),
      size: on('textIndex.size', () => ({ documents: documents.size })),
      query: on('textIndex.query', (input: IndexQuery) => runQuery(documents, input)),
      queryKinds: on('textIndex.queryKinds', ({ kinds, ...query }: KindsQuery) => ({
        kinds: kinds.map((wanted) => runQuery(documents, { ...query, ...wanted })),
      })),
      similar: on('textIndex.similar', (input: { text: string; limit: number }) => ({
        words: similarWords(documents, input.text).slice(0, input.limit),
      })),
    },
  };
  return Object.assign(fake, { host: services as unknown as Host });
}

type KindsQuery = Omit<IndexQuery, 'kind' | 'limit'> & {
  readonly kinds: readonly { readonly kind: string; readonly limit: number }[];
};

interface IndexQuery {
  readonly terms: readonly {
    readonly text: string;
    readonly prefix?: boolean;
    readonly alternatives?: readonly string[];
  }[];
  readonly kind?: string;
  readonly scopes?: readonly string[] | null;
  readonly limit: number;
}

const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const pattern = new RegExp(`[${cjk}]|(?:(?![${cjk}])[\\p{L}\\p{N}])+`, 'gu');

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{Mn}/gu, '')
      .normalize('NFC')
      .toLowerCase()
      .match(pattern) ?? []
  );
}

function runQuery(
  documents: ReadonlyMap<string, TextDocument>,
  { terms, kind, scopes, limit }: IndexQuery,
): { hits: TextHit[]; total: number } {
  const hits = [...documents.values()]
    .filter((document) => kind === undefined || document.kind === kind)
    .filter((document) => scopes == null || scopes.includes(document.scope))
    .filter((document) => {
      const words = [...wordsOf(document.title), ' ', ...wordsOf(document.body)];
      return terms.every(
        ({ text, prefix = false, alternatives = [] }) =>
          hasPhrase(words, wordsOf(text), prefix) ||
          alternatives.some((word) => hasPhrase(words, wordsOf(word), false)),
      );
    })
    .map(({ id, kind: ofKind, title }) => ({ id, kind: ofKind, title, score: 1 }));
  return { hits: hits.slice(0, limit), total: hits.length };
}

function hasPhrase(words: readonly string[], phrase: readonly string[], prefix: boolean): boolean {
  if (phrase.length === 0) return false;
  return words.some((_, start) =>
    phrase.every((word, index) => {
      const found = words[start + index] ?? '';
      return found === word || (prefix && index === phrase.length - 1 && found.startsWith(word));
    }),
  );
}

function similarWords(
  documents: ReadonlyMap<string, TextDocument>,
  text: string,
): { text: string; documents: number }[] {
  const counts = new Map<string, number>();
  for (const { title, body } of documents.values()) {
    for (const word of new Set(wordsOf(`${title} ${body}`)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .filter(([word]) => edits(word, text) <= 1)
    .map(([word, count]) => ({ text: word, documents: count }))
    .sort((a, b) => b.documents - a.documents);
}

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
function edits(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a.charAt(i - 1) === b.charAt(j - 1);
      let cost = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1));
      const isSwap = a.charAt(i - 1) === b.charAt(j - 2) && a.charAt(i - 2) === b.charAt(j - 1);
      if (i > 1 && j > 1 && isSwap) cost = Math.min(cost, at(i - 2, j - 2) + 1);
      const row = rows[i];
      if (row !== undefined) row[j] = cost;
    }
  }
  return at(a.length, b.length);
}
