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
  createJudgeReference,
  type JudgeReference,
  type Place,
  type ReferencesParts,
  type Verdict,
} from './references.ts';
