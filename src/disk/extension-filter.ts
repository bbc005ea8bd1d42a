/**
 * Whether a file of this name, as it is encoded, has one of the extensions: without dot, in lower case.
 * Without any, every file has.
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
