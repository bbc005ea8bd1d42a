/** A device with an app, as it was paired. */
import { openRecord, type SignedObject, type SignedRecord } from '../identity/primitives/index.ts';
import type { LinkedServer } from './web-api.ts';

/** A client as it is stored. */
export interface Client {
  readonly clientId: string;
  readonly userId: string;
  readonly appId: string;
  readonly clientPubKey: string;
  readonly deviceName: string;
  readonly platform: string;
  /** The newest pass that was good at some moment. */
  readonly cert: SignedObject;
  readonly serverList: SignedObject;
  readonly pairedAt: number;
  readonly lastSeenAt: number | null;
  readonly revokedAt: number | null;
}

/** A pass as it is stored; seconds. */
export interface StoredPass {
  readonly clientId: string;
  readonly iat: number;
  readonly exp: number;
  readonly cert: SignedObject;
}

/** What a device gets of its pairing and of each renewal. */
export interface ClientPass {
  readonly cert: SignedObject;
  readonly servers: readonly LinkedServer[];
  readonly serverList: SignedObject;
}

/** The servers that a signed list names, in its order. */
export const serversOf = (list: SignedObject): SignedRecord<'server-list'>['servers'] =>
  openRecord('server-list', list)?.record.servers ?? [];
