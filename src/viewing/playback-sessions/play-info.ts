import type { Items } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import { fileType, likelySegmentType, playlistTypes, segmentType } from '../transcoding/index.ts';
import type { TrickplayStore } from '../trickplay/index.ts';
import { planned, streamsOf, tracksOf } from './play-tracks.ts';
import { secondsOf, type FindPlayable, type PlayableFile } from './playable-file.ts';
import type { LibraryFile } from '../../contract/resources/library/catalogue.ts';
import type { PlayInfo, Trickplay } from '../../contract/resources/viewing/playback-sessions.ts';

/** What the information needs. */
export interface PlayInfosParts {
  readonly items: Pick<Items, 'get'>;
  readonly find: FindPlayable;
  readonly trickplay: Pick<TrickplayStore, 'find'>;
}

/** The files of an item that can be played, or one of them. */
export type FindPlayInfos = (
  itemId: string,
  fileId: string | undefined,
  viewer: Viewer,
) => Promise<readonly PlayInfo[]>;

/** The most files of an item that are looked at in one request. */
const mostFiles = 20;

export function createPlayInfos({ items, find, trickplay }: PlayInfosParts): FindPlayInfos {
  return async (itemId, fileId, viewer) => {
    const files = playableFiles(await items.get(itemId, viewer), fileId);
    const found: PlayInfo[] = [];
    for (const { id } of files.slice(0, mostFiles)) {
      const file = await find(id, viewer);
      const known = await trickplay.find(file.contentKey);
      found.push(toInfo(file, known?.kind === 'made' ? known.shape : null));
    }
    return found;
  };
}

/** The video and audio files of the item that are there, in their order; the named one alone. */
export function playableFiles(
  { id, files }: { readonly id: string; readonly files: readonly LibraryFile[] },
  fileId: string | undefined,
): readonly [LibraryFile, ...LibraryFile[]] {
  const named = fileId === undefined ? files : files.filter((file) => file.id === fileId);
  const playable = named.filter(
    ({ type, mediaKind, status }) =>
      type === 'media' && status === 'active' && (mediaKind === 'video' || mediaKind === 'audio'),
  );
  const [first, ...others] = playable;
  if (first !== undefined) return [first, ...others];
  const what =
    fileId === undefined
      ? `A file of item ${id} that can be played`
      : `A file ${fileId} of item ${id} that can be played`;
  throw new AppError('not_found', { what });
}

const toInfo = (file: PlayableFile, trickplay: Trickplay | null): PlayInfo => ({
  trickplay,
  id: file.id,
  container: file.container,
  duration: file.duration ?? (secondsOf(file) || null),
  tracks: tracksOf(file),
  candidates: candidatesOf(file),
  chapters: file.chapters,
  withoutSegments: file.withoutIndex,
});

/** What conversion makes, and playlists. */
const made: readonly string[] = [
  'video/mp4; codecs="avc1.640028"',
  'audio/mp4; codecs="mp4a.40.2"',
  'audio/mp4; codecs="opus"',
];

/** The types to test: of the file with each of its sounds, of its segments, and of what is made. */
export function candidatesOf(file: PlayableFile): readonly string[] {
  const [video] = streamsOf(file, 'video');
  const sounds = streamsOf(file, 'audio');
  const wholes =
    sounds.length === 0
      ? [fileType(file.container, video === undefined ? [] : [video])]
      : sounds.map((sound) =>
          fileType(file.container, video === undefined ? [sound] : [video, sound]),
        );
  const segments = [...(video === undefined ? [] : [video]), ...sounds].map((stream) => {
    const { track } = planned(file, stream);
    return track === null ? likelySegmentType(stream) : segmentType(track);
  });
  const types = [...wholes, ...segments].filter((type) => type !== null);
  return [...new Set([...types, ...made, ...playlistTypes])];
}
