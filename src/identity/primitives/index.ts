export { fromBase64url, toBase64url } from './base64url.ts';
export { canonicalText, decodeCanonical, type CanonicalObject } from './canonical-text.ts';
