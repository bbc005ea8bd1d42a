/**
 * Renewal: a device sends its pass, proves its key, and gets the newest valid pass of those that
 * its user's page signed in advance. The choice depends on the time and consumes nothing, so a
 * device that lost the reply can retry.
 */
import { isUniqueViolation } from '../../../../kernel/store/index.ts';
import {
  bytesToSign,
  clockLeewaySeconds,
  fromBase64url,
  isClientId,
  isPassSigned,
  isSignedBy,
  openPass,
  renewableAfterSeconds,
  type OpenedPass,
} from '../../../lib/identity-protocol/index.ts';
import { findUser } from '../accounts/account-store.ts';
import { networkKeyOf } from '../service/client-address.ts';
import { serversOf, type Client, type ClientPass } from '../pairing/client.ts';
import * as store from '../pairing/client-store.ts';
import { Refusal } from '../service/errors.ts';
import { findRecord } from '../feed/feed-store.ts';
import { dayMs, hourMs, toSeconds, type Core } from '../service/parts.ts';
import { createRate } from '../service/request-rates.ts';
import { rotationsOf, type Rotation } from '../revocations/rotation-store.ts';
import type { FeedRecord } from '../service/web-api.ts';

/** The request of a device. */
export interface RenewalRequest {
  readonly currentCert: unknown;
  readonly ts: number;
  readonly sig: string;
}

/** The reply; `null` = no pass is ready. */
export interface Renewal extends ClientPass {
  /** The rotations of the user's key since the pass in the request: each old key signs the next. */
  readonly rotation?: FeedRecord;
  readonly rotations?: readonly FeedRecord[];
}

export type Renewals = ReturnType<typeof createRenewals>;

const leewayMs = clockLeewaySeconds * 1000;

export function createRenewals(core: Core) {
  const { database, clock, limits } = core;
  const perAddress = createRate(clock, [{ most: limits.renewalsPerHour, inMs: hourMs }]);
  const perClient = createRate(clock, [{ most: limits.renewalsPerClientPerDay, inMs: dayMs }]);

  const renew = async (clientId: string, request: RenewalRequest): Promise<Renewal | null> => {
    const pass = openPass(request.currentCert);
    if (typeof pass === 'string') throw new Refusal('cert_malformed');
    if (!isClientId(clientId) || pass.claims.clientId !== clientId)
      throw new Refusal('client_mismatch');
    const client = await store.findClient(database.read, clientId);
    if (!client) throw new Refusal('unknown_client');
    const steps = await stepsSince(pass, client);
    const now = clock.now();
    if (Math.abs(now - request.ts) > leewayMs)
      throw new Refusal('clock_skew', { fields: { serverTime: now } });
    await assertAsked(client, pass, request);
    perClient.take(clientId);
    await note(clientId, request.ts, now);
    if (client.revokedAt !== null) throw new Refusal('revoked');
    const { iat, exp } = pass.claims;
    if (exp <= toSeconds(now)) throw new Refusal('cert_expired');
    const renewableAt = iat + renewableAfterSeconds;
    if (steps.length === 0 && toSeconds(now) < renewableAt)
      throw new Refusal('renewal_too_early', { fields: { renewableAt } });
    const newest = await store.newestPass(database.read, clientId, toSeconds(now));
    if (!newest || (steps.length === 0 && newest.iat <= iat)) return null;
    const { serverList } = client;
    const renewed = { cert: newest.cert, servers: serversOf(serverList), serverList };
    return { ...renewed, ...(await recordsOf(steps)) };
  };

  /**
   * The rotations from the key of this pass to the user's current one; none = it is the current
   * one. Rejects with `cert_bad_signature` when the pass does not belong to this user and client.
   */
  const stepsSince = async (pass: OpenedPass, client: Client): Promise<readonly Rotation[]> => {
    const { claims } = pass;
    const user = await findUser(database.read, client.userId);
    const rotations = user ? await rotationsOf(database.read, user.userId) : [];
    const steps: Rotation[] = [];
    let key = claims.userPubKey;
    for (const step of rotations) {
      if (step.oldPubKey !== key) continue;
      if (step.revokedAt !== null) throw new Refusal('cert_bad_signature');
      steps.push(step);
      key = step.newPubKey;
    }
    const isTheirs =
      user !== undefined &&
      user.keyRevokedAt === null &&
      claims.userId === user.userId &&
      key === user.userPubKey &&
      claims.clientPubKey === client.clientPubKey &&
      claims.appId === client.appId;
    if (!isTheirs || !(await isPassSigned(pass))) throw new Refusal('cert_bad_signature');
    return steps;
  };

  const assertAsked = async (
    { clientId, clientPubKey }: Client,
    { claims }: OpenedPass,
    { ts, sig }: RenewalRequest,
  ): Promise<void> => {
    const asked = { kind: 'cert-renewal', clientId, currentCertExp: claims.exp, ts };
    const signature = fromBase64url(sig);
    if (signature && (await isSignedBy(clientPubKey, bytesToSign(asked), signature))) return;
    throw new Refusal('renew_bad_signature');
  };

  const note = (clientId: string, ts: number, at: number): Promise<void> =>
    database
      .write(async (trx) => {
        await store.noteRenewal(trx, { clientId, ts, at });
        await store.noteSeen(trx, clientId, at);
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? new Refusal('replayed') : error;
      });

  const recordsOf = async (steps: readonly Rotation[]): Promise<Partial<Renewal>> => {
    const found = await Promise.all(
      steps.map(({ payloadHash }) => findRecord(database.read, payloadHash)),
    );
    const records = found.flatMap((one) =>
      one?.newSig === undefined ? [] : [{ payload: one.payload, sig: one.sig, newSig: one.newSig }],
    );
    const [rotation] = records;
    if (rotation === undefined) return {};
    return records.length === 1 ? { rotation } : { rotation, rotations: records };
  };

  return { check: (address: string): void => perAddress.take(networkKeyOf(address)), renew };
}
