/** Names that are never media: hidden files, and files of systems and network drives. */
export const ignoredNames: readonly string[] = [
  '.*',
  '@eaDir',
  '@__thumb',
  '@Recycle',
  '@Recently-Snapshot',
  '#recycle',
  '#snapshot',
  'lost+found',
  '$RECYCLE.BIN',
  'RECYCLER',
  'System Volume Information',
];

/** Whether a name, encoded as in a URI, is ignored. A `*` may only be at the end of a name. */
export function isIgnoredName(encoded: string): boolean {
  const name = decode(encoded).toLowerCase();
  return ignoredNames.some((ignored) => {
    const text = ignored.toLowerCase();
    return text.endsWith('*') ? name.startsWith(text.slice(0, -1)) : name === text;
  });
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
