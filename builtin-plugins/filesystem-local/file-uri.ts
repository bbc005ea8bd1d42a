/** How `file:` URIs and paths of `host.disk` turn into each other: the spelling of names is the same. */

const prefix = 'file://';

/** The path that a URI names. Throws `invalid_argument` for what is no URI of this machine. */
export function pathOf(uri: string): string {
  if (uri === prefix) return '/';
  if (!uri.startsWith(`${prefix}/`)) {
    throw refusal('invalid_argument', 'A local file is named file:///folder/name, without a host.');
  }
  return uri.slice(prefix.length);
}

/** The URI of a path. The root folder has no slash at its end. */
export const uriOf = (path: string): string => (path === '/' ? prefix : `${prefix}${path}`);

/** The URI of something below a folder's URI. */
export const below = (folder: string, name: string): string => `${folder}/${name}`;

/** An error that crosses with its code. */
export function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
