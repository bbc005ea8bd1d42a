/** What an admin grants a plugin: a part of what it asks for. */

/** What a plugin asks for, or what it was granted, by permission. */
export type Permissions = Readonly<Record<string, unknown>>;

/** Permissions that are lists: each of their values is granted by itself. */
export const valuesOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Whether a permission, or one value of it, is granted. */
export function isGranted(granted: Permissions, permission: string, value?: string): boolean {
  const now = granted[permission];
  if (value !== undefined) return valuesOf(now).includes(value);
  return now !== undefined && now !== false && (!Array.isArray(now) || now.length > 0);
}

/** The grant after one permission, or one value of it, was given or taken. */
export function changeGrant(
  { asked, granted }: { readonly asked: Permissions; readonly granted: Permissions },
  permission: string,
  { isOn, value }: { readonly isOn: boolean; readonly value?: string },
): Permissions {
  const { [permission]: now, ...others } = granted;
  if (value === undefined) return isOn ? { ...others, [permission]: asked[permission] } : others;
  const values = valuesOf(asked[permission]).filter((one) =>
    one === value ? isOn : valuesOf(now).includes(one),
  );
  return values.length === 0 ? others : { ...others, [permission]: values };
}

/** What the plugin asks for without its reasons: the widest grant. */
export const widest = (asked: Permissions): Permissions =>
  Object.fromEntries(Object.entries(asked).filter(([name]) => name !== 'reasons'));
