/**
 * All powers that a plugin asks for: its `permissions`, and those that follow from its capabilities,
 * subscriptions and job types. Consent, grants, the marketplace index and the packer's check all use
 * this list, so none of them can miss a power.
 */
import type { HookName, Manifest, Permissions } from '../../../plugin-api/index.ts';
import { groupsOfPatterns } from '../../call/events/index.ts';
import { pluginSlug } from '../plugin/plugin-slug.ts';
import { powersOf } from './permissions.ts';

/** The parts of a manifest that ask for something. */
export type Asking = Pick<
  Manifest,
  'id' | 'permissions' | 'capabilities' | 'capabilityConfig' | 'mediaTypes' | 'subscriptions'
>;

/** Job types of the server. A plugin runs one of them only when an admin chose it as the provider. */
export const serverJobTypes: ReadonlySet<string> = new Set([
  'scan',
  'probe',
  'identify',
  'refresh',
  'reindex',
  'backup',
]);

/** All that the manifest asks for, in the form of a grant. */
export function powersAsked(manifest: Asking): Permissions {
  const { permissions, subscriptions = {}, id } = manifest;
  const serves = keysServed(manifest);
  const hears = groupsOfPatterns(subscriptions.events ?? [], pluginSlug(id));
  const hooks = [...new Set<HookName>((subscriptions.hooks ?? []).map(({ name }) => name))];
  const others = othersJobs(manifest);
  return {
    ...withoutJobs(permissions),
    ...(others.length > 0 && { jobs: others }),
    ...(serves.length > 0 && { serves }),
    ...(hears.length > 0 && { hears }),
    ...(hooks.length > 0 && { hooks }),
  };
}

const withoutJobs = (permissions: Permissions): Permissions =>
  Object.fromEntries(Object.entries(permissions).filter(([name]) => name !== 'jobs'));

/** Whether the plugin runs without an admin's decision. */
export const asksForNothing = (manifest: Asking): boolean =>
  powersOf(powersAsked(manifest)).length === 0;

/** Whether the type belongs to the plugin with this id. */
export const isOwnJobType = (type: string, pluginId: string): boolean =>
  type.startsWith(`${pluginId}.`);

/** The capability of a `serves` key: `filesystem` of `filesystem:s3`. */
export const capabilityOfKey = (key: string): string => key.split(':', 1)[0] ?? key;

/** Whether one plugin at a time answers for the key. For other keys, all answers are combined. */
export const isExclusiveKey = (key: string): boolean => !additive.has(capabilityOfKey(key));

const additive: ReadonlySet<string> = new Set(['indexer', 'notifier']);

function keysServed(manifest: Asking): readonly string[] {
  const keys = manifest.capabilities.flatMap((capability) => {
    const parts = partsOf(capability, manifest);
    return parts.length === 0 ? [capability] : parts.map((part) => `${capability}:${part}`);
  });
  return [...new Set([...keys, ...jobsRun(manifest).map((type) => `job:${type}`)])];
}

/** The parts of a capability, where different plugins may serve different parts. */
function partsOf(
  capability: Manifest['capabilities'][number],
  { capabilityConfig = {}, mediaTypes }: Asking,
): readonly string[] {
  if (capability === 'filesystem') return capabilityConfig.filesystem?.schemes ?? [];
  if (capability === 'probe') return capabilityConfig.probe?.extensions ?? [];
  if (capability !== 'library') return [];
  const paths = capabilityConfig.library?.paths ?? [];
  return [...new Set([...mediaTypes, ...paths.map(({ type }) => type)])];
}

/** Types that the plugin runs. A type without a plugin's id that the server does not have is its own. */
function jobsRun({ id, permissions, capabilityConfig = {} }: Asking): readonly string[] {
  const named = (permissions.jobs ?? []).filter(
    (type) => isOwnJobType(type, id) || (!type.includes('.') && !serverJobTypes.has(type)),
  );
  return [...named, ...(capabilityConfig.jobs?.runs ?? [])];
}

/** Types in `permissions.jobs` that belong to another plugin or to the server. */
function othersJobs({ id, permissions }: Asking): readonly string[] {
  return (permissions.jobs ?? []).filter((type) => !isOwnJobType(type, id));
}
