import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Principal } from './principal.ts';
import { fullSight, sightOfLibraries } from './sight.ts';
import { roles, type Role } from './viewer.ts';

/** An API key as its owner sees it: all of it but the token, which nobody knows any more. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** `read-only`, and `library:<id>` any number of times; none = no limit. */
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

/** What a new key is made of. */
export interface NewApiKey {
  readonly name: string;
  readonly role: Role;
  readonly scopes?: readonly string[] | undefined;
  readonly expiresAt?: string | null | undefined;
}

const tokenForm = /^vtk_[0-9a-f]{64}$/;
const libraryScope = 'library:';

/** Whether a text has the form of an API key: `vtk_` and 64 hex digits. */
export const isApiToken = (text: string): boolean => tokenForm.test(text);

/** 256 random bits need no slow hash: nobody finds them by trying. */
export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

/** Who stands behind a key. */
export function principalOfKey({ id, role, scopes }: ApiKey): Principal {
  const libraryIds = scopes
    .filter((scope) => scope.startsWith(libraryScope))
    .map((scope) => scope.slice(libraryScope.length));
  return {
    credentialId: id,
    credentialKind: 'api-key',
    userId: id,
    role,
    isReadOnly: scopes.includes('read-only'),
    scope: libraryIds.length === 0 ? fullSight : sightOfLibraries(libraryIds),
    routes: null,
  };
}

/** Whether the key is past its time. */
export const isExpired = ({ expiresAt }: ApiKey, nowMs: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= nowMs;

/** A new key with its defaults, or a refusal that names the field. */
export function parseNewApiKey(
  { name, role, scopes = [], expiresAt = null }: NewApiKey,
  nowMs: number,
): Required<NewApiKey> & { readonly scopes: readonly string[]; readonly expiresAt: string | null } {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 100) throw refusal('name must be 1 to 100 characters.');
  if (!roles.includes(role)) throw refusal(`role must be one of ${roles.join(', ')}.`);
  const wrong = scopes.find(
    (scope) => scope !== 'read-only' && !/^library:[\w-]{1,100}$/.test(scope),
  );
  if (wrong !== undefined) {
    throw refusal(`scopes: ${JSON.stringify(wrong)} is neither read-only nor library:<id>.`);
  }
  return { name: trimmed, role, scopes: [...new Set(scopes)], expiresAt: expiry(expiresAt, nowMs) };
}

function expiry(expiresAt: string | null, nowMs: number): string | null {
  if (expiresAt === null) return null;
  const at = Date.parse(expiresAt);
  if (at > nowMs) return new Date(at).toISOString();
  throw refusal('expiresAt must be a time to come.');
}

const refusal = (what: string): AppError => new AppError('invalid_request', { what });
