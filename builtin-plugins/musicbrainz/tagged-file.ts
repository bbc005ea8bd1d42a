/** What a file says of itself. */
import type { IndexFile } from '../../plugin-api/index.ts';
import { foldTitle } from '../catalogue-lookup/titles.ts';
import type { Track } from '../catalogue-lookup/track-list.ts';
import { idOf, numberOf, partOf, textOf, type Part } from '../catalogue-lookup/values.ts';
import { mbidOf } from './catalogue.ts';

/** The id of the first provider that has a valid one. */
export const idIn = ({ known }: IndexFile, ...providers: readonly string[]): string | undefined =>
  providers
    .map((provider) => mbidOf(idOf(partOf(known?.ids[provider])['id'])))
    .find((id) => id !== undefined);

/** The artist of the album, else of the track. */
export const artistIn = (facts: Part): string | undefined =>
  textOf(facts['albumArtist']) ?? textOf(facts['artist']);

const albumIn = (facts: Part): string | undefined => textOf(facts['album']);

/** Whether two files name the same album. */
export function isSameAlbum(one: IndexFile, other: IndexFile): boolean {
  if (one === other) return true;
  const [a, b] = [one.known?.metadata ?? {}, other.known?.metadata ?? {}];
  const same = (key: (facts: Part) => string | undefined): boolean =>
    foldTitle(key(a) ?? '') === foldTitle(key(b) ?? '');
  return albumIn(a) !== undefined && same(albumIn) && same(artistIn);
}

/** A file as a track of its album. */
export function trackOf({ known, duration }: IndexFile): Track {
  const facts = known?.metadata ?? {};
  const [disc, track] = [numberOf(facts['disc']), numberOf(facts['track'])];
  return { title: known?.title, disc, track, duration };
}
