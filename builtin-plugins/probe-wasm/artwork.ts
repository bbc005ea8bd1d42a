/** `probe.artwork`: the bytes of one picture that `probe.probe` has reported. */
import { createReaders, type ArtworkInput, type Handler } from '../../plugin-api/index.ts';
import { lookInto } from './probe-files.ts';
import { picturesOf } from './track-report.ts';

export const artwork: Handler<ArtworkInput, Uint8Array> = async ({ file, index }, host) => {
  const { tracks } = await lookInto(file, createReaders({ fs: host.fs }));
  const general = tracks.find((track) => track['@type'] === 'General') ?? {};
  const picture = picturesOf(general)[index];
  if (picture === undefined) throw new Error(`The file has no picture number ${index}.`);
  return Uint8Array.from(atob(picture.data), (character) => character.charCodeAt(0));
};
