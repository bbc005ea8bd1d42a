/** The names of the tables of one index. The number comes from the catalogue, never from a plugin. */
export interface IndexTables {
  readonly indexId: number;
  readonly documents: string;
  /** The inverted index. */
  readonly words: string;
  readonly terms: string;
}

/** A document, as its index stores it. */
export interface IndexedDocument {
  readonly key: number;
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly title_words: string;
  readonly body_words: string;
}

/** The tables of the index with this number. */
export function tablesOf(indexId: number): IndexTables {
  const name = `text_index_${indexId}`;
  return {
    indexId,
    documents: `${name}_documents`,
    words: `${name}_words`,
    terms: `${name}_terms`,
  };
}
