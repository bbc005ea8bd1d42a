/** A path below a library's root, in its parts. */
export interface SplitPath {
  readonly path: string;
  readonly folders: readonly string[];
  /** The file's name without its extension. */
  readonly stem: string;
}

/** Splits a path with `/` between its names. */
export function splitPath(path: string): SplitPath {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const dot = name.lastIndexOf('.');
  return { path, folders, stem: dot > 0 ? name.slice(0, dot) : name };
}
