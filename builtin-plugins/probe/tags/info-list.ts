/** INFO, the tags of RIFF. */
import { untilZero } from '../../media-headers/bytes/text.ts';
import { decodeTogether } from '../../media-headers/charsets/decode-text.ts';
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { chunksIn, type Chunk } from '../../media-headers/riff.ts';
import type { TagsDraft } from '../media.ts';
import { addMissing, setTag } from './known-tags.ts';

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

/** Fills in missing values. */
export async function readInfoList(
  source: ByteSource,
  list: Chunk,
  tags: TagsDraft,
): Promise<void> {
  const length = Math.min(list.end, source.size) - list.from;
  if (length <= 0) return;
  const bytes = await source.read(list.from, Math.min(length, 64 * 1024));
  const found = chunksIn(bytes).flatMap(({ id, from, end }) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ name, text: untilZero(bytes.subarray(from, end)) }];
  });
  const decode = decodeTogether(found.map(({ text }) => text));
  const made: TagsDraft = {};
  for (const { name, text } of found) setTag(made, name, decode(text));
  addMissing(tags, made);
}
