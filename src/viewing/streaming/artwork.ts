/**
 * Pictures that are inside media files. A plugin cuts them out, for no byte of a media file is
 * parsed here; what it gives is believed to be a picture by its first bytes alone. Each is cut once
 * and kept for as long as its file is the same, its plugin answers in the same version, and the cache
 * has space.
 */
import { createSemaphore } from '../../../packages/lib/concurrency/index.ts';
import { isNotGranted, KernelError, type CallPlugin } from '../../../kernel/index.ts';
import type { ServedKey, CapabilityConfig, ProbeFile } from '../../../plugin-api/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { Filesystems } from '../../files/filesystems/index.ts';
import { pictureType, type DiskCache, type Picture } from '../../platform/net/index.ts';
import { createCurrentReader, type CurrentReader } from './current-reader.ts';

/** Finds the picture that is in a file, at a place in its `ProbeReport.artwork`. */
export type FindArtwork = (place: ArtworkPlace) => Promise<Picture>;

/** A picture in a file, and the roots below which the file may be read. */
export interface ArtworkPlace {
  readonly uri: string;
  readonly roots: readonly string[];
  readonly picture: number;
}

/** What finding artwork needs. */
export interface ArtworkParts {
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  readonly capabilityConfigOf: (pluginId: string) => CapabilityConfig;
  readonly answersVersionOf: (pluginId: string) => number;
  readonly filesystems: Pick<Filesystems, 'within'>;
  readonly cache: Pick<DiskCache, 'read' | 'write'>;
  readonly clock: Clock;
}

const maxBytes = 8 * 1024 * 1024;
const timeoutMs = 20_000;
/** How many are extracted at a time, so that a page of posters does not block probing. */
const maxAtOnce = 4;

/** Creates it; concurrent requests for one picture share the answer. */
export function createArtwork(parts: ArtworkParts): FindArtwork {
  const { call, providers, capabilityConfigOf, filesystems, cache, clock } = parts;
  const underWay = new Map<string, Promise<Picture>>();
  const semaphore = createSemaphore(maxAtOnce);
  const currentReaders = new Map<string, CurrentReader>();

  function readersOf(extension: string): readonly string[] {
    return providers(`probe:${extension}`).filter((id) =>
      capabilityConfigOf(id).probe?.extensions.includes(extension),
    );
  }

  function currentReader(extension: string): string {
    const known = currentReaders.get(extension);
    const name = known ?? createCurrentReader(() => readersOf(extension), parts.answersVersionOf);
    if (known === undefined) currentReaders.set(extension, name);
    return name();
  }

  const ask = (pluginId: string, file: ProbeFile, index: number): Promise<unknown> =>
    semaphore.run(() => call(pluginId, 'probe.artwork', { file, index }, { timeoutMs }));

  /** Tries the next probe when one does not support this kind of file, as probing does. */
  async function cut(file: ProbeFile, index: number): Promise<Picture> {
    let failure: unknown = new AppError('no_picture', { what: 'The content of the file' });
    for (const pluginId of readersOf(file.extension)) {
      try {
        const bytes = await ask(pluginId, file, index);
        if (bytes instanceof Uint8Array && bytes.length <= maxBytes) return toPicture(bytes);
      } catch (error) {
        // A file outside the plugin's scope counts as unsupported.
        if (!isNotGranted(error)) failure = toNoPicture(error);
      }
    }
    throw failure;
  }

  async function find(file: ProbeFile, index: number, key: string): Promise<Picture> {
    const kept = await cache.read(key);
    if (kept && pictureType(kept.body) !== null) return toPicture(kept.body);
    const picture = await cut(file, index);
    const answer = { status: 200, headers: {}, storedAt: clock.now(), body: picture.bytes };
    await cache.write(key, answer);
    return picture;
  }

  /** Links are resolved before a plugin is called, since it reads with its own grant. */
  return async ({ uri, roots, picture: index }) => {
    const { kind, size, modifiedAt } = await filesystems.within(roots).stat(uri);
    if (kind !== 'file') throw new KernelError('not_found', 'The file');
    const extension = /\.([A-Za-z0-9]+)$/.exec(uri)?.[1]?.toLowerCase() ?? '';
    const key = JSON.stringify([currentReader(extension), uri, size, modifiedAt, index]);
    const known = underWay.get(key);
    if (known) return known;
    const found = find({ uri, size, extension }, index, key);
    underWay.set(key, found);
    return found.finally(() => underWay.delete(key));
  };
}

function toPicture(bytes: Uint8Array): Picture {
  const mimeType = pictureType(bytes);
  if (mimeType === null) throw new AppError('no_picture', { what: 'The content of the file' });
  return { mimeType, bytes };
}

/** A plugin without the picture explains it in its own words, which clients do not get. */
function toNoPicture(error: unknown): unknown {
  if (!(error instanceof KernelError) || error.code !== 'plugin_failed') return error;
  return new AppError('no_picture', { what: 'The content of the file' }, { cause: error });
}
