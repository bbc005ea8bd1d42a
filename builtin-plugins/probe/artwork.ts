/** `probe.artwork`: the bytes of one picture that `probe.probe` has reported. */
import { createReaders, type ArtworkInput, type Handler } from '../../plugin-api/index.ts';
import { ProbeError } from '../media-headers/bytes/probe-error.ts';
import { limits, readFile } from './probe-files.ts';

const pictureBytes = 8 * 1024 * 1024;

export const artwork: Handler<ArtworkInput, Uint8Array> = async ({ file, index }, host) => {
  const budget = { ...limits, bytes: limits.mostBytes + 2 * pictureBytes };
  const found = await readFile(file, createReaders({ fs: host.fs }).open(file, budget));
  const picture = found?.pictures?.[index];
  if (picture === undefined) {
    throw new ProbeError('malformed', `The file has no picture number ${index}.`);
  }
  if (picture.size > pictureBytes) {
    throw new ProbeError('over-budget', `The picture is larger than ${pictureBytes} bytes.`);
  }
  return picture.load();
};
