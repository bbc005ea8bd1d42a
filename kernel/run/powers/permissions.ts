/** Comparison of permissions: a grant against a need, and one set against another. */
import type { PermissionName, Permissions } from '../../../plugin-api/index.ts';
import { coversHost } from '../../host-pattern.ts';
import type { HostMethod } from '../../call/host-service.ts';

/** The power that a host method needs. */
type Need = NonNullable<HostMethod['permission']>;

/** Whether the grant has that power at that level. */
export function allows(granted: Permissions, { name, level }: Need): boolean {
  const power: unknown = granted[name];
  // A plugin that runs jobs may start jobs of its own types.
  if (name === 'jobs' && granted.serves?.some((key) => key.startsWith('job:'))) return true;
  if (power === undefined) return false;
  return level !== 'write' || power === 'write';
}

/** A need as messages name it: `library: write`, `textIndex`. */
export function needText({ name, level }: Need): string {
  return level === undefined ? name : `${name}: ${level}`;
}

/** What `wider` has beyond `asked`, one phrase each; empty when it has nothing more. */
export function excess(wider: Permissions, asked: Permissions): readonly string[] {
  return powersOf(wider).flatMap((name) => {
    if (asked[name] === undefined) return [`${name} was not asked for`];
    return excessOf(name, wider, asked);
  });
}

function excessOf(name: PermissionName, wider: Permissions, asked: Permissions): readonly string[] {
  if (name === 'kv') {
    const [have, may] = [wider.kv?.quotaMb ?? 0, asked.kv?.quotaMb ?? 0];
    return have > may ? [`kv.quotaMb: ${have} is above ${may}`] : [];
  }
  if (isListPower(name)) {
    const may = entriesOf(asked, name);
    const extra = entriesOf(wider, name).filter((entry) => !isCovered(name, may, entry));
    return extra.map((entry) => `${name}: ${entry} was not asked for`);
  }
  return wider[name] === 'write' && asked[name] === 'read'
    ? [`${name}: write is wider than read`]
    : [];
}

/** Powers that are lists; each entry is granted separately. */
const listPowers = ['net', 'jobs', 'calls', 'serves', 'hears', 'hooks'] as const;

/** The name of a power that is a list. */
export type ListPower = (typeof listPowers)[number];

/** Whether the power is a list of entries. */
export const isListPower = (name: PermissionName): name is ListPower =>
  listPowers.some((other) => other === name);

/** The entries of a list power; empty when it is absent. */
export const entriesOf = (permissions: Permissions, name: ListPower): readonly string[] =>
  permissions[name] ?? [];

/** Whether `may` covers the entry: a host, a type of jobs, or a method. */
function isCovered(name: ListPower, may: readonly string[], entry: string): boolean {
  return name === 'net' ? may.some((pattern) => coversHost(pattern, entry)) : may.includes(entry);
}

/** The powers in which `wider` exceeds `asked`. */
export function widerPowers(wider: Permissions, asked: Permissions): readonly PermissionName[] {
  return powersOf(wider).filter(
    (name) => asked[name] === undefined || excessOf(name, wider, asked).length > 0,
  );
}

/** The part of a grant that is asked for. `reasons` is not a power and is left out. */
export function clamp(granted: Permissions, asked: Permissions): Permissions {
  const kept = powersOf(granted).flatMap((name): readonly (readonly [string, unknown])[] => {
    if (asked[name] === undefined) return [];
    if (excessOf(name, granted, asked).length === 0) return [[name, granted[name]]];
    if (!isListPower(name)) return [[name, asked[name]]];
    const may = entriesOf(asked, name);
    const entries = entriesOf(granted, name).filter((entry) => isCovered(name, may, entry));
    return entries.length === 0 ? [] : [[name, entries]];
  });
  return Object.fromEntries(kept);
}

/** The names of the powers in it. */
export function powersOf(permissions: Permissions): readonly PermissionName[] {
  const names = Object.keys(permissions) as readonly (keyof Permissions)[];
  return names.filter((name) => name !== 'reasons');
}
