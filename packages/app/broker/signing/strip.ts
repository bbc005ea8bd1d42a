/**
 * `toJSON()` of a credential contains the PRF output, which opens the vault and must never leave
 * the page. So the JSON for the broker is built field by field, and its extension results say only
 * whether there is a PRF.
 */
import type { CredentialJson } from '../service/web-api.ts';

const named = [
  'attestationObject',
  'authenticatorData',
  'clientDataJSON',
  'publicKey',
  'publicKeyAlgorithm',
  'signature',
  'transports',
  'userHandle',
] as const;

/** The credential in the form that may be sent. */
export function strip(json: unknown): CredentialJson {
  const credential = objectOf(json);
  const response = objectOf(credential['response']);
  const { id, rawId, type, authenticatorAttachment } = credential;
  const enabled = objectOf(objectOf(credential['clientExtensionResults'])['prf'])['enabled'];
  return {
    id,
    rawId,
    type,
    ...(typeof authenticatorAttachment === 'string' && { authenticatorAttachment }),
    response: Object.fromEntries(
      named.filter((name) => response[name] !== undefined).map((name) => [name, response[name]]),
    ),
    clientExtensionResults: typeof enabled === 'boolean' ? { prf: { enabled } } : {},
  };
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
