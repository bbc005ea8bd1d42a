/** What the items of a collection can be sorted by; `manual` is the order that its owner gave them. */
export const collectionSorts = ['manual', 'title', 'year', 'addedAt'] as const;

export type CollectionSort = (typeof collectionSorts)[number];
export type CollectionOrder = 'asc' | 'desc';

/** What a collection can be: a playlist is ordered, and an item may stand in it twice. */
export const collectionKinds = ['collection', 'playlist'] as const;

export type CollectionKind = (typeof collectionKinds)[number];
