/**
 * Passkeys of users: private keys in a device that sign a challenge of the server. To add one, a
 * user must authenticate again, because a passkey outlasts every session. Removing one never
 * removes the last way to sign in.
 */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import {
  isUniqueViolation,
  type Database,
  type Transaction,
} from '../../../../kernel/store/index.ts';
import type { RecordAudit } from '../../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../../platform/clock.ts';
import { AppError, tooOften } from '../../../platform/errors.ts';
import { createNetworkBuckets } from '../../../platform/network-buckets.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import type { PasswordCheck } from '../password-check.ts';
import { assertStillIn } from '../still-in.ts';
import { findUser } from '../user-store.ts';
import type { Viewer } from '../../viewer/index.ts';
import { assertNoCertificates } from './attestation.ts';
import { readBrowserReply } from './browser-reply.ts';
import { challengeLifetimeMs, type Challenges } from './challenges.ts';
import {
  creationOptions,
  requestOptions,
  signatureAlgorithms,
  type CreationOptions,
  type RequestOptions,
} from './browser-options.ts';
import { signInPurpose } from './passkey-proof.ts';
import * as store from './passkey-store.ts';
import type { StoredPasskey } from './passkey-store.ts';
import { passkeyRefusal } from './refusals.ts';
import type { RelyingParty } from './relying-party.ts';
import type { Passkey } from '../../../contract/resources/accounts/passkeys.ts';

export interface PasskeysParts {
  readonly database: Database;
  readonly challenges: Challenges;
  readonly relyingParty: () => RelyingParty;
  readonly confirm: PasswordCheck['confirm'];
  readonly audit: RecordAudit;
  readonly clock: Clock;
  readonly newId: NewId;
}

const mostPerUser = 20;

export class Passkeys {
  readonly #parts: PasskeysParts;
  readonly #begins: ReturnType<typeof createNetworkBuckets>;

  constructor(parts: PasskeysParts) {
    this.#parts = parts;
    this.#begins = createNetworkBuckets({ ofHousehold: 60, ofSite: 240 }, parts.clock);
  }

  readonly list = async ({ userId }: Viewer): Promise<readonly Passkey[]> =>
    (await store.passkeysOf(this.#parts.database.read, userId)).map(shown);

  /** The options with which a browser creates a passkey; for sessions only. */
  readonly beginAdding = async (
    viewer: Viewer,
    password: string | null,
  ): Promise<CreationOptions> => {
    const { relyingParty, confirm, database, challenges } = this.#parts;
    assertSession(viewer);
    const rp = relyingParty();
    const user = await confirm(viewer, password);
    const known = await store.passkeysOf(database.read, user.id);
    const challenge = challenges.give(addingPurpose(viewer));
    return creationOptions({ rp, user, known, challenge, timeoutMs: challengeLifetimeMs });
  };

  readonly add = async (
    viewer: Viewer,
    { name, passkey }: { readonly name: string; readonly passkey: unknown },
  ): Promise<Passkey> => {
    const { newId, clock, database } = this.#parts;
    assertSession(viewer);
    const proven = await this.#proveNew(viewer, passkey);
    const added: StoredPasskey = {
      id: newId(),
      userId: viewer.userId,
      name: parseName(name),
      ...proven,
      createdAt: toTimestamp(clock.now()),
      lastUsedAt: null,
    };
    await database.write(async (trx) => {
      await assertStillIn(trx, viewer);
      if ((await store.countPasskeysOf(trx, viewer.userId)) >= mostPerUser) {
        throw new AppError('conflict', {
          what: `A user can have at most ${mostPerUser} passkeys.`,
        });
      }
      await insertNew(trx, added);
      await this.#noted(trx, viewer, { action: 'passkey.added', passkey: added });
    });
    return shown(added);
  };

  async #proveNew(viewer: Viewer, passkey: unknown) {
    const { relyingParty, challenges } = this.#parts;
    const { challenge } = readBrowserReply(passkey);
    const { id: expectedRPID, origin: expectedOrigin } = relyingParty();
    if (!challenges.isGood(challenge, addingPurpose(viewer))) throw staleChallenge();
    await assertNoCertificates(passkey).catch(refuse);
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // The library validates each field of the reply.
      response: passkey as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...signatureAlgorithms],
    }).catch(refuse);
    if (!verified) throw passkeyRefusal(null);
    if (!(await challenges.spend(challenge))) throw staleChallenge();
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: knownTransports(credential.transports),
      isSynced: credentialBackedUp,
    };
  }

  readonly rename = async (id: string, name: string, viewer: Viewer): Promise<Passkey> => {
    const { userId } = viewer;
    return this.#parts.database.write(async (trx) => {
      await store.renamePasskey(trx, { id, userId, name: parseName(name) });
      return shown(await own(trx, id, userId));
    });
  };

  /** Rejects with `last_way_in` when the user could not sign in without it. */
  readonly remove = async (id: string, viewer: Viewer): Promise<void> => {
    const { userId } = viewer;
    await this.#parts.database.write(async (trx) => {
      const passkey = await own(trx, id, userId);
      const user = await findUser(trx, userId);
      const isLast = (await store.countPasskeysOf(trx, userId)) === 1;
      if (isLast && (user?.hasPassword !== true || user.requiresPasskey)) {
        throw new AppError('last_way_in', {});
      }
      await store.removePasskey(trx, { id, userId });
      await this.#noted(trx, viewer, { action: 'passkey.removed', passkey });
    });
  };

  readonly #noted = (
    trx: Transaction,
    actor: Viewer,
    { action, passkey }: { readonly action: string; readonly passkey: Passkey },
  ): Promise<void> => {
    const target = { type: 'passkey', id: passkey.id };
    return this.#parts.audit(trx, {
      actor,
      action,
      change: 'event',
      target,
      details: { name: passkey.name },
    });
  };

  /**
   * The options with which a browser at this address asks for a passkey to sign in. Throws
   * `too_often` when its network asks for too many.
   */
  readonly beginSignIn = (address: string): RequestOptions => {
    const waitMs = this.#begins.take(address);
    if (waitMs > 0) throw tooOften('Too many sign-ins begin at this address.', waitMs);
    return requestOptions({
      rp: this.#parts.relyingParty(),
      challenge: this.#parts.challenges.give(signInPurpose),
      timeoutMs: challengeLifetimeMs,
    });
  };
}

export const createPasskeys = (parts: PasskeysParts): Passkeys => new Passkeys(parts);

/** A challenge for adding a passkey is bound to one session. */
const addingPurpose = ({ credentialId }: Viewer): string => `add:${credentialId}`;

const shown = ({ id, name, isSynced, createdAt, lastUsedAt }: StoredPasskey): Passkey => ({
  id,
  name,
  isSynced,
  createdAt,
  lastUsedAt,
});

async function own(trx: Transaction, id: string, userId: string): Promise<StoredPasskey> {
  const found = (await store.passkeysOf(trx, userId)).find((passkey) => passkey.id === id);
  if (found) return found;
  throw new AppError('not_found', { what: `Passkey ${id}` });
}

async function insertNew(trx: Transaction, passkey: StoredPasskey): Promise<void> {
  try {
    await store.insertPasskey(trx, passkey);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('conflict', { what: 'This passkey is registered on this server already.' });
  }
}

const refuse = (error: unknown): never => {
  throw passkeyRefusal(error);
};

function assertSession({ credentialKind }: Viewer): void {
  if (credentialKind === 'session') return;
  throw new AppError('forbidden', { what: 'Adding a passkey needs a session: sign in first.' });
}

function parseName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 100) return name;
  throw new AppError('invalid_request', { what: 'name must be 1 to 100 characters.' });
}

/** The transport hints of the browser, without invalid values. */
const knownTransports = (transports: readonly unknown[] = []): readonly string[] =>
  transports
    .filter((one): one is string => typeof one === 'string' && /^[a-z-]{1,20}$/.test(one))
    .slice(0, 10);

const staleChallenge = (): AppError =>
  new AppError('passkey_refused', {
    why: 'Its challenge was not issued to this session, has expired or was used before.',
  });
