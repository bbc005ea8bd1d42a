/**
 * `toJSON()` of a credential holds what its PRF gave, which opens the vault. Nothing of it may ever
 * leave the page: what is posted is made here, field by field, and has of the extensions no more than
 * whether there is a PRF.
 */
import type { CredentialJson } from '../web-api.ts';

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

/** The credential as it may be posted. */
export function strip(json: unknown): CredentialJson {
  const credential = objectOf(json);
  const response = objectOf(credential['response']);
  const { id, rawId, type, authenticatorAttachment } = credential;
  const enabled = objectOf(objectOf(credential['clientExtensionResults'])['prf'])['enabled'];
  return {
    ...{ id, rawId, type },
    ...(typeof authenticatorAttachment === 'string' && { authenticatorAttachment }),
    response: Object.fromEntries(
      named.filter((name) => response[name] !== undefined).map((name) => [name, response[name]]),
    ),
    clientExtensionResults: typeof enabled === 'boolean' ? { prf: { enabled } } : {},
  };
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
