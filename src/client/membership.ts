import type { Kept } from './kept.ts';
import { isRecord } from './json.ts';
import {
  checkPass,
  checkServerList,
  type CheckedList,
  type CheckedPass,
  type PassOwner,
} from './pass-check.ts';
import type { Account } from './state.ts';

/** What makes this device one of the user's: the pass, the servers, and when to ask for a new pass. */
export interface Membership {
  readonly pass: CheckedPass;
  readonly list: CheckedList;
  /** Unix milliseconds. */
  readonly renewAtMs: number;
}

/** The membership over a restart. */
export interface MembershipStore {
  /** Believes nothing that it reads: pass and list are checked as when they came. */
  readonly read: (owner: PassOwner) => Promise<Membership | null>;
  readonly isThere: () => Promise<boolean>;
  readonly write: (membership: Membership) => Promise<void>;
  readonly remove: () => Promise<void>;
}

const key = 'membership';

export function createMembershipStore(kept: Kept): MembershipStore {
  return {
    read: async (owner) => {
      const value = await kept.read(key);
      if (!isRecord(value)) return null;
      try {
        const pass = await checkPass(value['cert'], owner);
        const list = await checkServerList({ serverList: value['serverList'] }, pass.claims);
        return { pass, list, renewAtMs: Number(value['renewAtMs']) || 0 };
      } catch {
        return null;
      }
    },
    isThere: async () => (await kept.read(key)) !== undefined,
    write: ({ pass: { cert }, list: { serverList }, renewAtMs }) =>
      kept.write(key, { cert, serverList, renewAtMs }),
    remove: () => kept.remove(key),
  };
}

/** What an app shows of it. */
export const accountOf = ({ pass: { claims } }: Membership): Account => ({
  userId: claims.userId,
  userPubKey: claims.userPubKey,
  clientId: claims.clientId,
  deviceName: claims.deviceName,
  expiresAt: claims.exp * 1000,
});
