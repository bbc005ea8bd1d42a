export { createArtwork, type ArtworkParts, type FindArtwork } from './artwork.ts';
export { createAssets, type AssetRequest, type AssetsParts, type OpenAsset } from './assets.ts';
export { createMediaLinks } from './media-links.ts';
export type { MediaLink, MediaLinks, MediaLinksParts } from './media-links.ts';
export { createSizedPictures, type MakePicture } from './sized-pictures.ts';
export { createStreams } from './streams.ts';
export type { StreamAnswer, StreamRequest } from './stream-answer.ts';
export type { Streams, StreamsParts } from './streams.ts';
