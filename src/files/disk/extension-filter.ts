/**
 * Whether a file with this encoded name has one of the extensions (lower case, without dot). An
 * empty list matches every file.
 */
export function createExtensionFilter(
  extensions: readonly string[] | null | undefined,
): (name: string) => boolean {
  if (!extensions) return () => true;
  const wanted = new Set(extensions.map((text) => encodeURIComponent(text).toLowerCase()));
  return (name) => {
    const dot = name.lastIndexOf('.');
    return dot > 0 && wanted.has(name.slice(dot + 1).toLowerCase());
  };
}
