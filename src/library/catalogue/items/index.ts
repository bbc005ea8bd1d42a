export type { EntityProfile } from '../entities/entity-profile.ts';
export { withSeed, type Letter, type LettersQuery } from './item-lists.ts';
export type { ItemFilters, ItemQuery } from './item-query.ts';
export type { FileContent, PlacedContent } from './file.ts';
export type { GivenTexts } from '../texts/given-texts.ts';
export type { OwnStill } from './files.ts';
export type { PictureLooks } from './picture-looks.ts';
export type { WantedPictures } from './wanted-pictures.ts';
export type {
  CollectionItems,
  FindCollectionItems,
  ItemRows,
  ProfileItems,
} from './profile-items.ts';
export { byPart } from '../tables/part-order.ts';
export type { NewInLibrary } from './newest.ts';
export { findMovedItems, readGone, type MovedItem } from './moved-item-store.ts';
