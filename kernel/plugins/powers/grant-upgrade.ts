/**
 * Upgrades a grant from before capabilities, events and hooks were powers. It keeps what the plugin
 * could do then: serve what its manifest names, receive every event that it subscribed to, and take
 * part in the hooks that were called. An item hook was called only with `metadata: write`.
 */
import type { Permissions } from '../../../plugin-api/index.ts';
import type { PluginGrant } from './plugin-grant.ts';

/** Powers that a plugin had before consent covered them, and keeps. */
export interface KeptPowers {
  readonly pluginId: string;
  readonly powers: Permissions;
}

/** The grant in its complete form; a complete grant stays unchanged. */
export function upgradeGrant(grant: PluginGrant, asked: Permissions): PluginGrant {
  if (grant.isPartial !== true) return grant;
  return {
    asked: { ...derivedOf(asked), ...grant.asked },
    granted: { ...grant.granted, ...undecided(grant, asked) },
    reach: grant.reach,
  };
}

/** The powers in the grant that no admin decided on. */
export function keptPowers(grant: PluginGrant, asked: Permissions): Permissions {
  return grant.isPartial === true ? undecided(grant, asked) : {};
}

/** The powers without a decision. A decision in a later database that was restored over still holds. */
function undecided(grant: PluginGrant, asked: Permissions): Permissions {
  const had = Object.entries(grantedThen(grant.granted, asked));
  return Object.fromEntries(had.filter(([name]) => !(name in grant.asked)));
}

function derivedOf({ serves, hears, hooks }: Permissions): Permissions {
  return { ...(serves && { serves }), ...(hears && { hears }), ...(hooks && { hooks }) };
}

/** No server called plugins for it then, so no plugin keeps it. */
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
