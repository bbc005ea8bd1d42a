import { AppError } from '../../platform/errors.ts';
import { type Principal, isRoutePattern } from '../credentials/index.ts';
import { fullVisibility, visibilityOfLibraries, isAtLeast, type Limit } from '../viewer/index.ts';
import { roles, type User } from '../../contract/resources/accounts/accounts.ts';
import type { ApiKey, NewApiKey } from '../../contract/resources/accounts/api-keys.ts';

const tokenForm = /^vtk_[0-9a-f]{64}$/;
const libraryScope = 'library:';
const routeScope = 'route:';
const mostScopes = 100;

/** Whether a text has the form of an API key: `vtk_` and 64 hex digits. */
export const isApiToken = (text: string): boolean => tokenForm.test(text);

/** The rights of a key: those of its user, with the lower of both roles. */
export function principalOfKey({ id, role, scopes }: ApiKey, user: User): Principal {
  const libraryIds = limitAfter(libraryScope, scopes);
  return {
    credentialId: id,
    credentialKind: 'api-key',
    userId: user.id,
    role: isAtLeast(user.role, role) ? role : user.role,
    isReadOnly: scopes?.includes('read-only') === true,
    scope: libraryIds === null ? fullVisibility : visibilityOfLibraries(libraryIds),
    routes: limitAfter(routeScope, scopes),
  };
}

/** The limit that the scopes of one kind make. Scopes of the other kinds alone do not limit this one. */
function limitAfter(prefix: string, scopes: Limit<string>): Limit<string> {
  const named = namesAfter(prefix, scopes);
  return scopes === null || (named.length === 0 && scopes.length > 0) ? null : named;
}

const namesAfter = (prefix: string, scopes: Limit<string>): readonly string[] =>
  (scopes ?? [])
    .filter((scope) => scope.startsWith(prefix))
    .map((scope) => scope.slice(prefix.length));

/** Whether the key has expired. */
export const isExpired = ({ expiresAt }: ApiKey, nowMs: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= nowMs;

/** A new key with its defaults, or a refusal that names the field. */
export function parseNewApiKey(
  { name, role, scopes = null, expiresAt = null }: NewApiKey,
  owner: Pick<User, 'role'>,
  nowMs: number,
): Pick<ApiKey, 'name' | 'role' | 'scopes' | 'expiresAt'> {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 100) throw refusal('name must be 1 to 100 characters.');
  const wanted = role ?? owner.role;
  if (!roles.includes(wanted)) throw refusal(`role must be one of ${roles.join(', ')}.`);
  if (!isAtLeast(owner.role, wanted)) {
    throw refusal(`role must be at most your own, which is ${owner.role}.`);
  }
  const distinct = scopes && [...new Set(scopes)];
  if (distinct !== null && distinct.length > mostScopes)
    throw refusal(`scopes must be at most ${mostScopes}.`);
  const wrong = distinct?.find((scope) => !isScope(scope));
  if (wrong !== undefined) {
    throw refusal(
      `scopes: ${JSON.stringify(wrong)} is not one of read-only, library:<id> and ` +
        'route:<METHOD path>, such as route:GET /api/items/:id.',
    );
  }
  return { name: trimmed, role: wanted, scopes: distinct, expiresAt: expiry(expiresAt, nowMs) };
}

/** Refuses a key for a library that does not exist: it would open nothing, and say nothing of it. */
export function assertLibraries(
  { scopes }: Pick<ApiKey, 'scopes'>,
  hasLibrary: (id: string) => boolean,
): void {
  const missing = namesAfter(libraryScope, scopes).find((id) => !hasLibrary(id));
  if (missing === undefined) return;
  throw refusal(`scopes: there is no library ${JSON.stringify(missing)}.`);
}

const isScope = (scope: string): boolean =>
  scope === 'read-only' ||
  /^library:[\w-]{1,100}$/.test(scope) ||
  (scope.startsWith(routeScope) && isRoutePattern(scope.slice(routeScope.length)));

function expiry(expiresAt: string | null, nowMs: number): string | null {
  if (expiresAt === null) return null;
  const at = Date.parse(expiresAt);
  if (at > nowMs) return new Date(at).toISOString();
  throw refusal('expiresAt must be in the future.');
}

const refusal = (what: string): AppError => new AppError('invalid_request', { what });
