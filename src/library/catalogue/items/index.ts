export type { EntityProfile } from '../entities/entity-profile.ts';
export { entitySorts } from '../entities/entity-sort.ts';
export type { ListedEntity } from '../entities/listed-entity.ts';
export { itemSorts } from './item-list-store.ts';
export type { PictureLooks } from './picture-looks.ts';
export { itemShapes } from './tile.ts';
export type { Tile } from './tile.ts';
export type { TilePicture } from '../tables/shown-picture.ts';
