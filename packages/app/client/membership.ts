import type { PersistedState } from './persisted-state.ts';
import { isRecord } from './json.ts';
import {
  checkPass,
  checkServerList,
  type CheckedList,
  type CheckedPass,
  type PassOwner,
} from './pass-check.ts';
import type { Account } from './state.ts';

/** The credentials of this device: the pass, the servers, and the time of the next renewal. */
export interface Membership {
  readonly pass: CheckedPass;
  readonly list: CheckedList;
  /** Unix milliseconds. */
  readonly renewAtMs: number;
}

/** Stores the credentials. */
export interface MembershipStore {
  /** Verifies pass and list again, as when they were received. */
  readonly read: (owner: PassOwner) => Promise<Membership | null>;
  readonly isThere: () => Promise<boolean>;
  readonly write: (membership: Membership) => Promise<void>;
  readonly remove: () => Promise<void>;
}

const key = 'membership';

export function createMembershipStore(persisted: PersistedState): MembershipStore {
  return {
    read: async (owner) => {
      const value = await persisted.read(key);
      if (!isRecord(value)) return null;
      try {
        const pass = await checkPass(value['cert'], owner);
        const list = await checkServerList({ serverList: value['serverList'] }, pass.claims);
        return { pass, list, renewAtMs: Number(value['renewAtMs']) || 0 };
      } catch {
        return null;
      }
    },
    isThere: async () => (await persisted.read(key)) !== undefined,
    write: ({ pass: { cert }, list: { serverList }, renewAtMs }) =>
      persisted.write(key, { cert, serverList, renewAtMs }),
    remove: () => persisted.remove(key),
  };
}

/** The part that an app shows. */
export const accountOf = ({ pass: { claims } }: Membership): Account => ({
  userId: claims.userId,
  userPubKey: claims.userPubKey,
  clientId: claims.clientId,
  deviceName: claims.deviceName,
  expiresAt: claims.exp * 1000,
});
