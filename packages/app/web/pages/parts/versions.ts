/** The versions of a title: editions, and files of other sizes of the same film. */
import type { Resources } from '../../core/api.ts';
import { isAudiobook, lengthOf, partsOf } from '../../player/timeline.ts';

type Item = Pick<Resources['ItemDetail'], 'files' | 'linkedEntities'>;
type File = Resources['MediaFile'];

/** Files that play one after the other. */
export interface Version {
  /** The first of them. */
  readonly file: File;
  /** Seconds of all of them; 0 = not known. */
  readonly duration: number;
}

interface Picture {
  readonly kind?: string;
  readonly width?: number;
  readonly height?: number;
}

/** The versions in the order of the files; the first one is what Play plays. */
export function versionsOf(item: Item): readonly Version[] {
  const seen = new Set<string>();
  const versions: Version[] = [];
  const primary = item.files.filter(isThere('primary'));
  for (const file of primary) {
    if (seen.has(file.id)) continue;
    const parts = partsOf(item.files, { fileId: file.id, isAudiobook: isAudiobook(item) });
    for (const { fileId } of parts) seen.add(fileId);
    if (parts.length > 0) versions.push({ file, duration: lengthOf(parts) });
  }
  return versions;
}

/** The short film that was taken with a photo. */
export const filmOf = ({ files }: Pick<Item, 'files'>): File | undefined =>
  files.find((file) => isThere('companion')(file) && file.mediaKind === 'video');

/** A film inside of a photo: the bytes of its file. */
export interface Motion {
  readonly file: File;
  readonly place: { readonly offset: number; readonly length: number };
}

export function motionOf({ files }: Pick<Item, 'files'>): Motion | undefined {
  const file = files.find((one) => isThere('primary')(one) && one.fileInfo['motion'] !== undefined);
  return file && { file, place: file.fileInfo['motion'] as Motion['place'] };
}

const isThere =
  (kind: string) =>
  ({ classification, type, status }: File): boolean =>
    classification === kind && type === 'media' && status === 'active';

/** `4K`, `1080p`; `undefined` = the file has no picture, or its size is not known. */
export function resolutionOf({ fileInfo }: File): string | undefined {
  const streams = (fileInfo['streams'] ?? []) as readonly Picture[];
  const { width = 0, height = 0 } = streams.find(({ kind }) => kind === 'video') ?? {};
  if (width >= 3800 || height >= 2000) return '4K';
  // Films in a wide format have fewer lines than their name says.
  const named = [
    [1900, 1080],
    [1260, 720],
  ].find(([wide = 0, lines = 0]) => width >= wide || height >= lines)?.[1];
  const lines = named ?? height;
  return lines > 0 ? `${lines}p` : undefined;
}
