import type { PermissionName, Permissions } from '../../plugin-api/index.ts';
import { clamp, entriesOf, isListPower, widerPowers } from './permissions.ts';

/** What an admin has decided on before: what was asked for then, and what they granted of it. */
export interface Decided {
  readonly asked: Permissions;
  readonly granted: Permissions;
}

/** What consent to a version means. */
export interface Consent {
  /** The powers that nobody has decided on yet, or not that far. */
  readonly more: readonly PermissionName[];
  /** What is granted then: what was granted before, where it is still asked for, and all that is new. */
  readonly granted: Permissions;
}

/** What consent to all that a version asks for means; what was held back before stays held back. */
export function consentTo(asked: Permissions, decided: Decided | null): Consent {
  const before = decided ?? { asked: {}, granted: {} };
  const more = widerPowers(asked, before.asked);
  const kept = clamp(before.granted, asked);
  const added = more.map((name) => [name, widened(name, asked, before)] as const);
  return { more, granted: { ...kept, ...Object.fromEntries(added) } };
}

/** Of a list, only the entries that are new: the others were decided on one by one. */
function widened(name: PermissionName, asked: Permissions, before: Decided): unknown {
  if (!isListPower(name)) return asked[name];
  const fresh = entriesOf(asked, name).filter(
    (entry) => widerPowers({ [name]: [entry] }, before.asked).length > 0,
  );
  const kept = entriesOf(clamp(before.granted, asked), name);
  return [...new Set([...kept, ...fresh])];
}
