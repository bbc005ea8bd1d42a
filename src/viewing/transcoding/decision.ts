import type { CallPlugin } from '../../../kernel/index.ts';
import type {
  PlaybackReason,
  ServedKey,
  TranscodeDecideInput,
  TranscodeDecision,
} from '../../../plugin-api/index.ts';
import { decide } from './decide.ts';
import { parseRecipe } from './recipes.ts';

/** Decides how a client plays the selected streams. Never rejects. */
export type Decide = (input: TranscodeDecideInput) => Promise<TranscodeDecision>;

export interface DecisionParts {
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
}

const timeoutMs = 2000;
const ways = ['direct', 'copy', 'convert', 'refuse'] as const;

/** Every reason, with the words that people read. */
export const reasonWords: Readonly<Record<PlaybackReason, string>> = {
  container: 'The player does not play this kind of file.',
  video_codec: 'The player does not know the codec of the picture.',
  video_level: 'The picture is larger or more complex than the player can show.',
  bit_depth: 'The player does not show pictures of more than 8 bits.',
  hdr: 'The screen does not show this kind of HDR.',
  audio_codec: 'The player does not know the codec of the sound.',
  channels: 'The sound has more channels than the player plays.',
  bitrate: 'The file needs more data a second than the connection is allowed.',
  subtitle_burn: 'These subtitles are pictures, which the player cannot show.',
  interlaced: 'The picture is interlaced.',
  server_speed: 'The server is too slow to convert a larger picture as fast as it plays.',
};

const reasonCodes: readonly string[] = Object.keys(reasonWords);

/** The decision of the plugin with the capability `transcode` if it can be right; else the server's. */
export function createDecision({ call, providers }: DecisionParts): Decide {
  return async (input) => {
    const [pluginId] = providers('transcode');
    const made =
      pluginId === undefined
        ? null
        : await call(pluginId, 'transcode.decide', input, { timeoutMs, isOptional: true }).catch(
            () => null,
          );
    return parseDecision(made, input) ?? decide(input);
  };
}

function parseDecision(value: unknown, input: TranscodeDecideInput): TranscodeDecision | null {
  const { tracks } = (value ?? {}) as { readonly tracks?: unknown };
  if (!Array.isArray(tracks) || tracks.length !== input.streams.length) return null;
  const parsed = (tracks as unknown[]).map((track, at) => {
    const known = input.streams[at];
    const { stream, way, reasons, recipe } = (track ?? {}) as Readonly<Record<string, unknown>>;
    const chosen = ways.find((one) => one === way);
    if (known === undefined || stream !== known.index || chosen === undefined) return null;
    if (!isReasons(reasons) || (chosen === 'copy' && known.track?.canCopy !== true)) return null;
    if (chosen !== 'convert') return { stream: known.index, way: chosen, reasons };
    const words = parseRecipe(recipe);
    const hasPart = known.kind === 'audio' ? words?.audio : words?.video;
    if (words === null || hasPart === undefined || !input.machine.converts) return null;
    return { stream: known.index, way: chosen, reasons, recipe: words };
  });
  const whole = parsed.filter((track) => track !== null);
  const directs = whole.filter(({ way }) => way === 'direct').length;
  // One stream of a file is not played directly without the others.
  const isWhole = directs === 0 || directs === parsed.length;
  const isRight = whole.length === parsed.length && isWhole && burnsInPicture(whole, input);
  return isRight ? { tracks: whole } : null;
}

/** A subtitle is converted by drawing it into the picture. */
const burnsInPicture = (
  tracks: TranscodeDecision['tracks'],
  { streams }: TranscodeDecideInput,
): boolean =>
  tracks.every(
    ({ way, stream }, at) =>
      streams[at]?.kind !== 'subtitle' ||
      way !== 'convert' ||
      tracks.some(
        (track, of) => streams[of]?.kind === 'video' && track.recipe?.video?.burn === stream,
      ),
  );

const isReasons = (value: unknown): value is readonly PlaybackReason[] =>
  Array.isArray(value) &&
  value.length <= reasonCodes.length &&
  (value as unknown[]).every((one) => typeof one === 'string' && reasonCodes.includes(one));
