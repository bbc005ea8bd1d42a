/** The identity pass: a statement, signed with the user's key, about one app on one device. */
import { isAppId, isClientId, isKey, isScope, isSeconds, isShownName, isUserId } from './fields.ts';
import { hasShape, listOf, type Check, type Shaped } from './shape.ts';
import { isSignedObjectBy, openSigned, type OpenedObject } from './signed-object.ts';

const isVersion: Check<number> = (value): value is number => Number.isSafeInteger(value);

const claims = {
  appId: isAppId,
  clientId: isClientId,
  clientPubKey: isKey,
  deviceName: isShownName,
  exp: isSeconds,
  iat: isSeconds,
  scope: listOf(isScope, 1, 16),
  userId: isUserId,
  userPubKey: isKey,
  v: isVersion,
} as const;

/** The ten claims. `iat` and `exp` are Unix seconds. */
export type PassClaims = Shaped<typeof claims>;

/** Longest validity of a pass. */
export const passLifetimeSeconds = 60 * 86_400;
/** How far `iat` may be ahead of the reader's clock. */
export const clockLeewaySeconds = 300;
/** From this age on a pass may be renewed. */
export const renewableAfterSeconds = 30 * 86_400;

/** A well-formed pass; its signature is not verified yet. */
export interface OpenedPass {
  readonly opened: OpenedObject;
  readonly claims: PassClaims;
}

/** Parses a pass, or returns the error code of the protocol. */
export function openPass(cert: unknown): OpenedPass | 'cert_malformed' | 'cert_version' {
  const opened = openSigned(cert);
  if (opened === null || !hasShape(opened.value, claims)) return 'cert_malformed';
  if (opened.value.v !== 1) return 'cert_version';
  return { opened, claims: opened.value };
}

/** Whether the user key that the pass names signed it. */
export const isPassSigned = ({ opened, claims: { userPubKey } }: OpenedPass): Promise<boolean> =>
  isSignedObjectBy(userPubKey, opened);

/** The error code of the protocol for a pass outside its validity; `null` = valid now. */
export function timeFault(
  { iat, exp }: Pick<PassClaims, 'iat' | 'exp'>,
  nowSeconds: number,
): 'cert_lifetime' | 'cert_not_yet_valid' | 'cert_expired' | null {
  if (exp <= iat || exp - iat > passLifetimeSeconds) return 'cert_lifetime';
  if (iat > nowSeconds + clockLeewaySeconds) return 'cert_not_yet_valid';
  return exp <= nowSeconds ? 'cert_expired' : null;
}

/** Whether the scope of a pass includes this server. */
export const isForServer = ({ scope }: Pick<PassClaims, 'scope'>, serverId: string): boolean =>
  scope.includes('servers:*') || scope.includes(`servers:${serverId}`);
