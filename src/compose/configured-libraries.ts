import { serverViewer } from '../people/viewer/index.ts';
import { ConfigError, type LibraryOption } from '../platform/config.ts';
import { AppError } from '../platform/errors.ts';
import type { Libraries } from '../library/catalogue/index.ts';

/** The id of the library that the option names; it is made if it does not exist. */
export async function ensureLibrary(
  libraries: Libraries,
  { type, name, path: root }: LibraryOption,
): Promise<string> {
  const known = (await libraries.list(serverViewer)).find((one) => one.name === name);
  if (known) return known.id;
  try {
    return (await libraries.create({ type, name, roots: [root] })).id;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new ConfigError(`--library ${type}:${name}:${root}: ${error.message}`);
  }
}
