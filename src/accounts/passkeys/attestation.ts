import { AppError } from '../../errors.ts';

/**
 * The server asks for no word of the maker about an authenticator, and reads none: certificates would
 * have it parse what a stranger wrote, and ask addresses in them. What stays is nothing at all, or
 * the passkey's own signature.
 */
export async function assertNoCertificates(reply: unknown): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(attestationOf(reply));
  const isOwn = decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (decoded.get('fmt') === 'none' || isOwn) return;
  throw new AppError('passkey_refused', { why: 'It brings certificates, which nobody asked for.' });
}

function attestationOf(reply: unknown): Uint8Array<ArrayBuffer> {
  const { response } = reply as { readonly response?: { readonly attestationObject?: unknown } };
  return Uint8Array.from(Buffer.from(String(response?.attestationObject), 'base64url'));
}
