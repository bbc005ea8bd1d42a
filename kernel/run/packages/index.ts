export { longestPackage } from './envelope.ts';
export { isExpired, isFromTheFuture, longestIndexDays } from './index-lifetime.ts';
export {
  departedFault,
  departureOf,
  isRotation,
  leadsTo,
  rotateKey,
  type KeyRotation,
} from './key-rotation.ts';
export {
  byVersion,
  createIndexReader,
  indexDigest,
  isNewer,
  isPrerelease,
  longestIndex,
  runsOn,
  signIndex,
} from './marketplace-index.ts';
export type {
  IndexPlugin,
  IndexVersion,
  MarketplaceIndex,
  ReadIndex,
} from './marketplace-index.ts';
export { localeTextsIn } from './locale-files.ts';
export { filesOf, makeArchive, manifestIn, openArchive, packed } from './plugin-archive.ts';
export type { OpenedArchive } from './plugin-archive.ts';
export { pluginFacts } from './plugin-facts.ts';
export { signatureFile } from './package-signature.ts';
export { readSource } from './package-source.ts';
export type { PackageFiles } from './tar.ts';
export { differingFacts, versionFacts } from './version-facts.ts';
export type { GrantingField, SubscribedNames } from './version-facts.ts';
export type { PackageRecord } from './package-store.ts';
export { isUsableKey, type Signer } from './signature.ts';
