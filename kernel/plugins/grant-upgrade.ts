/**
 * A grant from before capabilities, events and hooks were powers keeps what the plugin could do then: it
 * served what its manifest names, heard every event that it subscribed to, and took part in the hooks
 * that were called. An item hook was called only with `metadata: write`.
 */
import type { Permissions } from '../../plugin-api/index.ts';
import type { PluginGrant } from './plugin-store.ts';

/** The same grant in its whole form; one that is whole stays as it is. */
export function upgradeGrant(grant: PluginGrant, asked: Permissions): PluginGrant {
  if (grant.isPartial !== true) return grant;
  return {
    asked: { ...derivedOf(asked), ...grant.asked },
    granted: { ...grant.granted, ...undecided(grant, asked) },
    reach: grant.reach,
  };
}

/** What of the grant nobody was ever asked about. */
export function keptPowers(grant: PluginGrant, asked: Permissions): Permissions {
  return grant.isPartial === true ? undecided(grant, asked) : {};
}

/** What an admin decided on in a later database that was restored over stays as it was decided. */
function undecided(grant: PluginGrant, asked: Permissions): Permissions {
  const had = Object.entries(grantedThen(grant.granted, asked));
  return Object.fromEntries(had.filter(([name]) => !(name in grant.asked)));
}

function derivedOf({ serves, hears, hooks }: Permissions): Permissions {
  return { ...(serves && { serves }), ...(hears && { hears }), ...(hooks && { hooks }) };
}

/** No server called a plugin for it then, so no plugin keeps it. */
const neverServed = 'notifier';

function grantedThen(granted: Permissions, asked: Permissions): Permissions {
  const { serves = [], hears = [], hooks = [] } = asked;
  const ran = new Set((granted.jobs ?? []).map((type) => `job:${type}`));
  const served = serves.filter(
    (key) => key !== neverServed && (!key.startsWith('job:') || ran.has(key)),
  );
  const called = hooks.filter(
    (name) => name === 'pipeline.scan.prepare' || granted.metadata === 'write',
  );
  return {
    ...(served.length > 0 && { serves: served }),
    ...(hears.length > 0 && { hears }),
    ...(called.length > 0 && { hooks: called }),
  };
}
