/** License keys, their issuer and a real activation service, for tests. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import type { LicenseClaims } from '../../../plugin-api/index.ts';
import { issueLicenseKey, issuerOf } from '../../../src/operations/license/index.ts';
import {
  startLicenseAuthority,
  type LicenseAuthority,
} from '../../../packages/app/license-authority/index.ts';
import { temporaryFolder } from '../storage/storage.ts';

/** Somebody who issues licenses. */
export interface TestIssuer {
  /** Public key, 64 hex digits. */
  readonly issuer: string;
  /** A key of a year from `issuedAt`, with what the test says. */
  readonly issue: (claims?: Partial<LicenseClaims>) => string;
}

/** Creates an issuer with a key of its own. */
export function createTestIssuer(issuedAt = Date.now()): TestIssuer {
  const { privateKey } = generateKeyPairSync('ed25519');
  const iat = Math.floor(issuedAt / 1000);
  return {
    issuer: issuerOf(privateKey),
    issue: (claims = {}) =>
      issueLicenseKey(
        {
          id: 'license-1',
          tier: 'home',
          limits: { users: 5 },
          seats: 1,
          iat,
          exp: iat + 365 * 86_400,
          ...claims,
        },
        privateKey,
      ),
  };
}

/** A real service on loopback, stopped at the end of the test. */
export async function startTestAuthority(
  issuer: string,
  options: { readonly now?: () => number; readonly rate?: number; readonly data?: string } = {},
): Promise<LicenseAuthority> {
  const { now = Date.now, rate = 10_000, data = temporaryFolder() } = options;
  const host = '127.0.0.1';
  const service = await startLicenseAuthority({
    host,
    port: 0,
    data,
    issuer,
    rate,
    now,
    log: silentLog,
  });
  onTestFinished(service.stop);
  return service;
}

/** Something on loopback that is no such service, and answers as the test says. */
export async function startImpostor(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
