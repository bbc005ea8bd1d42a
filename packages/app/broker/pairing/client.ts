/** A paired client: an app on a device. */
import {
  openRecord,
  type SignedObject,
  type SignedRecord,
} from '../../../lib/identity-protocol/index.ts';
import type { LinkedServer } from '../service/web-api.ts';

/** A client as stored. */
export interface Client {
  readonly clientId: string;
  readonly userId: string;
  readonly appId: string;
  readonly clientPubKey: string;
  readonly deviceName: string;
  readonly platform: string;
  /** The newest pass that has become valid. */
  readonly cert: SignedObject;
  readonly serverList: SignedObject;
  readonly pairedAt: number;
  readonly lastSeenAt: number | null;
  readonly revokedAt: number | null;
}

/** A pass as stored; times in seconds. */
export interface StoredPass {
  readonly clientId: string;
  readonly iat: number;
  readonly exp: number;
  readonly cert: SignedObject;
}

/** The data that a device gets from its pairing and from each renewal. */
export interface ClientPass {
  readonly cert: SignedObject;
  readonly servers: readonly LinkedServer[];
  readonly serverList: SignedObject;
}

/** The servers of a signed list, in its order. */
export const serversOf = (list: SignedObject): SignedRecord<'server-list'>['servers'] =>
  openRecord('server-list', list)?.record.servers ?? [];
