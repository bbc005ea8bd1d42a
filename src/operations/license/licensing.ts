/**
 * The license of the server. The server stores the key, verifies it and has it counted; a plugin
 * decides what it allows. Changes run one after the other. Reads never wait for a change or for the
 * network.
 */
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
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
import { createAssertRoom, type AssertRoom } from './room-store.ts';
import { createSteadyClock } from './steady-clock.ts';
import type { License } from '../../contract/resources/operations/license.ts';

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

/** The license of the server. */
export class Licensing {
  readonly #parts: LicensingParts;
  readonly #mayConfirm: () => boolean;
  readonly #time: ReturnType<typeof createSteadyClock>;
  readonly #current: ReturnType<typeof createCurrentLicense>;
  readonly #judge: ReturnType<typeof createJudge>;
  readonly #queue = createSerialQueue();
  #cancelLook: Undo = () => undefined;
  #confirmAt = 0;
  #isClosed = false;
  #toldStatus: 'active' | 'expired' | 'invalid' | 'unlicensed';

  readonly assertRoom: AssertRoom;

  constructor(parts: LicensingParts) {
    this.#parts = parts;
    this.#mayConfirm = parts.mayConfirm ?? (() => true);
    this.#time = createSteadyClock(parts.clock.now, parts.elapsed);
    this.#current = createCurrentLicense(this.#time.now);
    this.#judge = createJudge(parts);
    this.#toldStatus = this.#current.status();
    this.assertRoom = createAssertRoom(parts.database.dialect, this.#current.limits);
  }

  readonly #stateOf = (stored: StoredLicense, claims: LicenseClaims): LicenseState => ({
    claims,
    now: this.#time.now(),
    activatedAt: stored.activatedAt,
    confirmedAt: stored.confirmedAt,
    hasAuthority: this.#parts.authority !== null,
    refusal: stored.refusal,
  });

  /** Without a new verdict of the plugin, the last one stays in force for its period. */
  async #refresh(): Promise<void> {
    const held = this.#current.held();
    if (held?.claims) {
      const verdict = await this.#judge.ask(
        'license.status',
        this.#stateOf(held.stored, held.claims),
      );
      const isSame = this.#current.held() === held;
      if (isSame && verdict !== null) this.#current.hold({ ...held, verdict });
    }
    this.#tellChange();
  }

  #tellChange(): void {
    const status = this.#current.status();
    if (status === this.#toldStatus) return;
    const before = this.#toldStatus;
    this.#toldStatus = status;
    this.#parts.log.info({ before, status }, 'The license has another status.');
    if (before !== 'active' || status === 'unlicensed') return;
    this.#parts.notify({
      level: 'warning',
      title: statusText(status),
      message: reasonOf(this.#current.held()?.stored.refusal ?? null),
      source: 'license',
    });
  }

  async #keep(held: LoadedLicense, changes: Partial<StoredLicense>): Promise<void> {
    const stored = { ...held.stored, latestSeenAt: this.#time.now(), ...changes };
    await this.#parts.database.write((trx) => saveLicense(trx, stored, this.#parts.secrets));
    this.#current.hold({ ...(this.#current.held() ?? held), stored });
  }

  /** Has the license counted again. If the authority is unreachable, the grace period applies. */
  async #confirm(): Promise<void> {
    const { authority, log } = this.#parts;
    const held = this.#current.held();
    if (!held?.claims) return;
    const answer: AuthorityAnswer = authority
      ? await authority.activate(held.stored.licenseKey)
      : { kind: 'confirmed' };
    switch (answer.kind) {
      case 'confirmed':
        if (authority) this.#time.reset();
        await this.#keep(held, { confirmedAt: this.#time.now(), refusal: null });
        break;
      case 'conflict':
        await this.#keep(held, { refusal: 'seats' });
        break;
      case 'refused':
        await this.#keep(held, { refusal: 'refused' });
        break;
      case 'unreachable':
        log.warn({ why: answer.why }, 'The license authority could not be reached.');
        await this.#keep(held, {});
    }
    const isOver = answer.kind !== 'unreachable';
    this.#confirmAt = this.#time.now() + this.#later(isOver ? confirmEveryMs : lookEveryMs / 2);
  }

  readonly #later = (ms: number): number => ms * (1 + jitter * this.#parts.random());

  readonly #look = async (): Promise<void> => {
    const held = this.#current.held();
    if (held && this.#mayConfirm())
      await (this.#time.now() >= this.#confirmAt ? this.#confirm() : this.#keep(held, {}));
    await this.#refresh();
  };

  /** Every hour, and when an active license ends. */
  #lookLater(delayMs: number): void {
    if (this.#isClosed) return;
    this.#cancelLook = this.#parts.clock.after(delayMs, () => {
      void this.#queue
        .run(this.#look)
        .catch((error: unknown) =>
          this.#parts.log.error({ err: error }, 'The check of the license failed.'),
        )
        .finally(() => this.#lookLater(this.#untilNextLook()));
    });
  }

  #untilNextLook(): number {
    const verdict = this.#current.held()?.verdict;
    const left = verdict?.status === 'active' ? verdict.until - this.#time.now() : lookEveryMs;
    return left <= 0 ? lookEveryMs : Math.min(lookEveryMs, left);
  }

  readonly #activate: Licensing['activate'] = async (entered, viewer) => {
    const { issuer, authority, clock, database, secrets } = this.#parts;
    const licenseKey = entered.trim();
    const verified = verifyLicenseKey(licenseKey, issuer);
    if (!verified.ok) return verified;
    const { claims } = verified;
    // The authority has a clock of its own; without an authority, the clock must not have been set
    // back.
    const now = authority ? clock.now() : this.#time.now();
    if (now >= claims.exp * 1000) return refused('EXPIRED');
    const stored: StoredLicense = {
      licenseKey,
      activatedAt: now,
      confirmedAt: now,
      latestSeenAt: now,
      refusal: null,
    };
    const state = { ...this.#stateOf(stored, claims), now };
    const verdict = await this.#judge.ask('license.activate', state);
    if (verdict === null) {
      const what = 'No license plugin is running; check the plugin license.';
      throw new AppError('unavailable', { what });
    }
    if (verdict.status !== 'active')
      return refused(verdict.status === 'expired' ? 'EXPIRED' : 'REFUSED');
    const refusal = authority && refusalOf(await authority.activate(licenseKey));
    if (refusal) return refusal;
    const before = this.#current.held();
    await database.write(async (trx) => {
      await saveLicense(trx, stored, secrets);
      await this.#parts.audit(trx, {
        actor: viewer,
        action: 'license.activated',
        change: 'event',
        target: { type: 'license', id: claims.id },
        details: { tier: claims.tier, maskedKey: maskedKey(licenseKey) },
      });
    });
    if (authority) this.#time.reset();
    this.#current.hold({ stored, claims, verdict });
    this.#confirmAt = now + this.#later(confirmEveryMs);
    this.#toldStatus = this.#current.status();
    if (before && before.claims?.id !== claims.id) await this.#release(before);
    return { ok: true, license: this.#current.view() };
  };

  /** Returns the seat; if that fails, it stays counted, and the admins are notified. */
  async #release({ stored }: LoadedLicense): Promise<void> {
    const { authority, log } = this.#parts;
    if (authority === null || (await authority.deactivate(stored.licenseKey))) return;
    log.warn({}, 'The license authority was not told that a license left this server.');
    this.#parts.notify({
      level: 'warning',
      ...seatNotReturned(maskedKey(stored.licenseKey)),
      source: 'license',
    });
  }

  async #deactivate(viewer: Viewer): Promise<void> {
    if (!this.#current.isThere()) return;
    const held = this.#current.held();
    await this.#parts.database.write(async (trx) => {
      await deleteLicense(trx);
      await this.#parts.audit(trx, {
        actor: viewer,
        action: 'license.deactivated',
        change: 'event',
        target: { type: 'license', id: held?.claims?.id ?? 'unknown' },
      });
    });
    this.#current.clear();
    this.#toldStatus = this.#current.status();
    if (held?.claims) await this.#judge.dismiss(held.claims);
    if (held) await this.#release(held);
  }

  /** Loads the license; the plugins run by then. */
  readonly open = async (): Promise<void> => {
    const { database, secrets, issuer, log } = this.#parts;
    const found = await findLicense(database.read, secrets);
    if (found === 'none') {
      this.#current.clear();
      this.#toldStatus = this.#current.status();
      return;
    }
    if (found === 'unreadable') {
      this.#current.holdUnreadable();
      return;
    }
    this.#time.resume(found.latestSeenAt);
    const verified = verifyLicenseKey(found.licenseKey, issuer);
    if (!verified.ok) log.warn({ code: verified.code }, `The license: ${verified.message}`);
    const claims = verified.ok ? verified.claims : null;
    const before = this.#current.held();
    const isSame = before !== null && before.stored.licenseKey === found.licenseKey;
    this.#current.hold({ stored: found, claims, verdict: isSame ? before.verdict : null });
    await this.#refresh();
  };

  readonly activate = (licenseKey: string, viewer: Viewer): Promise<Activation> =>
    this.#queue.run(() => this.#activate(licenseKey, viewer));

  /** The current state, with the plugin's current verdict. */
  readonly get = async (): Promise<License> => {
    await this.#refresh();
    return this.#current.view();
  };

  /** Removes the license, if there is one, and returns its seat. */
  readonly deactivate = (viewer: Viewer): Promise<void> =>
    this.#queue.run(() => this.#deactivate(viewer));

  /** Whether the license is active now; true immediately after an activation. */
  readonly hasActiveLicense = (): boolean => this.#current.status() === 'active';

  /** Whether there is a license that the key of the server does not open. */
  readonly isUnreadable = (): boolean => this.#current.isThere() && this.#current.held() === null;

  /** Has the license confirmed, now and every day. */
  readonly start = (): void => this.#lookLater(0);

  /** Another server activated, removed or confirmed it. */
  readonly onRemoteChange = (): Promise<void> => this.#queue.run(this.open);

  /** Asks the plugin again, because the provider may have changed. */
  readonly wake = (): void => {
    void this.#refresh();
  };

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    this.#cancelLook();
    this.#parts.authority?.close();
    await this.#queue.idle();
    const held = this.#current.held();
    if (held && this.#mayConfirm()) await this.#keep(held, {});
  };
}

/** Creates it without a license; `open` loads the stored one. */
export const createLicensing = (parts: LicensingParts): Licensing => new Licensing(parts);
