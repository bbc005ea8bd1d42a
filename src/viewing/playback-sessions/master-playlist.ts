/** The main playlist (RFC 8216, section 4.3.4). */
import { lines, version } from './media-playlist.ts';
import { channelsOf, describe, pictureAttributes, sizeOf, type Described } from './renditions.ts';
import type { Quality, Session, SessionTrack } from './session.ts';

const attribute = (text: string): string => `"${text.toWellFormed().replace(/["\p{Cc}]/gu, ' ')}"`;

/** The main playlist: every picture with every group of sounds, and the texts. */
export function masterPlaylist(session: Pick<Session, 'file' | 'selection' | 'decided'>): string {
  const { decided, selection } = session;
  const played = decided.tracks.filter(({ qualities }) => qualities.length > 0);
  const video = played.find(({ track }) => track.id === selection.video);
  const sounds = chosenFirst(
    played.filter(({ track }) => track.kind === 'audio'),
    selection.audio,
  );
  const texts = decided.tracks.filter(({ track }) => track.isText);
  const textLines =
    video === undefined ? [] : texts.map((text) => textMedia(text, texts, selection.subtitle));
  const head = ['#EXTM3U', `#EXT-X-VERSION:${version}`, '#EXT-X-INDEPENDENT-SEGMENTS'];
  if (video === undefined) return lines([...head, ...soundVariants(session, sounds)]);
  const groups = soundGroups(session, sounds);
  const withTexts = textLines.length > 0 ? ',SUBTITLES="texts"' : '';
  const variants = video.qualities.flatMap((quality) =>
    groups.length === 0
      ? variant(session, { video, quality, sound: null, withTexts })
      : groups.flatMap((sound) => variant(session, { video, quality, sound, withTexts })),
  );
  return lines([
    ...head,
    ...groups.flatMap(({ media }) => media),
    ...textLines,
    ...variants,
    ...scrubbing(session, video),
  ]);
}

/** Clients take the first of a group when nothing else decides. */
const chosenFirst = (
  tracks: readonly SessionTrack[],
  id: string | null,
): readonly SessionTrack[] => [
  ...tracks.filter(({ track }) => track.id === id),
  ...tracks.filter(({ track }) => track.id !== id),
];

interface SoundGroup extends Described {
  readonly id: string;
  readonly media: readonly string[];
}

/** Sounds of one codec are one group: a variant names the codecs of all that it may play. */
function soundGroups(
  session: Pick<Session, 'file' | 'selection'>,
  sounds: readonly SessionTrack[],
): readonly SoundGroup[] {
  const described = sounds.flatMap((sound) => {
    const [quality] = sound.qualities;
    return quality === undefined ? [] : [{ sound, quality, ...describe(session, sound, quality) }];
  });
  const byCodec = Map.groupBy(described, ({ codecs }) => codecs);
  return [...byCodec].map(([codecs, members], at) => {
    const id = `sound${at}`;
    const names = uniqueNames(members.map(({ sound }) => labelOf(sound)));
    const hasChosen = members.some(({ sound }) => sound.track.id === session.selection.audio);
    const media = members.map(({ sound, quality }, member) => {
      const { track } = sound;
      const isDefault = hasChosen ? track.id === session.selection.audio : member === 0;
      return mediaLine({
        type: 'AUDIO',
        group: id,
        name: names[member] ?? track.id,
        language: track.language,
        isDefault,
        more: `,CHANNELS="${channelsOf(sound, quality)}"`,
        uri: `${track.id}/${quality.name}/index.m3u8`,
      });
    });
    const averages = members.map(({ average }) => average ?? 0);
    return {
      id,
      codecs,
      media,
      peak: Math.max(...members.map(({ peak }) => peak)),
      average: Math.max(...averages) || null,
    };
  });
}

interface Media {
  readonly type: 'AUDIO' | 'SUBTITLES';
  readonly group: string;
  readonly name: string;
  readonly language: string | null;
  readonly isDefault: boolean;
  readonly more: string;
  readonly uri: string;
}

const mediaLine = ({ type, group, name, language, isDefault, more, uri }: Media): string =>
  `#EXT-X-MEDIA:TYPE=${type},GROUP-ID="${group}",NAME=${attribute(name)}${languageOf(language)}` +
  `,DEFAULT=${isDefault ? 'YES' : 'NO'},AUTOSELECT=YES${more},URI=${attribute(uri)}`;

const languageOf = (language: string | null): string =>
  language !== null && /^[A-Za-z0-9-]{2,35}$/.test(language) ? `,LANGUAGE="${language}"` : '';

function textMedia(
  { track }: SessionTrack,
  all: readonly SessionTrack[],
  chosen: string | null,
): string {
  const names = uniqueNames(all.map(labelOf));
  const at = all.findIndex((one) => one.track.id === track.id);
  const sdh = track.isHearingImpaired
    ? ',CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound"'
    : '';
  return mediaLine({
    type: 'SUBTITLES',
    group: 'texts',
    name: names[at] ?? track.id,
    language: track.language,
    isDefault: track.id === chosen,
    more: `,FORCED=${track.isForced ? 'YES' : 'NO'}${sdh}`,
    uri: `text/${encodeURIComponent(track.id)}.m3u8`,
  });
}

const labelOf = ({ track }: SessionTrack): string => track.title ?? track.language ?? track.id;

/** Names in a group differ (RFC 8216, section 4.3.4.1.1). */
function uniqueNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 2; used.has(unique); n += 1) unique = `${name} ${n}`;
    used.add(unique);
    return unique;
  });
}

interface Variant {
  readonly video: SessionTrack;
  readonly quality: Quality;
  readonly sound: SoundGroup | null;
  readonly withTexts: string;
}

function variant(
  session: Pick<Session, 'file'>,
  { video, quality, sound, withTexts }: Variant,
): readonly string[] {
  const picture = describe(session, video, quality);
  const codecs = codecsAttribute([picture.codecs, ...(sound === null ? [] : [sound.codecs])]);
  const average =
    picture.average === null ? '' : `,AVERAGE-BANDWIDTH=${picture.average + (sound?.average ?? 0)}`;
  return [
    `#EXT-X-STREAM-INF:BANDWIDTH=${picture.peak + (sound?.peak ?? 0)}${average}${codecs}` +
      pictureAttributes(video, quality) +
      `${sound === null ? '' : `,AUDIO="${sound.id}"`}${withTexts}`,
    `${video.track.id}/${quality.name}/index.m3u8`,
  ];
}

/**
 * The codecs of a variant (RFC 8216, section 4.3.4.2). Packed MP3 is left out: players know no name
 * for it, and hls.js refuses a variant that names `mp3`, or plays it without sound.
 */
function codecsAttribute(codecs: readonly string[]): string {
  const named = codecs.filter((codec) => codec !== 'mp3');
  return named.length === 0 ? '' : `,CODECS="${named.join(',')}"`;
}

/** Sound alone: each quality of the chosen track is a variant; the others are their own. */
const soundVariants = (
  session: Pick<Session, 'file'>,
  sounds: readonly SessionTrack[],
): readonly string[] =>
  sounds.slice(0, 1).flatMap((sound) =>
    sound.qualities.flatMap((quality) => {
      const { codecs, peak, average } = describe(session, sound, quality);
      const rate = average === null ? '' : `,AVERAGE-BANDWIDTH=${average}`;
      return [
        `#EXT-X-STREAM-INF:BANDWIDTH=${peak}${rate}${codecsAttribute([codecs])}`,
        `${sound.track.id}/${quality.name}/index.m3u8`,
      ];
    }),
  );

/** Keyframes alone, where they are copied. */
function scrubbing(session: Pick<Session, 'file'>, video: SessionTrack): readonly string[] {
  const copied = video.qualities.find((quality) => 'track' in quality);
  if (copied === undefined || !('track' in copied)) return [];
  const { codecs, peak } = describe(session, video, copied);
  const { width, height } = sizeOf(video.track, copied);
  const size = width === null || height === null ? '' : `,RESOLUTION=${width}x${height}`;
  const rate = copied.track.keyframeBandwidth ?? peak;
  return [
    `#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=${Math.ceil(rate)},CODECS="${codecs}"${size}` +
      `,URI="${video.track.id}/copy/iframes.m3u8"`,
  ];
}
