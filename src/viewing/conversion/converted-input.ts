/** Opens a media file for the transcoder: the file that was planned, and no other. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Filesystems } from '../../files/filesystems/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { PlayedFile } from '../transcoding/index.ts';

/** An open file. */
export interface ConvertedInput {
  /** The descriptor that the transcoder gets. */
  readonly fd: number;
  readonly close: () => Promise<void>;
}

/** Throws `file_changed`, or `transcode_failed` for a file that is not on this machine. */
export type OpenInput = (
  file: Pick<PlayedFile, 'uri' | 'roots' | 'size' | 'modifiedAt'>,
) => Promise<ConvertedInput>;

/** Opens files below the roots of their libraries, with every link followed before. */
export const createOpenInput =
  ({ within }: Pick<Filesystems, 'within'>): OpenInput =>
  async ({ uri, roots, size, modifiedAt }) => {
    const place = (await within(roots).localPaths([uri])).get(uri);
    if (place?.kind !== 'here')
      throw new AppError('transcode_failed', { why: 'The file is not on a disk of the server.' });
    const file = await open(place.path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const found = await file.stat();
    if (found.isFile() && found.size === size && Math.abs(found.mtimeMs - modifiedAt) < 1)
      return { fd: file.fd, close: () => file.close() };
    await file.close();
    throw new AppError('file_changed', {});
  };
