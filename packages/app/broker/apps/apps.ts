import { isUniqueViolation } from '../../../../kernel/store/index.ts';
import { isAppId, isShownName } from '../../../lib/identity-protocol/index.ts';
import type { SignedInUser } from '../accounts/account.ts';
import { developerView, isCallback, isDomain, isReserved, type StoredApp } from './app.ts';
import * as store from './app-store.ts';
import { checkDomain, type FetchProof, type ResolveTxt } from './domain-proof.ts';
import { Refusal } from '../service/errors.ts';
import { dayMs, hourMs, type Core } from '../service/parts.ts';
import { createRate } from '../service/request-rates.ts';
import type { DeveloperApp, NewApp } from '../service/web-api.ts';

/** The fields of an app that can change: all but its id. */
export type AppChange = Omit<NewApp, 'slug'>;

/** Apps and their developers. */
export type Apps = ReturnType<typeof createApps>;

export interface AppsParts {
  readonly core: Core;
  readonly fetchProof: FetchProof;
  readonly resolveTxt: ResolveTxt;
}

const recheckAfterMs = 30 * dayMs;
/** A domain that does not answer is checked daily, and stays verified for this long. */
const graceMs = 37 * dayMs;

export function createApps({ core, fetchProof, resolveTxt }: AppsParts) {
  const { database, clock, limits, log } = core;
  const checks = createRate(clock, [{ most: 20, inMs: hourMs }]);

  const own = async ({ user }: SignedInUser, appId: string): Promise<StoredApp> => {
    const app = await store.findApp(database.read, appId);
    if (app?.userId === user.userId) return app;
    throw new Refusal('not_found');
  };

  const add = async ({ user }: SignedInUser, { slug, ...rest }: NewApp): Promise<DeveloperApp> => {
    const appId = `app_${slug}`;
    if (!isAppId(appId))
      throw new Refusal('invalid_request', {
        message: 'slug must be 3 to 32 of a-z, 0-9 and -, and must not begin or end with -.',
      });
    assertChange(rest);
    if (isReserved(slug)) throw new Refusal('app_id_taken');
    const app: StoredApp = {
      appId,
      userId: user.userId,
      ...rest,
      verifiedAt: null,
      checkedAt: null,
      isEnabled: true,
      createdAt: clock.now(),
    };
    await database
      .write(async (trx) => {
        const others = await store.appsOf(trx, user.userId);
        if (others.length >= limits.appsPerAccount) throw new Refusal('too_many');
        await store.insertApp(trx, app);
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? new Refusal('app_id_taken') : error;
      });
    return developerView(app);
  };

  /** Every change makes the domain unverified. */
  const change = async (
    caller: SignedInUser,
    appId: string,
    changed: AppChange,
  ): Promise<DeveloperApp> => {
    assertChange(changed);
    const app = { ...(await own(caller, appId)), ...changed, verifiedAt: null, checkedAt: null };
    await database.write((trx) => store.updateApp(trx, app));
    return developerView(app);
  };

  const look = async (app: StoredApp, domain: string): Promise<StoredApp | null> => {
    const verdict = await checkDomain({ domain, appId: app.appId }, { fetchProof, resolveTxt });
    const now = clock.now();
    const isKept =
      verdict === 'unreachable' && app.verifiedAt !== null && now < app.verifiedAt + graceMs;
    const verifiedAt = verdict === 'proven' ? now : isKept ? app.verifiedAt : null;
    // An unreachable domain is checked again in a day.
    const checkedAt = isKept ? now - recheckAfterMs + dayMs : now;
    const noted = { verifiedAt, checkedAt };
    const isNoted = await database.write((trx) => store.noteDomainCheck(trx, app, noted));
    return isNoted ? { ...app, ...noted } : null;
  };

  const verify = async (caller: SignedInUser, appId: string): Promise<DeveloperApp> => {
    const app = await own(caller, appId);
    checks.take(caller.user.userId);
    const checked = app.domain === null ? null : await look(app, app.domain);
    if (checked === null || checked.verifiedAt === null) throw new Refusal('domain_unproven');
    return developerView(checked);
  };

  /** Checks the domains of verified apps again, each every 30 days, while `goesOn` returns true. */
  const recheck = async (goesOn: () => boolean): Promise<void> => {
    const due = await store.appsToCheck(database.read, clock.now() - recheckAfterMs);
    for (const app of due) {
      if (!goesOn()) return;
      const checked = app.domain === null ? null : await look(app, app.domain);
      if (checked?.verifiedAt === null)
        log.warn({ appId: app.appId }, 'A domain no longer names its app.');
    }
  };

  return {
    list: async ({ user }: SignedInUser): Promise<readonly DeveloperApp[]> =>
      (await store.appsOf(database.read, user.userId)).map(developerView),
    add,
    change,
    verify,
    remove: async (caller: SignedInUser, appId: string): Promise<void> => {
      await own(caller, appId);
      await database.write((trx) => store.markDeleted(trx, appId, clock.now()));
    },
    recheck,
  };
}

function assertChange({ name, callbacks, domain, icon }: AppChange): void {
  if (!isShownName(name) || name.trim() !== name)
    throw new Refusal('invalid_request', { message: 'name must be 1 to 64 visible characters.' });
  const bad = callbacks.find((one) => !isCallback(one));
  if (bad !== undefined || new Set(callbacks).size !== callbacks.length)
    throw new Refusal('callback_invalid');
  if (domain !== null && !isDomain(domain))
    throw new Refusal('invalid_request', { message: 'domain must be a host name with a dot.' });
  if (icon !== null && !isIcon(icon))
    throw new Refusal('invalid_request', { message: 'icon must be an https address.' });
}

const isIcon = (text: string): boolean =>
  text.length <= 500 && text.startsWith('https://') && URL.canParse(text);
