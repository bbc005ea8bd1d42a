import { AppError } from '../../../platform/errors.ts';

/**
 * Refuses attestation certificates. The server does not ask for statements of manufacturers: it
 * would have to parse untrusted certificates and contact the addresses in them. Allowed are no
 * attestation, and self attestation.
 */
export async function assertNoCertificates(reply: unknown): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(attestationOf(reply));
  const isOwn = decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (decoded.get('fmt') === 'none' || isOwn) return;
  throw new AppError('passkey_refused', {
    why: 'It contains attestation certificates, which the server did not request.',
  });
}

function attestationOf(reply: unknown): Uint8Array<ArrayBuffer> {
  const { response } = reply as { readonly response?: { readonly attestationObject?: unknown } };
  return Uint8Array.from(Buffer.from(String(response?.attestationObject), 'base64url'));
}
