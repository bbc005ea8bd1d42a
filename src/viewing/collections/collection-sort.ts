/** What the items of a collection can be sorted by; `manual` is the order that its owner gave them. */
import type {
  collectionKinds,
  collectionSorts,
} from '../../contract/resources/library/collections.ts';
export type CollectionSort = (typeof collectionSorts)[number];
export type CollectionOrder = 'asc' | 'desc';

export type CollectionKind = (typeof collectionKinds)[number];
