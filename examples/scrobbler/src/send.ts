import type { Host } from '@vitrine/plugin-api';
import type { Listen } from './listen.ts';

/**
 * How a service answered. `refused`: it will never take this. `denied`: the account must be set up
 * again. `gone`: the profile has removed its account.
 */
export type Sent = 'done' | 'refused' | 'denied' | 'gone' | 'later';

/** Sends listens of one profile. */
export type Send = (listens: readonly Listen[], profile: string, host: Host) => Promise<Sent>;
