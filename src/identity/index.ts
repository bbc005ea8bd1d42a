export {
  canonicalText,
  decodeCanonical,
  fromBase64url,
  toBase64url,
  type CanonicalObject,
} from './primitives/index.ts';
export { openServerIdentity, type ServerIdentity } from './server-id.ts';
