export { createClaims, type Claims, type ClaimsParts } from './claims.ts';
export {
  acceptedAssets,
  acceptedAuxiliary,
  acceptedEntities,
  acceptedSubtitles,
  type AcceptUri,
  type NamedUri,
} from './named-uris.ts';
export {
  createReferenceCheck,
  type CheckReference,
  type Place,
  type ReferencesParts,
  type Verdict,
} from './references.ts';
