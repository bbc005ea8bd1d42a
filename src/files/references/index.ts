export { createClaims, type Claims, type ClaimsParts } from './claims.ts';
export {
  acceptedAssets,
  acceptedAuxiliary,
  acceptedEntities,
  freeEntities,
  type AcceptUri,
  type NamedUri,
} from './named-uris.ts';
export { acceptedSubtitles, type SubtitleRules } from './named-subtitles.ts';
export { createServerPlaces, type ServerPlaces } from './server-places.ts';
export {
  createReferenceCheck,
  type CheckReference,
  type Place,
  type ReferencesParts,
  type Verdict,
} from './references.ts';
