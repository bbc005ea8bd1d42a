import { isMilliseconds, toBase64url } from '../../lib/identity-protocol/index.ts';
import type { Ask, Answer } from './ask.ts';
import { isErrorCode } from './error-codes.ts';
import { IdentityError } from './identity-error.ts';
import { isRecord, isText, type JsonRecord } from './json.ts';
import type { ClientKey } from './key-store.ts';
import { renewalBytes, type CheckedPass, type Rotations } from './pass-check.ts';
import type { Platform } from './platform.ts';

/** The input of a pairing request. */
export interface PairingRequest {
  readonly appId: string;
  readonly clientPubKey: string;
  readonly deviceName: string;
  readonly platform: Platform;
  /** Present in the browser flow. */
  readonly callbackUrl?: string;
}

interface Begun {
  readonly requestId: string;
  /** By the broker's clock. */
  readonly expiresAt: number;
}

/** The user types the code on the broker's page. */
export interface CodeBegun extends Begun {
  readonly pairingCode: string;
  readonly pairingUrl: string;
}

/** The user opens this page. */
export interface BrowserBegun extends Begun {
  readonly browserUrl: string;
}

/** The result of an approval, not verified yet. */
export interface Grant extends Rotations {
  readonly cert: unknown;
  readonly servers: unknown;
  readonly serverList: unknown;
}

/** The state of a pairing. */
export type PairingStatus = { readonly status: 'pending' } | { readonly grant: Grant };

/** The broker, on the side of apps. Every method rejects with an {@link IdentityError}. */
export interface Broker {
  readonly beginCode: (request: PairingRequest) => Promise<CodeBegun>;
  readonly beginBrowser: (request: PairingRequest) => Promise<BrowserBegun>;
  readonly poll: (requestId: string, signal: AbortSignal) => Promise<PairingStatus>;
  /** `null` = there is no new pass yet. */
  readonly renew: (pass: CheckedPass, key: ClientKey, nowMs: number) => Promise<Grant | null>;
}

export function createBroker(ask: Ask, identityUrl: string): Broker {
  const clients = `${identityUrl.replace(/\/+$/, '')}/api/identity/clients`;

  async function begin(request: PairingRequest): Promise<Begun & { readonly body: JsonRecord }> {
    const url = `${clients}/pair/begin`;
    const { body } = await ask({ method: 'POST', url, body: { ...request } });
    const { requestId, expiresAt } = body;
    if (!isText(requestId) || !/^[A-Za-z0-9_-]{1,128}$/.test(requestId)) throw bad('requestId');
    if (!isMilliseconds(expiresAt)) throw bad('expiresAt');
    return { requestId, expiresAt, body };
  }

  return {
    beginCode: async (request) => {
      const { body, ...begun } = await begin(request);
      const { pairingCode } = body;
      if (!isText(pairingCode) || !/^\d{8}$/.test(pairingCode)) throw bad('pairingCode');
      return { ...begun, pairingCode, pairingUrl: pageOf(body['pairingUrl'], 'pairingUrl') };
    },
    beginBrowser: async (request) => {
      const { body, ...begun } = await begin(request);
      return { ...begun, browserUrl: pageOf(body['browserUrl'], 'browserUrl') };
    },
    poll: async (requestId, signal) => {
      const url = `${clients}/pair/${requestId}`;
      return toStatus((await ask({ method: 'GET', url, signal })).body);
    },
    renew: async (pass, key, nowMs) => {
      const ts = Math.floor(nowMs);
      const sig = toBase64url(await key.sign(renewalBytes(pass.claims, ts)));
      const url = `${clients}/${pass.claims.clientId}/renew`;
      return toRenewed(
        await ask({ method: 'POST', url, body: { currentCert: pass.cert, ts, sig } }),
      );
    },
  };
}

const toRenewed = ({ status, body }: Answer): Grant | null =>
  status === 202 ? null : grantOf(body);

function toStatus(body: JsonRecord): PairingStatus {
  const { status, error } = body;
  if (status === 'pending') return { status };
  if (status === 'completed') return { grant: grantOf(body) };
  const code = isRecord(error) ? error['code'] : undefined;
  if (status !== 'error' || !isText(code)) throw bad('status');
  throw isErrorCode(code)
    ? new IdentityError(code)
    : new IdentityError('refused', { wireCode: code.slice(0, 200) });
}

const grantOf = ({ cert, servers, serverList, rotation, rotations }: JsonRecord): Grant => ({
  cert,
  servers,
  serverList,
  rotation,
  rotations,
});

/** The address of a page for the user. Only http and https: other schemes could run code. */
function pageOf(value: unknown, key: string): string {
  if (!isText(value) || !/^https?:\/\/[^\s]+$/.test(value)) throw bad(key);
  return value;
}

const bad = (key: string): IdentityError =>
  new IdentityError('bad_reply', { detail: `Its ${key} is missing or malformed.` });
