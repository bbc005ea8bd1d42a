export { itemSorts } from './item-list-store.ts';
export type { PictureLooks } from './picture-looks.ts';
export { itemShapes } from './tile.ts';
export type { Tile, TilePicture } from './tile.ts';
