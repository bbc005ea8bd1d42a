/**
 * The whole list of powers that a plugin asks for: its `permissions`, and what follows from its
 * capabilities, subscriptions and job types. Consent, grants, the marketplace index and the packer's
 * check all read this list, so that none of them can forget a power.
 */
import type { HookName, Manifest, Permissions } from '../../plugin-api/index.ts';
import { groupsOfPatterns } from '../events/index.ts';
import { pluginSlug } from './plugin-slug.ts';
import { powersOf } from './permissions.ts';

/** The parts of a manifest that ask for something. */
export type Asking = Pick<
  Manifest,
  'id' | 'permissions' | 'capabilities' | 'capabilityConfig' | 'mediaTypes' | 'subscriptions'
>;

/** Job types of the server. A plugin runs one of them only as the provider that an admin chose. */
export const serverJobTypes: ReadonlySet<string> = new Set([
  'scan',
  'probe',
  'identify',
  'refresh',
  'reindex',
  'backup',
]);

/** Everything that the manifest asks for, in the form of a grant. */
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

/** Whether an admin has nothing to decide on before the plugin runs. */
export const asksForNothing = (manifest: Asking): boolean =>
  powersOf(powersAsked(manifest)).length === 0;

/** Whether the type is one that the plugin with this id names itself. */
export const isOwnJobType = (type: string, pluginId: string): boolean =>
  type.startsWith(`${pluginId}.`);

/** The capability that a key of `serves` is of: `filesystem` of `filesystem:s3`. */
export const capabilityOfKey = (key: string): string => key.split(':', 1)[0] ?? key;

/**
 * Whether one plugin at a time answers for the key. Of the others each adds to what the rest say.
 */
export const isExclusiveKey = (key: string): boolean => !additive.has(capabilityOfKey(key));

const additive: ReadonlySet<string> = new Set(['indexer', 'notifier']);

function keysServed(manifest: Asking): readonly string[] {
  const keys = manifest.capabilities.flatMap((capability) => {
    const parts = partsOf(capability, manifest);
    return parts.length === 0 ? [capability] : parts.map((part) => `${capability}:${part}`);
  });
  return [...new Set([...keys, ...jobsRun(manifest).map((type) => `job:${type}`)])];
}

/** What a capability is divided into, where one plugin may serve one part and another plugin another. */
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

/** Types that the plugin runs; a type without a plugin's id that the server does not have is its own. */
function jobsRun({ id, permissions, capabilityConfig = {} }: Asking): readonly string[] {
  const named = (permissions.jobs ?? []).filter(
    (type) => isOwnJobType(type, id) || (!type.includes('.') && !serverJobTypes.has(type)),
  );
  return [...named, ...(capabilityConfig.jobs?.runs ?? [])];
}

/** Types of `permissions.jobs` that belong to somebody else, or that are shared by their plain name. */
function othersJobs({ id, permissions }: Asking): readonly string[] {
  return (permissions.jobs ?? []).filter((type) => !isOwnJobType(type, id));
}
