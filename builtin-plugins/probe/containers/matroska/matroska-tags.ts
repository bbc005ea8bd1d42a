/** Tags of a Matroska file, and the statistics tags of its tracks. */
import type { TagsDraft } from '../../media.ts';
import { setTag } from '../../tags/known-tags.ts';
import type { Element } from '../../../media-headers/matroska/elements.ts';
import { ids } from '../../../media-headers/matroska/ids.ts';

export interface MatroskaTags {
  readonly tags: TagsDraft;
  /** Bits per second by the track's UID. */
  readonly bitrates: ReadonlyMap<number, number>;
}

/** The target of a tag: 70 a collection, 60 a season, 50 the whole, 30 and below a part of it. */
const whole = 50;
const series = 70;

export function readMatroskaTags(
  part: Element | undefined,
  segmentTitle: string | undefined,
): MatroskaTags {
  const tags: TagsDraft = {};
  const bitrates = new Map<number, number>();
  const all = (part?.all(ids.tag) ?? []).map(readTag);
  // A music track has its own title at 30 and that of the album at 50.
  const hasParts = all.some(({ level, isOfFile }) => isOfFile && level <= 30);
  for (const { level, isOfFile, trackUid, simple } of all) {
    for (const { name, value } of simple) {
      if (trackUid !== undefined && /^BPS(-|$)/.test(name))
        bitrates.set(trackUid, Number(value) || 0);
      if (isOfFile) setTag(tags, nameAt(name, level, hasParts), value);
    }
  }
  if (segmentTitle !== undefined) setTag(tags, 'title', segmentTitle);
  return { tags, bitrates };
}

function nameAt(name: string, level: number, hasParts: boolean): string {
  const plain = name.toLowerCase();
  if (level === series && plain === 'title') return 'show';
  if (level === 60 && plain === 'part_number') return 'season';
  if (level === whole && hasParts && plain === 'title') return 'album';
  if (level === whole && hasParts && plain === 'artist') return 'albumartist';
  return name;
}

function readTag(tag: Element) {
  const targets = tag.find(ids.targets);
  const trackUid = targets?.uint(ids.tagTrackUid);
  const level = targets?.uint(ids.targetLevel) ?? whole;
  const isOfPart =
    targets?.find(ids.tagChapterUid) !== undefined ||
    targets?.find(ids.tagAttachmentUid) !== undefined;
  const simple = tag.all(ids.simpleTag).map((one) => ({
    name: one.text(ids.tagName) ?? '',
    value: one.text(ids.tagString) ?? '',
  }));
  const isOfFile = !isOfPart && (trackUid === undefined || trackUid === 0);
  return { level, isOfFile, trackUid, simple };
}
