/**
 * A budget for what a person changes about themselves, in one place for every route: a new route has
 * the smallest one, unless it says otherwise. All sessions, keys and profiles of a user share it, so
 * nobody gets more by signing in again. Requests above it cost neither a body nor a transaction.
 */
import { createKeyedTokenBuckets } from '../../packages/lib/concurrency/index.ts';
import type { Clock } from '../platform/clock.ts';
import { tooOften } from '../platform/errors.ts';
import { isReading } from './access.ts';
import type { HttpApp } from './http-app.ts';

/** Writes at once, and then so many a second. */
const rates = {
  usual: { capacity: 60, refill: 1, everyMs: 1000 },
  often: { capacity: 600, refill: 20, everyMs: 1000 },
  endsCredentials: { capacity: 30, refill: 1, everyMs: 1000 },
} as const;
/** The buckets of each budget; above that the least recently used one is full again. */
const mostKeys = 20_000;

/** Refuses writes of users and guests above their budget. Admins are not limited. */
export function limitWrites(app: HttpApp, { now }: Pick<Clock, 'now'>): void {
  const bucketsOf = (name: keyof typeof rates) =>
    createKeyedTokenBuckets(rates[name], { mostKeys, now });
  const budgets = {
    usual: bucketsOf('usual'),
    often: bucketsOf('often'),
    endsCredentials: bucketsOf('endsCredentials'),
  };

  app.addHook('onRequest', ({ viewer, method, routeConfig }, _reply, done) => {
    if (viewer === null || viewer.role === 'admin' || isReading(method)) {
      done();
      return;
    }
    const budget = routeConfig.writes ?? 'usual';
    // A thief of one credential must not keep its owner from ending it with another one.
    const key = budget === 'endsCredentials' ? viewer.credentialId : viewer.userId;
    const waitMs = budgets[budget].take(key);
    if (waitMs === 0) done();
    else done(tooOften('Your account sends too many changes at once.', waitMs));
  });
}
