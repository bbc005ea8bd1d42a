/** How the selected tracks of a file are played on a client, and which other tracks can be switched to. */
import type {
  MediaStream,
  PlaybackReason,
  TranscodeDecideInput,
  TranscodeDecision,
  VideoRecipe,
} from '../../../plugin-api/index.ts';
import { AppError } from '../../platform/errors.ts';
import {
  convertedGain,
  decide as decideHere,
  fileType,
  reasonWords,
  rungs,
  type Conversions,
  type Decide,
} from '../transcoding/index.ts';
import type { KnownClient } from './client.ts';
import { idOf, planned, streamOf, streamsOf, tracksOf } from './play-tracks.ts';
import type { PlayableFile } from './playable-file.ts';
import type { Decided, PlayMode, Quality, Selection, SessionTrack, WantedMode } from './session.ts';
import type { PlayTrack } from '../../contract/resources/viewing/playback-sessions.ts';

export interface SessionDecisionParts {
  readonly decide: Decide;
  readonly conversions: Pick<Conversions, 'missing' | 'maxHeight' | 'learn'>;
}

/** What is to be decided. */
export interface Question {
  readonly file: PlayableFile;
  readonly client: KnownClient;
  readonly selection: Selection;
  readonly mode: WantedMode;
}

/** Throws `unplayable`, or `transcoder_missing` when a conversion would help. */
export type DecideSession = (question: Question) => Promise<Decided>;

export function createSessionDecision(parts: SessionDecisionParts): DecideSession {
  const { decide, conversions } = parts;

  async function answer(question: Question, streams: readonly MediaStream[]) {
    const converts = conversions.missing() === null;
    const input = toInput(question, streams, { converts, maxHeight: null });
    const decision = await slowed(await decide(input), input);
    if (decision.tracks.some(({ way }) => way === 'refuse')) refuse(decision, input, question);
    return decision;
  }

  /** As high as the server converts in time. */
  async function slowed(
    wanted: TranscodeDecision,
    input: TranscodeDecideInput,
  ): Promise<TranscodeDecision> {
    const highest = highestIn(wanted);
    if (highest === null) return wanted;
    await conversions.learn();
    const maxHeight = conversions.maxHeight();
    if (maxHeight === null || highest <= maxHeight) return wanted;
    const machine = { ...input.machine, maxHeight };
    return withinHeight(await decide({ ...input, machine }), maxHeight);
  }

  function refuse(
    decision: TranscodeDecision,
    input: TranscodeDecideInput,
    question: Question,
  ): never {
    const reasons = [...new Set(decision.tracks.flatMap((track) => track.reasons))];
    const missing = conversions.missing();
    const { withoutIndex } = question.file;
    const machine = { converts: true, maxHeight: null };
    const converted = decideHere({ ...input, machine }).tracks;
    if (missing !== null && converted.every(({ way }) => way !== 'refuse')) {
      const why = [missing, ...(withoutIndex === null ? [] : [withoutIndex])].join(' ');
      // Clients name the stream by the reasons.
      const fields = { reasons: reasons.join(' '), why };
      throw new AppError('transcoder_missing', fields);
    }
    throw unplayable(reasons, withoutIndex);
  }

  return async (question) => {
    const { file } = question;
    const streams = selectedStreams(question);
    if (streams.length === 0) throw unplayable(['container'], 'It has no picture and no sound.');
    const { tracks } = await answer(question, streams);
    const mode = modeOf(tracks);
    const decided = new Map(tracks.map((track) => [track.stream, track]));
    const converts = conversions.missing() === null;
    const shown = tracksOf(file).map((track): SessionTrack => {
      const stream = streamOf(file, track.id);
      const found = stream === undefined ? undefined : decided.get(stream.index);
      if (found !== undefined && stream !== undefined)
        return toSessionTrack(file, stream, found, track);
      if (track.isText) return textTrack(track, stream);
      if (isDrawnBy(question.client, file, stream ?? track.id))
        return { ...textTrack(track, stream), isDrawn: true };
      const isPlayed = question.client.picksTracks && mode === 'direct';
      if (!isPlayed && stream !== undefined && isPictureSubtitle(stream))
        return undrawnTrack(track, stream, question, converts);
      if (mode === 'direct' || stream === undefined || track.kind !== 'audio')
        return otherTrack(track, stream, isPlayed);
      const other = decideHere(
        toInput({ ...question, mode: 'auto' }, [stream], { converts, maxHeight: null }, false),
      );
      const [one] = other.tracks;
      return one === undefined
        ? otherTrack(track, stream, false)
        : toSessionTrack(file, stream, one, track);
    });
    const limits = { converts, maxHeight: conversions.maxHeight() };
    return { mode, tracks: withRungs(shown, question, limits), reasons: reasonsOf(tracks) };
  };
}

function unplayable(reasons: readonly PlaybackReason[], more: string | null): AppError {
  const why = [...reasons.map((code) => reasonWords[code]), ...(more === null ? [] : [more])];
  return new AppError('unplayable', { reasons: reasons.join(' '), why: why.join(' ') });
}

const reasonsOf = (tracks: TranscodeDecision['tracks']) => [
  ...new Set(tracks.flatMap(({ reasons }) => reasons)),
];

/** The height of the highest picture that is converted; `null` = none is. */
function highestIn({ tracks }: TranscodeDecision): number | null {
  const heights = tracks.flatMap(({ recipe }) => recipe?.video?.height ?? []);
  return heights.length === 0 ? null : Math.max(...heights);
}

/** Says why pictures are smaller, and holds a plugin to the height. */
function withinHeight({ tracks }: TranscodeDecision, maxHeight: number): TranscodeDecision {
  const limited = tracks.map((track) => {
    const video = track.recipe?.video;
    if (video === undefined) return track;
    const height = Math.min(video.height, maxHeight);
    const reasons: readonly PlaybackReason[] = [...track.reasons, 'server_speed'];
    return { ...track, reasons, recipe: { ...track.recipe, video: { ...video, height } } };
  });
  return { tracks: limited };
}

function modeOf(tracks: TranscodeDecision['tracks']): PlayMode {
  if (tracks.some(({ way }) => way === 'convert')) return 'convert';
  return tracks.every(({ way }) => way === 'direct') ? 'direct' : 'remux';
}

/** PGS beside the file, or in a container that it is read from. */
const isDrawnBy = (
  { subtitles }: Pick<KnownClient, 'subtitles'>,
  { container, pictures = [] }: Pick<PlayableFile, 'container' | 'pictures'>,
  picture: MediaStream | string,
): boolean => {
  if (!subtitles.includes('pgs')) return false;
  if (typeof picture === 'string') return pictures.some(({ id }) => id === picture);
  const { kind, codec } = picture;
  return kind === 'subtitle' && codec === 'hdmv_pgs_subtitle' && container === 'matroska';
};

/** Pictures, sound, and a subtitle that must be burnt in. */
function selectedStreams({ file, selection, client }: Question): readonly MediaStream[] {
  const burnt = selection.subtitle === null ? undefined : streamOf(file, selection.subtitle);
  const isText = file.texts.some(({ id }) => id === selection.subtitle);
  const isDrawn = burnt !== undefined && isDrawnBy(client, file, burnt);
  return [
    selection.video === null ? undefined : streamOf(file, selection.video),
    selection.audio === null ? undefined : streamOf(file, selection.audio),
    isText || isDrawn ? undefined : burnt,
  ].filter((stream) => stream !== undefined);
}

function toInput(
  { file, client, mode }: Question,
  streams: readonly MediaStream[],
  machine: TranscodeDecideInput['machine'],
  mayBeWhole = true,
): TranscodeDecideInput {
  const { picksTracks, mse, src, maxHeight, maxKbps, maxChannels, hdr } = client;
  const known = { mse, src, maxHeight, maxKbps, maxChannels, hdr };
  const [firstSound] = streamsOf(file, 'audio');
  const sound = streams.find(({ kind }) => kind === 'audio');
  // A browser plays the first sound of a file, so another one needs segments.
  const isHeard = picksTracks || sound === undefined || sound.index === firstSound?.index;
  return {
    container: file.container ?? file.extension,
    bitrate: file.bitrate,
    fileType:
      isHeard && mayBeWhole && hasLength(file, streams) ? fileType(file.container, streams) : null,
    streams: streams.map((stream) => planned(file, stream)),
    client: known,
    gainDb: client.appliesGain || file.loudness === null ? 0 : convertedGain(file.loudness),
    policy: { mode },
    machine,
  };
}

/**
 * Whether the file says how long its film is. Of one that does not, players show no length, and cannot
 * go to a place. A Matroska that is walked has no index, and mostly no length either.
 */
const hasLength = (
  { duration, container, index }: Pick<PlayableFile, 'duration' | 'container' | 'index'>,
  streams: readonly MediaStream[],
): boolean =>
  !streams.some(({ kind }) => kind === 'video') ||
  ((duration ?? 0) > 0 && ((container !== 'matroska' && container !== 'webm') || !index?.state));

function toSessionTrack(
  file: PlayableFile,
  stream: MediaStream,
  { way, reasons, recipe }: TranscodeDecision['tracks'][number],
  track: PlayTrack,
): SessionTrack {
  const { track: found } = planned(file, stream);
  const qualities: Quality[] = [];
  if (way === 'copy' && found !== null) qualities.push({ name: 'copy', track: found });
  if (recipe?.audio !== undefined && stream.kind === 'audio') {
    const { audio } = recipe;
    qualities.push({ name: `${audio.codec}-${audio.channels}`, audio });
  } else if (recipe?.video !== undefined && stream.kind === 'video') {
    qualities.push({ name: nameOf(recipe.video), video: recipe.video });
  }
  return { track, stream: stream.index, way, reasons, qualities };
}

const nameOf = ({ codec, height, kbps, burn }: VideoRecipe): string =>
  `${codec}-${height}-${kbps}${burn === null ? '' : `-s${burn}`}`;

const textTrack = (track: PlayTrack, stream: MediaStream | undefined): SessionTrack => ({
  track,
  stream: stream?.index ?? null,
  way: 'direct',
  reasons: [],
  qualities: [],
});

const otherTrack = (
  track: PlayTrack,
  stream: MediaStream | undefined,
  isPlayed: boolean,
): SessionTrack => ({
  track,
  stream: stream?.index ?? null,
  way: isPlayed ? 'direct' : 'refuse',
  reasons: [],
  qualities: [],
});

const pictureCodecs: ReadonlySet<string> = new Set([
  ...['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle', 'xsub'],
]);

const isPictureSubtitle = ({ kind, codec }: MediaStream): boolean =>
  kind === 'subtitle' && pictureCodecs.has(codec ?? '');

/** A subtitle of pictures that was not chosen: `convert` if the server would draw it into the film. */
function undrawnTrack(
  track: PlayTrack,
  stream: MediaStream,
  question: Question,
  converts: boolean,
): SessionTrack {
  const { file, selection } = question;
  const film = selection.video === null ? undefined : streamOf(file, selection.video);
  const other = otherTrack(track, stream, false);
  // The transcoder knows a subtitle of a program stream only once it has come, often minutes later.
  if (film === undefined || file.container === 'mpeg') return other;
  const streams = [film, stream];
  const input = toInput({ ...question, mode: 'auto' }, streams, { converts, maxHeight: null });
  const isDrawn = decideHere(input).tracks.every(({ way }) => way === 'convert');
  return isDrawn ? { ...other, way: 'convert', reasons: ['subtitle_burn'] } : other;
}

/** Smaller pictures for slow connections, where the server converts. */
function withRungs(
  tracks: readonly SessionTrack[],
  { client, file }: Question,
  { converts, maxHeight }: TranscodeDecideInput['machine'],
): readonly SessionTrack[] {
  return tracks.map((one) => {
    const [best] = one.qualities;
    const stream = streamOf(file, one.track.id);
    if (one.track.kind !== 'video' || best === undefined || !converts) return one;
    if (stream?.dolbyVisionProfile === 5) return one;
    const base = 'video' in best ? best.video : originalOf(one, stream, client);
    const lower = rungs
      .filter(({ height, kbps }) => height < base.height && height >= 360 && kbps < base.kbps)
      .filter(({ height }) => maxHeight === null || height <= maxHeight)
      .map(({ height, kbps }): Quality => {
        const video = { ...base, height, kbps };
        return { name: nameOf(video), video };
      });
    return { ...one, qualities: [best, ...lower] };
  });
}

/** What a copied picture is, as a recipe from which smaller ones follow. */
const originalOf = (
  { track }: SessionTrack,
  stream: MediaStream | undefined,
  client: KnownClient,
): VideoRecipe => ({
  codec: 'h264',
  height: track.height ?? 1080,
  kbps: 80_000,
  toneMap: track.hdr !== null && !client.hdr.includes(track.hdr),
  deinterlace: stream?.isInterlaced === true,
  burn: null,
});

/** What is played when the client says nothing: the default sound, else the first. */
export function selectionOf(
  file: PlayableFile,
  wanted: {
    readonly audio?: string | null | undefined;
    readonly subtitle?: string | null | undefined;
  },
): Selection {
  const sounds = streamsOf(file, 'audio');
  const [video] = streamsOf(file, 'video');
  const usual = sounds.find(({ isDefault }) => isDefault === true) ?? sounds[0];
  const { audio = usual === undefined ? null : idOf(usual), subtitle = null } = wanted;
  const tracks = tracksOf(file);
  const isOf = (id: string, kind: PlayTrack['kind']): boolean =>
    tracks.some((track) => track.id === id && track.kind === kind);
  if (audio !== null && !isOf(audio, 'audio')) throw noTrack('audio', audio);
  if (subtitle !== null && !isOf(subtitle, 'subtitle')) throw noTrack('subtitle', subtitle);
  return { video: video === undefined ? null : idOf(video), audio, subtitle };
}

const noTrack = (what: string, id: string): AppError =>
  new AppError('invalid_request', {
    what: `body.${what} must be the id of one of the tracks of the file: ${id.slice(0, 100)} is not.`,
  });
