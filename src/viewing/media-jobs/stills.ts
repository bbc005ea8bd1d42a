/**
 * Frames of films, as the pictures of items without one. A frame is named by its file and time, so it
 * can be made again when the cache has dropped it.
 */
import { createSemaphore } from '../../../packages/lib/concurrency/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { DiskCache, Picture } from '../../platform/net/index.ts';
import { unreadableMs, type Studies } from '../conversion/index.ts';
import type { PlayedFile } from '../transcoding/index.ts';

/** A frame of a film. Throws `no_picture` where there is none. */
export type OpenStill = (
  file: PlayedFile,
  atMs: number,
  way: { readonly mayGoOn: () => Promise<void>; readonly signal: AbortSignal },
) => Promise<Picture>;

export interface StillsParts {
  readonly studies: Pick<Studies, 'still'>;
  readonly cache: Pick<DiskCache, 'read' | 'write'>;
  readonly clock: Clock;
}

const failedStatus = 204;

/** Creates it. One at a time is made; what cannot be made is tried again after thirty days. */
export function createStills({ studies, cache, clock }: StillsParts): OpenStill {
  const semaphore = createSemaphore(1);

  async function kept(key: string): Promise<Picture | null> {
    const answer = await cache.read(key);
    if (answer === null) return null;
    if (answer.status !== failedStatus) return { mimeType: 'image/jpeg', bytes: answer.body };
    if (clock.now() - answer.storedAt < unreadableMs) throw noPicture();
    return null;
  }

  return async (file, atMs, way) => {
    const key = `still ${file.contentKey} ${atMs}`;
    const known = await kept(key);
    if (known !== null) return known;
    return semaphore.run(async () => {
      const meanwhile = await kept(key);
      if (meanwhile !== null) return meanwhile;
      const answer = { headers: {}, storedAt: clock.now() };
      try {
        const bytes = await studies.still({ file, ...way }, atMs);
        await cache.write(key, { ...answer, status: 200, body: bytes });
        return { mimeType: 'image/jpeg', bytes };
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        await cache.write(key, { ...answer, status: failedStatus, body: new Uint8Array() });
        throw noPicture();
      }
    });
  };
}

const noPicture = (): AppError => new AppError('no_picture', { what: 'The film' });

/** Whether the file itself is the reason, and not the machine. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'transcode_failed' || error.code === 'no_picture');
