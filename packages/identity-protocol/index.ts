export { fromBase64url, toBase64url } from './base64url.ts';
export { canonicalText, decodeCanonical, type CanonicalObject } from './canonical-text.ts';
export {
  createIsSignedBy,
  isSignedBy,
  isUsableKey,
  publicKeyOf,
  signWith,
  type IsSignedBy,
  type NativeVerify,
} from './ed25519.ts';
export { isValidKey, type IsValidKey } from './key-validation.ts';
export {
  isAppId,
  isBaseUrl,
  isClientId,
  isMilliseconds,
  isSeconds,
  isShownName,
  isUserId,
} from './fields.ts';
export { fromHex32, isHex32, toHex } from './hex.ts';
export {
  clockLeewaySeconds,
  isForServer,
  isPassSigned,
  openPass,
  passLifetimeSeconds,
  renewableAfterSeconds,
  timeFault,
  type OpenedPass,
  type PassClaims,
} from './pass.ts';
export {
  feedKinds,
  openRecord,
  type OpenedRecord,
  type RecordKind,
  type SignedRecord,
} from './records.ts';
export {
  bytesToSign,
  isSignedObjectBy,
  longestList,
  longestPayload,
  openSigned,
  sealSigned,
  type OpenedObject,
  type SignedObject,
} from './signed-object.ts';
