export { answered } from './answered.ts';
export { tileWords } from '../items/tile.ts';
export { createMediaService } from './media-service.ts';
export type { MediaScope, MediaScopeFor } from './media-scope.ts';
export type { PlaylistPlace, PlaylistPlaces } from './playlist-places.ts';
export { readWithin, type Page } from './media-pages.ts';
