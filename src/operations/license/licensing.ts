/**
 * The license of the server. The server stores the key, verifies it and has it counted; a plugin
 * decides what it allows. Changes run one after the other. Reads never wait for a change or for the
 * network.
 */
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/storage/index.ts';
import type { LicenseClaims, LicenseState } from '../../../plugin-api/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { Authority, AuthorityAnswer } from './authority-client.ts';
import { createCurrentLicense, type LoadedLicense } from './current-license.ts';
import { createJudge, type JudgeParts } from './judge.ts';
import { maskedKey, verifyLicenseKey } from './license-key.ts';
import { deleteLicense, findLicense, saveLicense } from './license-store.ts';
import type { Activation, StoredLicense } from './license.ts';
import type { Notice } from '../../platform/notifications/index.ts';
import { reasonOf, refusalOf, refused, seatNotReturned, statusText } from './refusals.ts';
import { createAssertRoom } from './room-store.ts';
import { createSteadyClock } from './steady-clock.ts';
import type { License } from '../../contract/resources/operations/license.ts';

/** The license of the server. */
export type Licensing = ReturnType<typeof createLicensing>;

export interface LicensingParts extends JudgeParts {
  readonly database: Database;
  readonly secrets: SecretBox;
  /** Public key of the issuer, 64 hex digits. */
  readonly issuer: string | null;
  readonly authority: Authority | null;
  readonly audit: RecordAudit;
  readonly notify: (notice: Notice) => void;
  readonly clock: Clock;
  /** Whether this server has the license confirmed; in a cluster only one does. */
  readonly mayConfirm?: () => boolean;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number;
  /** 0 to 1; spreads the requests of servers that start at the same time. */
  readonly random: () => number;
  readonly log: Log;
}

const lookEveryMs = 3600_000;
const confirmEveryMs = 24 * 3600_000;
/** The confirmation is delayed by up to this share of the interval. */
const jitter = 0.1;

/** Creates it without a license; `open` loads the stored one. */
export function createLicensing(parts: LicensingParts) {
  const { database, secrets, issuer, authority, mayConfirm = () => true, clock, log } = parts;
  const time = createSteadyClock(clock.now, parts.elapsed);
  const current = createCurrentLicense(time.now);
  const judge = createJudge(parts);
  const queue = createSerialQueue();
  let cancelLook: Undo = () => undefined;
  let confirmAt = 0;
  let isClosed = false;
  let toldStatus = current.status();

  const stateOf = (stored: StoredLicense, claims: LicenseClaims): LicenseState => ({
    claims,
    now: time.now(),
    activatedAt: stored.activatedAt,
    confirmedAt: stored.confirmedAt,
    hasAuthority: authority !== null,
    refusal: stored.refusal,
  });

  /** Without a new verdict of the plugin, the last one stays in force for its period. */
  async function refresh(): Promise<void> {
    const held = current.held();
    if (held?.claims) {
      const verdict = await judge.ask('license.status', stateOf(held.stored, held.claims));
      const isSame = current.held() === held;
      if (isSame && verdict !== null) current.hold({ ...held, verdict });
    }
    tellChange();
  }

  function tellChange(): void {
    const status = current.status();
    if (status === toldStatus) return;
    const before = toldStatus;
    toldStatus = status;
    log.info({ before, status }, 'The license has another status.');
    if (before !== 'active' || status === 'unlicensed') return;
    parts.notify({
      level: 'warning',
      title: statusText(status),
      message: reasonOf(current.held()?.stored.refusal ?? null),
      source: 'license',
    });
  }

  async function keep(held: LoadedLicense, changes: Partial<StoredLicense>): Promise<void> {
    const stored = { ...held.stored, latestSeenAt: time.now(), ...changes };
    await database.write((trx) => saveLicense(trx, stored, secrets));
    current.hold({ ...(current.held() ?? held), stored });
  }

  /** Has the license counted again. If the authority is unreachable, the grace period applies. */
  async function confirm(): Promise<void> {
    const held = current.held();
    if (!held?.claims) return;
    const answer: AuthorityAnswer = authority
      ? await authority.activate(held.stored.licenseKey)
      : { kind: 'confirmed' };
    switch (answer.kind) {
      case 'confirmed':
        if (authority) time.reset();
        await keep(held, { confirmedAt: time.now(), refusal: null });
        break;
      case 'conflict':
        await keep(held, { refusal: 'seats' });
        break;
      case 'refused':
        await keep(held, { refusal: 'refused' });
        break;
      case 'unreachable':
        log.warn({ why: answer.why }, 'The license authority could not be reached.');
        await keep(held, {});
    }
    const isOver = answer.kind !== 'unreachable';
    confirmAt = time.now() + later(isOver ? confirmEveryMs : lookEveryMs / 2);
  }

  const later = (ms: number): number => ms * (1 + jitter * parts.random());

  async function look(): Promise<void> {
    const held = current.held();
    if (held && mayConfirm()) await (time.now() >= confirmAt ? confirm() : keep(held, {}));
    await refresh();
  }

  /** Every hour, and when an active license ends. */
  function lookLater(delayMs: number): void {
    if (isClosed) return;
    cancelLook = clock.after(delayMs, () => {
      void queue
        .run(look)
        .catch((error: unknown) => log.error({ err: error }, 'The check of the license failed.'))
        .finally(() => lookLater(untilNextLook()));
    });
  }

  function untilNextLook(): number {
    const verdict = current.held()?.verdict;
    const left = verdict?.status === 'active' ? verdict.until - time.now() : lookEveryMs;
    return left <= 0 ? lookEveryMs : Math.min(lookEveryMs, left);
  }

  const activate: Licensing['activate'] = async (entered, viewer) => {
    const licenseKey = entered.trim();
    const verified = verifyLicenseKey(licenseKey, issuer);
    if (!verified.ok) return verified;
    const { claims } = verified;
    // The authority has a clock of its own; without an authority, the clock must not have been set
    // back.
    const now = authority ? clock.now() : time.now();
    if (now >= claims.exp * 1000) return refused('EXPIRED');
    const stored: StoredLicense = {
      licenseKey,
      activatedAt: now,
      confirmedAt: now,
      latestSeenAt: now,
      refusal: null,
    };
    const state = { ...stateOf(stored, claims), now };
    const verdict = await judge.ask('license.activate', state);
    if (verdict === null) {
      const what = 'No license plugin is running; check the plugin license.';
      throw new AppError('unavailable', { what });
    }
    if (verdict.status !== 'active')
      return refused(verdict.status === 'expired' ? 'EXPIRED' : 'REFUSED');
    const refusal = authority && refusalOf(await authority.activate(licenseKey));
    if (refusal) return refusal;
    const before = current.held();
    await database.write(async (trx) => {
      await saveLicense(trx, stored, secrets);
      await parts.audit(trx, {
        actor: viewer,
        action: 'license.activated',
        change: 'event',
        target: { type: 'license', id: claims.id },
        details: { tier: claims.tier, maskedKey: maskedKey(licenseKey) },
      });
    });
    if (authority) time.reset();
    current.hold({ stored, claims, verdict });
    confirmAt = now + later(confirmEveryMs);
    toldStatus = current.status();
    if (before && before.claims?.id !== claims.id) await release(before);
    return { ok: true, license: current.view() };
  };

  /** Returns the seat; if that fails, it stays counted, and the admins are notified. */
  async function release({ stored }: LoadedLicense): Promise<void> {
    if (authority === null || (await authority.deactivate(stored.licenseKey))) return;
    log.warn({}, 'The license authority was not told that a license left this server.');
    parts.notify({
      level: 'warning',
      ...seatNotReturned(maskedKey(stored.licenseKey)),
      source: 'license',
    });
  }

  async function deactivate(viewer: Viewer): Promise<void> {
    if (!current.isThere()) return;
    const held = current.held();
    await database.write(async (trx) => {
      await deleteLicense(trx);
      await parts.audit(trx, {
        actor: viewer,
        action: 'license.deactivated',
        change: 'event',
        target: { type: 'license', id: held?.claims?.id ?? 'unknown' },
      });
    });
    current.clear();
    toldStatus = current.status();
    if (held?.claims) await judge.dismiss(held.claims);
    if (held) await release(held);
  }

  /** Loads the license; the plugins run by then. */
  async function open(): Promise<void> {
    const found = await findLicense(database.read, secrets);
    if (found === 'none') {
      current.clear();
      toldStatus = current.status();
      return;
    }
    if (found === 'unreadable') {
      current.holdUnreadable();
      return;
    }
    time.resume(found.latestSeenAt);
    const verified = verifyLicenseKey(found.licenseKey, issuer);
    if (!verified.ok) log.warn({ code: verified.code }, `The license: ${verified.message}`);
    const claims = verified.ok ? verified.claims : null;
    const before = current.held();
    const isSame = before !== null && before.stored.licenseKey === found.licenseKey;
    current.hold({ stored: found, claims, verdict: isSame ? before.verdict : null });
    await refresh();
  }

  return {
    activate: (licenseKey: string, viewer: Viewer): Promise<Activation> =>
      queue.run(() => activate(licenseKey, viewer)),
    /** The current state, with the plugin's current verdict. */
    get: async (): Promise<License> => {
      await refresh();
      return current.view();
    },
    /** Removes the license, if there is one, and returns its seat. */
    deactivate: (viewer: Viewer): Promise<void> => queue.run(() => deactivate(viewer)),
    /** Whether the license is active now; true immediately after an activation. */
    hasActiveLicense: (): boolean => current.status() === 'active',
    /** Whether there is a license that the key of the server does not open. */
    isUnreadable: (): boolean => current.isThere() && current.held() === null,
    assertRoom: createAssertRoom(database.dialect, current.limits),
    open,
    /** Has the license confirmed, now and every day. */
    start: (): void => lookLater(0),
    /** Another server activated, removed or confirmed it. */
    onRemoteChange: (): Promise<void> => queue.run(open),
    /** Asks the plugin again, because the provider may have changed. */
    wake: (): void => {
      void refresh();
    },
    close: async (): Promise<void> => {
      isClosed = true;
      cancelLook();
      authority?.close();
      await queue.idle();
      const held = current.held();
      if (held && mayConfirm()) await keep(held, {});
    },
  };
}
