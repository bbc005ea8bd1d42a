/** INFO, the tags of RIFF. */
import { utf8OrLatin1, untilZero } from '../../media-headers/bytes/text.ts';
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { chunksIn, type Chunk } from '../../media-headers/riff.ts';
import type { TagsDraft } from '../media.ts';
import { setTag } from './known-tags.ts';

const names = new Map(
  Object.entries({
    INAM: 'title',
    TITL: 'title',
    IART: 'artist',
    IPRD: 'album',
    IALB: 'album',
    ICRD: 'date',
    YEAR: 'date',
    IGNR: 'genre',
    GENR: 'genre',
    ITRK: 'track',
    IPRT: 'track',
    TRCK: 'track',
    ICMT: 'comment',
    ISBJ: 'description',
    IMUS: 'composer',
    ILNG: 'language',
    IPUB: 'publisher',
  }),
);

export async function readInfoList(
  source: ByteSource,
  list: Chunk,
  tags: TagsDraft,
): Promise<void> {
  const length = Math.min(list.end, source.size) - list.from;
  if (length <= 0) return;
  const bytes = await source.read(list.from, Math.min(length, 64 * 1024));
  for (const { id, from, end } of chunksIn(bytes)) {
    const name = names.get(id);
    if (name !== undefined) setTag(tags, name, utf8OrLatin1(untilZero(bytes.subarray(from, end))));
  }
}
