/**
 * Keeps a pass valid. From 30 days after it was signed, at a random time of the first day, a new
 * one is requested; then once a day until there is one. Timers never wait longer than six hours,
 * because platforms drop long ones and devices sleep.
 */
import { renewableAfterSeconds } from '../../lib/identity-protocol/index.ts';
import type { Broker, Grant } from './broker.ts';
import type { Clock, Undo } from './clock.ts';
import { IdentityError, toIdentityError } from './identity-error.ts';
import type { ClientKey } from './key-store.ts';
import type { Membership } from './membership.ts';
import {
  assertFollows,
  assertLive,
  checkPass,
  checkServerList,
  type CheckedList,
  type CheckedPass,
} from './pass-check.ts';
import { fraction, type RandomBytes } from './random.ts';
import type { RenewalOutcome } from './state.ts';

/** The dependencies of the renewal. */
export interface RenewalParts {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** `null` = not signed in. */
  readonly current: () => { readonly membership: Membership; readonly key: ClientKey } | null;
  /** The stored data, in case another tab was faster; `null` when it signed out. */
  readonly reread: () => Promise<Membership | null>;
  /** Uses and stores the new data. */
  readonly adopt: (next: Membership) => Promise<void>;
  readonly onResult: (outcome: RenewalOutcome | IdentityError) => void;
  readonly ended: (reason: 'revoked' | 'expired' | 'elsewhere') => Promise<void>;
}

/** Keeps the pass valid until it is stopped. */
export interface Renewal {
  /** Schedules the next renewal. */
  readonly plan: () => void;
  /** Requests a new pass now, due or not. */
  readonly now: () => Promise<RenewalOutcome>;
  readonly stop: () => void;
}

const dayMs = 86_400_000;
const longestWaitMs = dayMs / 4;
/** How much older a list may be than the pass: the page that signs it has a clock of its own. */
const listLeewaySeconds = 600;

/** When a pass is renewed: 30 days after it was signed, and up to a day more. */
export const renewalMoment = ({ claims }: CheckedPass, random: RandomBytes): number =>
  (claims.iat + renewableAfterSeconds) * 1000 + Math.floor(fraction(random) * dayMs);

export function createRenewal(parts: RenewalParts): Renewal {
  const { clock, broker } = parts;
  let timer: Undo | null = null;
  let asking: Promise<RenewalOutcome> | null = null;

  function plan(): void {
    timer?.();
    const active = parts.current();
    if (active === null) return;
    const { renewAtMs, pass } = active.membership;
    const nextMs = Math.min(renewAtMs, pass.claims.exp * 1000) - clock.now();
    timer = clock.after(Math.min(Math.max(nextMs, 0), longestWaitMs), () => void look());
  }

  /** Renews if it is due; an expired pass ends the account on this device. */
  async function look(): Promise<void> {
    const before = parts.current();
    if (before && clock.now() >= before.membership.renewAtMs) await now().catch(() => undefined);
    const active = parts.current();
    if (active === null) return;
    if (clock.now() >= active.membership.pass.claims.exp * 1000) await parts.ended('expired');
    else plan();
  }

  function now(): Promise<RenewalOutcome> {
    asking ??= renew().finally(() => {
      asking = null;
      plan();
    });
    return asking;
  }

  async function renew(): Promise<RenewalOutcome> {
    const active = parts.current();
    if (active === null) throw new IdentityError('not_signed_in');
    try {
      const outcome = (await fromOtherTab(active.membership)) ?? (await fromBroker(active));
      parts.onResult(outcome);
      return outcome;
    } catch (error) {
      const known = toIdentityError(error);
      if (known.code === 'revoked') await parts.ended('revoked');
      else if (known.code === 'cert_expired') await parts.ended('expired');
      else await postpone(known);
      throw known;
    }
  }

  async function fromOtherTab({ pass }: Membership): Promise<RenewalOutcome | null> {
    const stored = await parts.reread();
    if (stored === null) {
      await parts.ended('elsewhere');
      throw new IdentityError('not_signed_in');
    }
    if (stored.pass.claims.iat <= pass.claims.iat) return null;
    await parts.adopt(stored);
    return 'renewed';
  }

  async function fromBroker(active: {
    readonly membership: Membership;
    readonly key: ClientKey;
  }): Promise<RenewalOutcome> {
    const { membership, key } = active;
    const grant = await askBroker(membership, key);
    if (grant === null) {
      await parts.adopt({ ...membership, renewAtMs: clock.now() + dayMs });
      return 'pending';
    }
    await parts.adopt(await checked(grant, membership, key));
    return 'renewed';
  }

  async function askBroker({ pass }: Membership, key: ClientKey): Promise<Grant | null> {
    try {
      return await broker.renew(pass, key, clock.now());
    } catch (error) {
      const { code, details } = toIdentityError(error);
      const { serverTimeMs } = details;
      if (code !== 'clock_skew' || serverTimeMs === undefined) throw error;
      return broker.renew(pass, key, serverTimeMs);
    }
  }

  async function checked(grant: Grant, old: Membership, key: ClientKey): Promise<Membership> {
    const { claims } = old.pass;
    const owner = { appId: claims.appId, clientPubKey: key.publicKey };
    const pass = await checkPass(grant.cert, owner);
    await assertFollows(pass.claims, claims, grant);
    assertLive(pass.claims, clock.now());
    return {
      pass,
      list: await newerList(grant, pass, old),
      renewAtMs: renewalMoment(pass, parts.random),
    };
  }

  /** The list with the pass, unless it is older than the current one. */
  async function newerList(grant: Grant, pass: CheckedPass, old: Membership): Promise<CheckedList> {
    const isSameKey = pass.claims.userPubKey === old.pass.claims.userPubKey;
    if (isSameKey && grant.serverList === undefined) return old.list;
    const list = await checkServerList(grant, pass.claims);
    const isOlder = list.issuedAtSeconds < old.list.issuedAtSeconds - listLeewaySeconds;
    return isSameKey && isOlder ? old.list : list;
  }

  async function postpone(error: IdentityError): Promise<void> {
    const active = parts.current();
    if (active === null) return;
    const { renewableAtMs, retryAfterMs = 0 } = error.details;
    const nextMs = renewableAtMs ?? clock.now() + Math.max(dayMs, retryAfterMs);
    await parts.adopt({ ...active.membership, renewAtMs: nextMs });
    parts.onResult(error);
  }

  return {
    plan,
    now,
    stop: () => {
      timer?.();
      timer = null;
    },
  };
}
