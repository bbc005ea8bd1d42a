import { AppError } from '../../../platform/errors.ts';

/**
 * A root as it is stored: a URI without a trailing slash, each name percent-encoded as by
 * `encodeURIComponent`, so that it is a prefix of the URIs of its files. Takes a `file:` URI or an
 * absolute path of this machine; URIs of other schemes are not changed.
 */
export function toRootUri(root: string): string {
  if (root.startsWith('/')) return fromNames(root.split('/'));
  if (/^file:/i.test(root)) return fromFileUri(root);
  if (/^[a-z][a-z0-9+.-]*:\/\/[\x21-\x7e]+$/.test(root)) return root.replace(/\/+$/, '');
  throw refusal(
    root,
    'an absolute path such as /media/films, or a URI such as file:///media/films',
  );
}

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

function fromFileUri(uri: string): string {
  const path = /^file:\/\/(?:localhost)?(\/.*)?$/i.exec(uri)?.[1];
  if (path === undefined) {
    if (/^file:\/\/$/i.test(uri)) return 'file://';
    throw refusal(uri, 'a file URI of this machine, without a host: file:///media/films');
  }
  return fromNames(path.split('/').map((name) => decoded(name, uri)));
}

function fromNames(names: readonly string[]): string {
  const kept = names.filter((name) => name !== '' && name !== '.');
  if (kept.some((name) => name === '..' || name.includes('\0') || !name.isWellFormed()))
    throw refusal(names.join('/'), 'a plain path, without .. and without a zero character');
  return `file://${kept.map((name) => `/${encodeURIComponent(name)}`).join('')}`;
}

function decoded(name: string, uri: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw refusal(uri, 'a file URI whose names are percent-encoded UTF-8');
  }
}

function refusal(root: string, right: string): AppError {
  const what = `roots: ${JSON.stringify(root)} cannot be a root of a library; give ${right}.`;
  return new AppError('invalid_request', { what });
}
