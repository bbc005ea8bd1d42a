export { fromBase64url, toBase64url } from './base64url.ts';
export { canonicalText, decodeCanonical, type CanonicalObject } from './canonical-text.ts';
export { isSignedBy, isUsableKey, publicKeyOf, signWith } from './ed25519.ts';
export { isValidKey } from './key-validation.ts';
export { isAppId, isBaseUrl, isClientId, isMilliseconds, isShownName } from './fields.ts';
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
export { platformOf, platforms, type Platform } from './platform.ts';
export { feedKinds, openRecord, type OpenedRecord, type SignedRecord } from './records.ts';
export {
  bytesToSign,
  isSignedObjectBy,
  longestList,
  openSigned,
  sealSigned,
  type SignedObject,
} from './signed-object.ts';
