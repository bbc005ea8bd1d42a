/**
 * Powers that a manifest could once ask for but that had no effect: writing files, and the capability
 * `artwork`. They are ignored in plugins, grants and indexes of that time, so that these stay valid.
 * Authors get an error, so that new manifests do not name them.
 */

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Powers that lost the level `write` and keep `read`. */
const readAlone = ['files', 'disk'] as const;
const removedCapability = 'artwork';

/** The `permissions` of a manifest or a grant, with `read` in place of a removed level. */
export function permissionsInForce<T>(permissions: T): T {
  if (!isFields(permissions)) return permissions;
  const removed = readAlone.filter((name) => permissions[name] === 'write');
  return { ...permissions, ...Object.fromEntries(removed.map((name) => [name, 'read'])) };
}

/** A manifest, or a version in an index, without removed powers. Other values stay unchanged. */
export function askedInForce<T>(asking: T): T {
  if (!isFields(asking)) return asking;
  const { permissions, capabilities } = asking;
  return {
    ...asking,
    ...(permissions !== undefined && { permissions: permissionsInForce(permissions) }),
    ...(Array.isArray(capabilities) && {
      capabilities: capabilities.filter((one) => one !== removedCapability),
    }),
  };
}

/** An index whose versions have no removed powers. Its signature still covers the original. */
export const indexInForce = <T>(index: T): T =>
  withEach(index, 'plugins', (plugin) => withEach(plugin, 'versions', versionInForce));

/** An index leaves out empty lists. */
function versionInForce(version: unknown): unknown {
  const read = askedInForce(version);
  if (!isFields(version) || !isFields(read)) return read;
  const { capabilities, ...rest } = read;
  const isEmptied = Array.isArray(capabilities) && capabilities.length === 0;
  return isEmptied && removedIn({ capabilities: version['capabilities'] }).length > 0 ? rest : read;
}

function withEach<T>(value: T, key: string, change: (one: unknown) => unknown): T {
  if (!isFields(value)) return value;
  const list = value[key];
  return Array.isArray(list) ? { ...value, [key]: list.map(change) } : value;
}

/** The removed powers that a manifest names: one sentence each, with what is right. */
export function removedIn(manifest: unknown): readonly string[] {
  if (!isFields(manifest)) return [];
  const { permissions, capabilities } = manifest;
  const levels = isFields(permissions)
    ? readAlone.filter((name) => permissions[name] === 'write')
    : [];
  const at = Array.isArray(capabilities) ? capabilities.indexOf(removedCapability) : -1;
  return [
    ...levels.map(
      (name) =>
        `permissions.${name}: "write" was removed, since no method writes; right is "read".`,
    ),
    ...(at < 0
      ? []
      : [
          `capabilities[${at}]: "artwork" was removed, since no server calls a plugin for it; leave it out.`,
        ]),
  ];
}
