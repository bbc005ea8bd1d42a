/**
 * Powers that a manifest could ask for and that gave nothing: to write files, and the capability
 * `artwork`. What still names one is read as if it did not, so that plugins, grants and indexes from
 * then go on. Authors are told, so that nothing new names one.
 */

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Powers that had the level `write`, and have `read` alone. */
const readAlone = ['files', 'disk'] as const;
const removedCapability = 'artwork';

/** The `permissions` of a manifest or of a grant; each level that was removed is `read` there. */
export function permissionsInForce<T>(permissions: T): T {
  if (!isFields(permissions)) return permissions;
  const removed = readAlone.filter((name) => permissions[name] === 'write');
  return { ...permissions, ...Object.fromEntries(removed.map((name) => [name, 'read'])) };
}

/** A manifest, or the version of an index, without what was removed. Anything else stays as it is. */
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

/** An index whose versions are without what was removed. Its signature is of the index as it was. */
export const indexInForce = <T>(index: T): T =>
  withEach(index, 'plugins', (plugin) => withEach(plugin, 'versions', versionInForce));

/** An index leaves out lists that are empty. */
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

/** What a manifest names that was removed: one sentence each, with what is right. */
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
