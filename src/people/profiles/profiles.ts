/** Profiles: the persons within a user account. */
import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { accessIn, checkedAccess } from '../groups/index.ts';
import { type Limit, isFullAdmin, type Viewer } from '../viewer/index.ts';
import { parseUserName, findUser } from '../accounts/index.ts';
import { findAvatar, putAvatar, removeAvatar, type Avatar } from './avatar-store.ts';
import type { Pins } from './pins.ts';
import type { AssertRoomForProfile } from './profile-follower.ts';
import * as store from './profile-store.ts';
import type { ProfilePatch, StoredProfile } from './profile-store.ts';
import { avatarPath, parseAvatarUrl, type ProfileFollower } from './profile.ts';
import {
  assertFitsUser,
  assertRoomOfUser,
  assertSamePin,
  avatarFor,
  changeOf,
  defaultStays,
  detailsOf,
  entryOf,
  ownerFor,
  plain,
  shown,
} from './profile-rules.ts';
import { assertNoEscalation } from './escalation-check.ts';
import type {
  LibraryAccess,
  WantedLibraryAccess,
} from '../../contract/resources/accounts/accounts.ts';
import type {
  NewProfile,
  Profile,
  ProfileChanges,
  ProfilesPage,
  ProfilesQuery,
  Unlocked,
} from '../../contract/resources/accounts/profiles.ts';

export interface ProfilesParts {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly audit: RecordAudit;
  readonly pins: Pins;
  readonly hasLibrary: (id: string) => boolean;
  readonly country: string | null;
  readonly assertRoom: AssertRoomForProfile;
  readonly followers: readonly ProfileFollower[];
  /** Invalidates the cache of profiles; names the user whose visibility may have changed. */
  readonly changed: (affectedUserId: string | null) => void;
}

type Reader = Transaction | Database['read'];

/** Profiles: a user's own, and those of all users for admins. */
export class Profiles {
  readonly #parts: ProfilesParts;

  constructor(parts: ProfilesParts) {
    this.#parts = parts;
  }

  readonly #now = (): string => toTimestamp(this.#parts.clock.now());

  #changed(affectedUserId: string | null = null): void {
    this.#parts.pins.forget();
    this.#parts.changed(affectedUserId);
  }

  /** To a user who is not an admin, profiles of other users do not exist. */
  async #existing(trx: Reader, id: string, viewer: Viewer): Promise<StoredProfile> {
    const profile = await store.findProfile(trx, id);
    const isTheirs = profile?.userId === viewer.userId || isFullAdmin(viewer);
    if (profile && isTheirs) return profile;
    throw new AppError('not_found', { what: `Profile ${id}` });
  }

  readonly list = async (
    viewer: Viewer,
    { userId, limit = 50, cursor }: ProfilesQuery,
  ): Promise<ProfilesPage> => {
    const after = cursor === undefined ? '' : String(readCursor(cursor, 1)[0]);
    const owner = ownerFor(viewer, userId);
    const found = await store.profilesOf(this.#parts.database.read, owner, {
      after,
      limit: limit + 1,
    });
    const profiles = found.slice(0, limit).map(shown);
    const last = profiles.at(-1);
    return { profiles, nextCursor: found.length > limit && last ? writeCursor([last.id]) : null };
  };

  /**
   * The validated list. An admin sees which library does not exist; other users see only which one
   * they may not use.
   */
  async #accessFor(
    trx: Reader,
    wanted: Limit<WantedLibraryAccess>,
    { viewer, before }: { readonly viewer: Viewer; readonly before: StoredProfile | null },
  ): Promise<Limit<LibraryAccess>> {
    const { country, hasLibrary } = this.#parts;
    const after = wanted && accessIn(country, wanted);
    if (!isFullAdmin(viewer)) {
      const own = await store.findProfile(trx, viewer.profileId);
      const ownAccess = own ? own.libraryAccess : [];
      assertNoEscalation({ viewer, ownAccess }, before?.libraryAccess, after);
    }
    const kept = new Set(before?.libraryAccess?.map(({ libraryId }) => libraryId));
    const isKnown = (id: string): boolean => kept.has(id) || hasLibrary(id);
    return after && checkedAccess(after, { hasLibrary: isKnown, country });
  }

  readonly create = async (newProfile: NewProfile, viewer: Viewer): Promise<Profile> => {
    const { newId, pins, database, assertRoom, audit } = this.#parts;
    const { avatarUrl = null, libraryAccess = null, pin = null } = newProfile;
    const userId = ownerFor(viewer, newProfile.userId);
    const id = newId();
    const at = this.#now();
    const pinHash = pin === null ? null : await pins.hash(id, pin, viewer);
    const fields = {
      id,
      userId,
      name: parseUserName(newProfile.name),
      avatarUrl: avatarUrl === null ? null : parseAvatarUrl(avatarUrl),
      isDefault: false,
      hasPin: pinHash !== null,
      pinHash,
      createdAt: at,
      updatedAt: at,
    };
    const profile = await database.write(async (trx) => {
      if (!(await findUser(trx, userId))) {
        throw new AppError('invalid_request', { what: `userId: there is no user ${userId}.` });
      }
      await assertRoomOfUser(trx, userId);
      await assertRoom(trx);
      const access = await this.#accessFor(trx, libraryAccess, { viewer, before: null });
      const made = { ...fields, libraryAccess: access };
      await store.insertProfile(trx, made);
      const entry = entryOf('profile.created', made, viewer, { libraryAccess: plain(access) });
      await audit(trx, { ...entry, change: 'event' });
      return made;
    });
    this.#changed();
    return shown(profile);
  };

  /** Without the PIN of a profile, only an admin may change it. */
  async #assertOpen(
    profile: StoredProfile,
    { pin, currentPin }: Pick<ProfileChanges, 'pin' | 'currentPin'>,
    viewer: Viewer,
  ): Promise<void> {
    if (!profile.hasPin || isFullAdmin(viewer)) return;
    if (currentPin !== undefined) await this.#parts.pins.check(profile, currentPin, viewer);
    else if (pin !== undefined) throw new AppError('pin_needed', {});
    else if (!(await this.#parts.pins.isUnlocked(profile.id, viewer.credentialId)))
      throw new AppError('profile_locked', {});
  }

  readonly update = async (
    id: string,
    changes: ProfileChanges,
    viewer: Viewer,
  ): Promise<Profile> => {
    const { database, pins, audit } = this.#parts;
    const before = await this.#existing(database.read, id, viewer);
    await this.#assertOpen(before, changes, viewer);
    const { name, avatarUrl, libraryAccess, pin, isDefault } = changes;
    const pinHash = typeof pin === 'string' ? await pins.hash(id, pin, viewer) : pin;
    const patch: ProfilePatch = {
      ...(name !== undefined && { name: parseUserName(name) }),
      ...(avatarUrl !== undefined && { avatarUrl: avatarFor(before, avatarUrl) }),
      ...(pinHash !== undefined && { pinHash }),
    };
    if (isDefault === false && before.isDefault) throw defaultStays('changed into no default');
    const profile = await database.write(async (trx) => {
      const current = await this.#existing(trx, id, viewer);
      assertSamePin(current, before);
      const access =
        libraryAccess === undefined
          ? undefined
          : await this.#accessFor(trx, libraryAccess, { viewer, before: current });
      await assertFitsUser(trx, {
        ...current,
        isDefault: current.isDefault || isDefault === true,
        libraryAccess: access === undefined ? current.libraryAccess : access,
      });
      if (patch.avatarUrl !== undefined && patch.avatarUrl !== current.avatarUrl)
        await removeAvatar(trx, id);
      await store.updateProfile(
        trx,
        id,
        { ...patch, ...(access !== undefined && { libraryAccess: access }) },
        this.#now(),
      );
      if (isDefault === true) await store.moveDefault(trx, current.userId, id);
      if (pinHash !== undefined) await pins.lock(trx, id);
      // The viewer who sets a PIN knows it.
      if (typeof pinHash === 'string' && current.userId === viewer.userId)
        await pins.unlock(trx, id, viewer.credentialId);
      const after = await this.#existing(trx, id, viewer);
      const entry = entryOf('profile.updated', current, viewer, detailsOf(changes, access));
      await audit(trx, { ...entry, change: changeOf(current, after) });
      return after;
    });
    const affectedUserId = [libraryAccess, pin, isDefault].some((one) => one !== undefined);
    this.#changed(affectedUserId ? profile.userId : null);
    return shown(profile);
  };

  readonly remove = async (id: string, viewer: Viewer): Promise<void> => {
    const { database, followers, audit } = this.#parts;
    const before = await this.#existing(database.read, id, viewer);
    await this.#assertOpen(before, {}, viewer);
    await database.write(async (trx) => {
      const profile = await this.#existing(trx, id, viewer);
      assertSamePin(profile, before);
      if (profile.isDefault) throw defaultStays('deleted');
      for (const follower of followers) await follower.removed(trx, id);
      await store.removeProfile(trx, id);
      await audit(trx, { ...entryOf('profile.removed', profile, viewer, {}), change: 'event' });
    });
    this.#changed(before.userId);
  };

  /** Checks the PIN, so that this credential may use the profile for 12 hours. */
  readonly unlock = async (id: string, pin: string, viewer: Viewer): Promise<Unlocked> => {
    const { database, pins } = this.#parts;
    const profile = await this.#existing(database.read, id, viewer);
    if (profile.userId !== viewer.userId)
      throw new AppError('not_found', { what: `Profile ${id}` });
    if (!profile.hasPin) return { profile: shown(profile), unlockedUntil: null };
    await pins.check(profile, pin, viewer);
    const unlockedUntil = await database.write(async (trx) => {
      assertSamePin(await this.#existing(trx, id, viewer), profile);
      return pins.unlock(trx, id, viewer.credentialId);
    });
    pins.forget();
    return { profile: shown(profile), unlockedUntil };
  };

  readonly avatar = async (id: string, viewer: Viewer): Promise<Avatar> => {
    await this.#existing(this.#parts.database.read, id, viewer);
    const found = await findAvatar(this.#parts.database.read, id);
    if (found) return found;
    throw new AppError('not_found', { what: `The picture of profile ${id}` });
  };

  /** Sets a picture that the server made. */
  readonly setAvatar = async (
    id: string,
    { mediaType, bytes }: { readonly mediaType: string; readonly bytes: Uint8Array },
    viewer: Viewer,
  ): Promise<Profile> => {
    const { database, audit } = this.#parts;
    await this.#assertOpen(await this.#existing(database.read, id, viewer), {}, viewer);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const picture = { mediaType, hash, bytes: Buffer.from(bytes) };
    const profile = await database.write(async (trx) => {
      const current = await this.#existing(trx, id, viewer);
      await putAvatar(trx, id, picture);
      await store.updateProfile(trx, id, { avatarUrl: avatarPath(id, picture.hash) }, this.#now());
      const after = await this.#existing(trx, id, viewer);
      const entry = entryOf('profile.updated', current, viewer, { changed: ['avatar'] });
      await audit(trx, { ...entry, change: changeOf(current, after) });
      return after;
    });
    this.#changed();
    return shown(profile);
  };

  readonly get = async (id: string, viewer: Viewer): Promise<Profile> =>
    shown(await this.#existing(this.#parts.database.read, id, viewer));

  /** The profile, if its PIN does not keep the viewer from it. */
  readonly open = async (id: string, viewer: Viewer): Promise<Profile> => {
    const profile = await this.#existing(this.#parts.database.read, id, viewer);
    await this.#assertOpen(profile, {}, viewer);
    return shown(profile);
  };
}

export const createProfiles = (parts: ProfilesParts): Profiles => new Profiles(parts);
