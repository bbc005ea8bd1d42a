import type { PermissionName, Permissions } from '../../../plugin-api/index.ts';
import { clamp, entriesOf, isListPower, widerPowers } from './permissions.ts';

/** An admin's earlier decision: what the plugin asked for then, and what was granted of it. */
export interface Decided {
  readonly asked: Permissions;
  readonly granted: Permissions;
}

/** The effect of consent to a version. */
export interface Consent {
  /** The powers, or levels of them, without a decision so far. */
  readonly more: readonly PermissionName[];
  /** The new grant: earlier grants that are still asked for, and all that is new. */
  readonly granted: Permissions;
}

/** The effect of consent to all that a version asks for. What was refused before stays refused. */
export function consentTo(asked: Permissions, decided: Decided | null): Consent {
  const before = decided ?? { asked: {}, granted: {} };
  const more = widerPowers(asked, before.asked);
  const kept = clamp(before.granted, asked);
  const added = more.map((name) => [name, widened(name, asked, before)] as const);
  return { more, granted: { ...kept, ...Object.fromEntries(added) } };
}

/** Only the new entries of a list: the others were decided on one by one. */
function widened(name: PermissionName, asked: Permissions, before: Decided): unknown {
  if (!isListPower(name)) return asked[name];
  const fresh = entriesOf(asked, name).filter(
    (entry) => widerPowers({ [name]: [entry] }, before.asked).length > 0,
  );
  const kept = entriesOf(clamp(before.granted, asked), name);
  return [...new Set([...kept, ...fresh])];
}
