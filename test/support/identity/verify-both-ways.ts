import {
  createIsSignedBy,
  type IsSignedBy,
} from '../../../packages/lib/identity-protocol/ed25519.ts';
import { isSignedBy } from '../../../packages/lib/identity-protocol/index.ts';

const byRule = createIsSignedBy(null);

/**
 * Asks the way through WebCrypto and the rule alone; throws when they do not agree. A no is the rule's
 * own already: WebCrypto says yes, or nothing.
 */
export const isSignedBothWays: IsSignedBy = async (key, bytes, signature) => {
  if (!(await isSignedBy(key, bytes, signature))) return false;
  if (await byRule(key, bytes, signature)) return true;
  throw new Error('WebCrypto says yes where the rule says no.');
};
