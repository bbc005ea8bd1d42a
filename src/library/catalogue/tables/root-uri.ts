import { AppError } from '../../../platform/errors.ts';
import type { LinkFolder } from './library-store.ts';

/**
 * A root as it is stored: a URI without a trailing slash, each name percent-encoded as by
 * `encodeURIComponent`, so that it is a prefix of the URIs of its files. Takes a `file:` URI or an
 * absolute path of this machine; URIs of other schemes are not changed.
 */
export function toRootUri(root: string, field: 'roots' | 'links' = 'roots'): string {
  const refuse: Refuse = (given, right) => refusal(field, given, right);
  if (root.startsWith('/')) return fromNames(root.split('/'), refuse);
  if (/^file:/i.test(root)) return fromFileUri(root, refuse);
  if (/^[a-z][a-z0-9+.-]*:\/\/[\x21-\x7e]+$/.test(root)) return root.replace(/\/+$/, '');
  throw refuse(root, 'an absolute path such as /media/films, or a URI such as file:///media/films');
}

const mostLinks = 50;

/** Folders for links as they are stored: each belongs to one of the roots. */
export function toLinkFolders(
  links: readonly LinkFolder[],
  roots: readonly string[],
): readonly LinkFolder[] {
  if (links.length > mostLinks) throw wrongLink(`At most ${mostLinks} folders can be named.`);
  const stored = links.map(({ root, folder }) => ({
    root: toRootUri(root, 'links'),
    folder: toRootUri(folder, 'links'),
  }));
  for (const { root, folder } of stored) {
    if (!roots.includes(root))
      throw wrongLink(`${root} is not a root of this library; give one of its roots.`);
    const remote = [root, folder].find((uri) => schemeOf(uri) !== 'file');
    if (remote !== undefined)
      throw wrongLink(`${remote} is not a folder of this machine; only disks have links.`);
  }
  return [...new Map(stored.map((link) => [JSON.stringify(link), link])).values()];
}

const wrongLink = (why: string): AppError =>
  new AppError('invalid_request', { what: `links: ${why}` });

/** The scheme of a URI, without the colon. */
export function schemeOf(uri: string): string {
  return uri.slice(0, uri.indexOf(':'));
}

/** Refuses roots of which one contains another: its files would be in the library twice. */
export function assertApart(roots: readonly string[]): void {
  for (const [index, root] of roots.entries()) {
    const other = roots.find((one, at) => at !== index && `${root}/`.startsWith(`${one}/`));
    if (other === undefined) continue;
    const what = `roots must not contain each other, but ${root} is in ${other}. Leave one of them out.`;
    throw new AppError('invalid_request', { what });
  }
}

function fromFileUri(uri: string, refuse: Refuse): string {
  const path = /^file:\/\/(?:localhost)?(\/.*)?$/i.exec(uri)?.[1];
  if (path === undefined) {
    if (/^file:\/\/$/i.test(uri)) return 'file://';
    throw refuse(uri, 'a file URI of this machine, without a host: file:///media/films');
  }
  const names = path.split('/').map((name) => decoded(name, uri, refuse));
  return fromNames(names, refuse);
}

function fromNames(names: readonly string[], refuse: Refuse): string {
  const kept = names.filter((name) => name !== '' && name !== '.');
  if (kept.some((name) => name === '..' || name.includes('\0') || !name.isWellFormed()))
    throw refuse(names.join('/'), 'a plain path, without .. and without a zero character');
  return `file://${kept.map((name) => `/${encodeURIComponent(name)}`).join('')}`;
}

function decoded(name: string, uri: string, refuse: Refuse): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw refuse(uri, 'a file URI whose names are percent-encoded UTF-8');
  }
}

type Refuse = (given: string, right: string) => AppError;

function refusal(field: string, given: string, right: string): AppError {
  const what = `${field}: ${JSON.stringify(given)} cannot be a folder of a library; give ${right}.`;
  return new AppError('invalid_request', { what });
}
