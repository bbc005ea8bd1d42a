import type { MediaStream, TranscodeIndex, TranscodeTrack } from '../../../plugin-api/index.ts';
import type { Filesystems } from '../../files/filesystems/index.ts';
import type { Files } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { plainKeyOf, type PlayedFile, type Plans } from '../transcoding/index.ts';
import type { LibraryFile } from '../../contract/resources/library/catalogue.ts';

/** A file with everything that is known of it for playing it. */
export interface PlayableFile extends PlayedFile {
  readonly itemId: string;
  readonly isPrimary: boolean;
  /** `null`: no plugin plans the file. */
  readonly index: TranscodeIndex | null;
  /** Why it has no index, in words. */
  readonly withoutIndex: string | null;
  readonly texts: LibraryFile['text'];
  /** Subtitles of pictures (PGS) beside it. */
  readonly pictures?: LibraryFile['text'];
  readonly chapters: LibraryFile['chapters'];
  readonly loudness: LibraryFile['loudness'];
}

/** What looking at a file needs. */
export interface PlayableFilesParts {
  readonly files: Pick<Files, 'get' | 'text'>;
  readonly filesystems: Pick<Filesystems, 'within' | 'fingerprints'>;
  readonly plans: Pick<Plans, 'index'>;
  /** Whether no disk of this server has any of these roots, and another server converts. */
  readonly isAway?: (roots: readonly string[]) => Promise<boolean>;
}

/** Looks at a file without its index. */
export type FindPlayed = (fileId: string, viewer: Viewer) => Promise<PlayedFile>;

/** Looks at a file for a viewer who may see it; else `not_found`. */
export type FindPlayable = (fileId: string, viewer: Viewer) => Promise<PlayableFile>;

/** Creates it. The file is opened once, with all links followed: what is not there rejects. */
export function createPlayedFiles({
  files,
  filesystems,
  isAway = async () => false,
}: Omit<PlayableFilesParts, 'plans'>): (
  fileId: string,
  viewer: Viewer,
) => Promise<{
  readonly played: PlayedFile;
  readonly shown: LibraryFile;
  readonly pictures: LibraryFile['text'];
}> {
  return async (fileId, viewer) => {
    const shown = await files.get(fileId, viewer);
    const { file, roots, pictures } = await files.text(fileId, viewer);
    const { uri } = file;
    const away = await isAway(roots);
    const opened = away ? null : await filesystems.within(roots).open(uri);
    const { size, modifiedAt } = opened ?? file;
    await opened?.close();
    const [fingerprint] = away ? [] : await filesystems.fingerprints([uri]);
    const { container, duration, bitrate, streams } = readInfo(shown);
    const played: PlayedFile = {
      id: fileId,
      uri,
      roots,
      size,
      modifiedAt,
      extension: file.extension,
      contentKey: fingerprint ?? plainKeyOf({ uri, size, modifiedAt }),
      container,
      duration,
      bitrate,
      streams,
      ...(away && { isAway: away }),
    };
    return { played, shown, pictures: pictures.map(({ track }) => track) };
  };
}

const notHere = { kind: 'failed', message: 'The file is on no disk of this server.' } as const;

/** The same with its index. */
export function createPlayableFiles({ plans, ...parts }: PlayableFilesParts): FindPlayable {
  const look = createPlayedFiles(parts);
  return async (fileId, viewer) => {
    const { played, shown, pictures } = await look(fileId, viewer);
    const index = played.isAway === true ? notHere : await plans.index(played);
    return {
      ...played,
      itemId: shown.itemId,
      isPrimary: shown.classification === 'primary',
      index: index.kind === 'read' ? index : null,
      withoutIndex: index.kind === 'read' ? null : index.message,
      texts: shown.text.filter(({ kind }) => kind === 'subtitle'),
      pictures,
      chapters: shown.chapters,
      loudness: shown.loudness,
    };
  };
}

/** The track of the index for a stream; `null` where the plugin knows nothing of its codec. */
export const trackOf = (
  { index }: Pick<PlayableFile, 'index'>,
  stream: number,
): TranscodeTrack | null =>
  index?.tracks.find((track) => track.stream === stream && track.codecs !== '') ?? null;

/** Seconds of the file, as well as they are known. */
export const secondsOf = ({ index, duration }: Pick<PlayableFile, 'index' | 'duration'>): number =>
  index === null ? (duration ?? 0) : index.duration / index.timescale;

const kinds = ['video', 'audio', 'subtitle', 'image', 'data'] as const;

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the probe reported, as far as it is well-formed. */
export function readInfo({ fileInfo, duration }: Pick<LibraryFile, 'fileInfo' | 'duration'>) {
  const { container, bitrate, streams } = fileInfo;
  return {
    container: typeof container === 'string' ? container : null,
    duration,
    bitrate: typeof bitrate === 'number' && bitrate > 0 ? bitrate : null,
    streams: (Array.isArray(streams) ? (streams as unknown[]) : []).filter(isStream),
  };
}

function isStream(value: unknown): value is MediaStream {
  if (!isMap(value)) return false;
  const { index, kind, codec } = value;
  return (
    Number.isSafeInteger(index) && kinds.some((one) => one === kind) && typeof codec === 'string'
  );
}
