export {
  cacheNameOf,
  createDiskCache,
  packAnswer,
  unpackAnswer,
  type CachedAnswer,
  type DiskCache,
} from './disk-cache.ts';
export type { Exchange, ExchangeReply, ExchangeRequest } from './exchange.ts';
export { pictureType } from './picture-type.ts';
export type { Lookup } from './guarded-agent.ts';
export type { NetCounters } from './net-usage.ts';
export { createNetwork, type Network, type NetworkParts } from './network.ts';
export { createSourceFetch, type SourceFetch } from './source-fetch.ts';
export { createOperatorFetch, type OperatorFetch } from './operator-fetch.ts';
export { createOwnAddresses, insteadOfOwn, type OwnAddresses } from './own-addresses.ts';
export type { TextFetch } from './text-fetch.ts';
export type { Picture, PictureFetch, PictureRequest } from './picture-fetch.ts';
