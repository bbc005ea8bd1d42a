/**
 * What is kept on this device: an item with the files that play it. A file comes in parts, one after
 * the other, so what was fetched before an interruption is never fetched again.
 */
import type { Item, PlaybackFile, Session } from '../player/requests.ts';
import { isAudiobook, partsOf } from '../player/timeline.ts';

/** Why a download stopped by itself. */
export type Fault = 'changed' | 'conversion' | 'gone' | 'nothing' | 'reply' | 'space' | 'storage';

export interface KeptFile {
  readonly fileId: string;
  readonly size: number;
  /** Its media type, such as `video/mp4`. */
  readonly type: string;
  readonly etag: string | null;
  /** The bytes of each part but the last, which may be shorter. */
  readonly partBytes: number;
  /** How many parts are here, from the first one on. */
  readonly parts: number;
}

/** How far an item was played or read on this device. */
export interface KeptPlace {
  readonly fileId: string;
  /** Seconds in the file; pages in a book. */
  readonly position: number;
  /** The pages of a book. */
  readonly duration?: number;
  /** When, by the clock of the device: Unix milliseconds. */
  readonly at: number;
}

/** An item that is kept, or on its way here. */
export interface Kept {
  /** {@link keyOf} its profile and item. */
  readonly key: string;
  readonly userId: string;
  readonly profileId: string;
  readonly item: Item;
  /** What the server says of the files: tracks and chapters. */
  readonly infos: readonly PlaybackFile[];
  /** How each of the files plays as it is; a book has none. */
  readonly sessions: readonly Session[];
  readonly files: readonly KeptFile[];
  readonly picture: Blob | null;
  /** Subtitles as WebVTT, by file and track. */
  readonly texts: Readonly<Record<string, string>>;
  /** `planned` = the server was not asked yet how it plays, so no file of it is known to be kept. */
  readonly state: 'planned' | 'wanted' | 'paused' | 'failed' | 'ready';
  readonly fault: Fault | null;
  /** Unix milliseconds. */
  readonly addedAt: number;
  readonly place: KeptPlace | null;
}

/** A position that the server was not told yet. */
export interface Untold extends KeptPlace {
  readonly key: string;
  readonly userId: string;
  readonly profileId: string;
  readonly itemId: string;
}

const mebibyte = 1_048_576;
const leastPart = 4 * mebibyte;
/** Longer files have larger parts, so that none has more of them. */
const mostParts = 1024;

/** The name of what a profile keeps of an item. */
export const keyOf = (profileId: string, itemId: string): string => `${profileId}/${itemId}`;

/** The name of a subtitle. */
export const textKey = (fileId: string, trackId: string): string => `${fileId}/${trackId}`;

/** The bytes of a part of a file of `size` bytes. */
export const partBytesOf = (size: number): number =>
  Math.max(leastPart, Math.ceil(size / mostParts / mebibyte) * mebibyte);

/** The number of parts of a file. */
export const partsOfFile = ({ size, partBytes }: KeptFile): number => Math.ceil(size / partBytes);

/** The bytes of a part. */
export const partAt = ({ size, partBytes }: KeptFile, index: number) => ({
  first: index * partBytes,
  last: Math.min(size, (index + 1) * partBytes) - 1,
});

export const bytesHere = ({ files }: Pick<Kept, 'files'>): number =>
  files.reduce((sum, { size, partBytes, parts }) => sum + Math.min(size, partBytes * parts), 0);

/** The bytes of the files that play an item. */
function bytesOfItem({ files, linkedEntities }: Pick<Item, 'files' | 'linkedEntities'>): number {
  const line = partsOf(files, { isAudiobook: isAudiobook({ files, linkedEntities }) });
  const sizes = new Map(files.map(({ id, size }) => [id, size]));
  return line.reduce((sum, { fileId }) => sum + (sizes.get(fileId) ?? 0), 0);
}

/** All bytes; before the server was asked how the item plays, those that it is likely to have. */
export const bytesOf = ({ files, item }: Pick<Kept, 'files' | 'item'>): number =>
  files.length > 0 ? files.reduce((sum, { size }) => sum + size, 0) : bytesOfItem(item);

/** Whether it comes by itself as soon as it is its turn. */
export const isComing = ({ state }: Pick<Kept, 'state'>): boolean =>
  state === 'planned' || state === 'wanted';

/** The item as it goes on, or is tried again. */
export const goingOn = (kept: Kept): Kept => ({
  ...kept,
  state: kept.files.length === 0 ? 'planned' : 'wanted',
  fault: null,
});

/** Whether it is read, and not played. */
export const isBook = ({ item, files }: Pick<Kept, 'item' | 'files'>): boolean =>
  item.files.some(({ id, mediaKind }) => mediaKind === 'text' && id === files[0]?.fileId);

/** The file that is fetched next; `undefined` = all of them are here. */
export const nextFile = ({ files }: Pick<Kept, 'files'>): KeptFile | undefined =>
  files.find((file) => file.parts < partsOfFile(file));

/** The item after another part of a file came. It is ready with the last one. */
export function withPart(kept: Kept, fileId: string): Kept {
  const files = kept.files.map((file) =>
    file.fileId === fileId ? { ...file, parts: file.parts + 1 } : file,
  );
  return { ...kept, files, state: nextFile({ files }) === undefined ? 'ready' : kept.state };
}

/** What a browser keeps free beside what is asked for. */
const reserve = 16 * mebibyte;

/** Whether `needed` more bytes fit; a browser that does not say is asked to try. */
export const fits = (needed: number, free: number | undefined): boolean =>
  free === undefined || needed + reserve <= free;
