/** Asks for sessions: of which file, with which sound, in which mode. */
import type { PlayerParts } from './player-state.ts';
import type { PlaybackFile, Session } from './requests.ts';

/** `convert` = also what the browser claims to play. */
export type Mode = 'auto' | 'convert';

/** Asks the server for what begins to play. */
export interface Begin {
  /** The tracks of a file, from what was read already or from the server. */
  readonly infoOf: (
    itemId: string,
    fileId: string,
    known: readonly PlaybackFile[],
  ) => Promise<PlaybackFile | undefined>;
  readonly begin: (itemId: string, info: PlaybackFile, wanted: Wanted) => Promise<Session>;
}

/** How a file begins to play. */
export interface Wanted {
  readonly at: number;
  /** The id of the sound that a person chose. */
  readonly sound?: string | undefined;
  /** The id of the subtitle that the server draws into the film. */
  readonly drawn?: string | undefined;
  readonly mode: Mode;
  readonly maxKbps: number | null;
  /** Whether it is for later: it takes no place of what plays. */
  readonly isAhead?: boolean;
}

/** The sound to ask for: the first one in a preferred language, if the default is in none of them. */
export function preferredSound(
  { tracks }: PlaybackFile,
  languages: readonly string[],
): string | undefined {
  const sounds = tracks.filter(({ kind }) => kind === 'audio');
  const usual = sounds.find(({ isDefault }) => isDefault) ?? sounds[0];
  for (const language of languages) {
    const [wanted = ''] = language.toLowerCase().split('-');
    const speaks = (track: (typeof sounds)[number]): boolean =>
      track.language?.toLowerCase().split('-')[0] === wanted;
    if (usual !== undefined && speaks(usual)) return undefined;
    const found = sounds.find(speaks);
    if (found !== undefined) return found.id;
  }
  return undefined;
}

export const createBegin = ({
  requests,
  test,
  soundLanguages,
}: Pick<PlayerParts, 'requests' | 'test' | 'soundLanguages'>): Begin => ({
  infoOf: async (itemId, fileId, known) => {
    const found = known.find(({ id }) => id === fileId);
    return found ?? (await requests.files(itemId, fileId))[0];
  },
  begin: async (itemId, info, { at, sound, drawn, mode, maxKbps, isAhead = false }) => {
    const chosen =
      info.tracks.find(({ id, kind }) => kind === 'audio' && id === sound)?.id ??
      preferredSound(info, soundLanguages());
    const isThere = info.tracks.some(({ id, kind }) => kind === 'subtitle' && id === drawn);
    return requests.begin({
      itemId,
      fileId: info.id,
      position: at,
      mode,
      client: await test(info, maxKbps),
      ...(chosen !== undefined && { audio: chosen }),
      ...(isAhead && { takesOver: false }),
      ...(isThere && drawn !== undefined && { subtitle: drawn }),
    });
  },
});
