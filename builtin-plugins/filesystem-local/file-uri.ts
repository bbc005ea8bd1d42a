/** Converts between `file:` URIs and paths of `host.disk`: names are spelled alike in both. */

const prefix = 'file://';

/** The path of a URI. Throws `invalid_argument` for a URI that is not of this machine. */
export function pathOf(uri: string): string {
  if (uri === prefix) return '/';
  if (!uri.startsWith(`${prefix}/`)) {
    throw refusal('invalid_argument', 'A local file is named file:///folder/name, without a host.');
  }
  return uri.slice(prefix.length);
}

/** The URI of a path. The root folder has no slash at its end. */
export const uriOf = (path: string): string => (path === '/' ? prefix : `${prefix}${path}`);

/** The URI of an entry below a folder. */
export const below = (folder: string, name: string): string => `${folder}/${name}`;

/** An error whose code reaches the server. */
export function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
