import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Log } from '../../../kernel/index.ts';
import { openStorage } from '../../../kernel/store/index.ts';
import { createAuthorityApp } from './authority-app.ts';
import { createRequestRate } from './request-rate.ts';
import { seatMigrations } from './seat-migrations.ts';
import { createSeats } from './seats.ts';

/** The options of the service. */
export interface AuthorityOptions {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** The folder of its database, which must exist. */
  readonly data: string;
  /** Public key of the issuer, 64 hex digits. */
  readonly issuer: string;
  /** Requests that one address may send in a minute. */
  readonly rate: number;
  readonly now: () => number;
  readonly log: Log;
}

/** A running service. */
export interface LicenseAuthority {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts the service that counts the servers of each license. */
export async function startLicenseAuthority(options: AuthorityOptions): Promise<LicenseAuthority> {
  const { host, port, data, issuer, now, log } = options;
  const storage = await openStorage({
    url: `sqlite:${path.join(data, 'licenses.db')}`,
    migrations: [seatMigrations],
    log,
  });
  const app = createAuthorityApp({
    seats: createSeats({ database: storage.database, issuer, now }),
    rate: createRequestRate(options.rate, now),
    log,
  });
  const stop = async (): Promise<void> => {
    app.server.closeAllConnections();
    await app.close();
    await storage.close();
  };
  try {
    await app.listen({ host, port });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: urlOf(app.server.address(), host), stop };
}

function urlOf(address: AddressInfo | string | null, host: string): string {
  const port = typeof address === 'object' && address !== null ? `:${address.port}` : '';
  return `http://${host.includes(':') ? `[${host}]` : host}${port}`;
}
