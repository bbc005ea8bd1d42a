import type { Log } from '../../kernel/index.ts';
import { serverViewer } from '../people/viewer/index.ts';
import { ConfigError, type LibraryOption } from '../platform/config.ts';
import { AppError } from '../platform/errors.ts';
import type { LibraryDomain } from '../library/catalogue/index.ts';

/**
 * The id of the library that the option names; it is made if it does not exist. One whose root cannot
 * be used, such as a disk that is mounted late, is made too and has a problem: it must not keep the
 * server and all other libraries from starting.
 */
export async function ensureLibrary(
  { libraries, checkRoots }: Pick<LibraryDomain, 'libraries' | 'checkRoots'>,
  { type, name, path: root }: LibraryOption,
  log: Log,
): Promise<string> {
  const known = (await libraries.list(serverViewer)).find((one) => one.name === name);
  if (known) return known.id;
  const option = `--library ${type}:${name}:${root}`;
  const told: string[] = [];
  try {
    const onUnusable = (message: string): void => void told.push(message);
    const { id } = await libraries.create({ type, name, roots: [root] }, serverViewer, {
      onUnusable,
    });
    for (const message of told)
      log.warn({}, `${option}: ${message} The library is empty until its folder can be read.`);
    if (told.length > 0) await checkRoots(id);
    return id;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new ConfigError(`${option}: ${error.message}`);
  }
}
