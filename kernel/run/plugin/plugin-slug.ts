/** The name under which a plugin emits events, `plugin.<slug>.<name>`. */
export function pluginSlug(id: string): string {
  return id.replaceAll(/[^a-z0-9]/g, '');
}
