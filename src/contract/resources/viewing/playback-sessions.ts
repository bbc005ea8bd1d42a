import { Type } from '@sinclair/typebox';
import { Chapter } from '../library/catalogue.ts';
import {
  Body,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  hiddenQuery,
  nextCursor,
  shortListQuery,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';

export const profileNames = ['tv-generic', 'chromecast', 'apple-tv', 'kodi', 'vlc'] as const;

const kinds = ['video', 'audio', 'subtitle'] as const;
const ways = ['direct', 'copy', 'convert', 'refuse'] as const;
const modes = ['direct', 'remux', 'convert'] as const;
const hdrKinds = ['hdr10', 'hdr10plus', 'hlg', 'dolby-vision'] as const;
const states = ['playing', 'paused'] as const;

const trackId = Type.String({ description: 'Such as `v0`, `a1`, `s2`, or the id of a text' });

const PlayTrack = Named(
  'PlayTrack',
  Type.Object({
    id: trackId,
    kind: OneOf(kinds),
    codec: Type.String(),
    codecs: Nullable(Type.String({ description: 'RFC 6381' })),
    profile: Nullable(Type.String()),
    language: Nullable(Type.String({ description: 'BCP 47' })),
    title: Nullable(Type.String()),
    isDefault: Type.Boolean(),
    isForced: Type.Boolean(),
    isHearingImpaired: Type.Boolean(),
    width: Nullable(Type.Number()),
    height: Nullable(Type.Number()),
    frameRate: Nullable(Type.Number()),
    bitDepth: Nullable(Type.Integer()),
    hdr: Nullable(OneOf(hdrKinds)),
    channels: Nullable(Type.Integer()),
    sampleRate: Nullable(Type.Number({ description: 'Hertz' })),
    bitrate: Nullable(Type.Number({ description: 'Bits per second' })),
    isText: Type.Boolean({ description: 'Whether it is text, which is sent as WebVTT' }),
  }),
);

/** A track of pictures, sound or text. */
export type PlayTrack = Shape<typeof PlayTrack>;

const Trickplay = Named(
  'Trickplay',
  Type.Object({
    width: Type.Integer({ description: 'Pixels of one picture' }),
    height: Type.Integer(),
    columns: Type.Integer({ description: 'Pictures in a row of a sheet' }),
    rows: Type.Integer(),
    interval: Type.Integer({ description: 'Seconds from one picture to the next' }),
    count: Type.Integer({ description: 'Pictures in all' }),
  }),
);

/** How the pictures of a film lie on their sheets. */
export type Trickplay = Shape<typeof Trickplay>;

const PlaybackFile = Named(
  'PlaybackFile',
  Type.Object({
    id: Id,
    container: Nullable(Type.String()),
    duration: Nullable(Type.Number({ description: 'Seconds' })),
    tracks: List(PlayTrack),
    candidates: List(Type.String(), {
      description:
        'Types to test, with `MediaSource.isTypeSupported` for `mse` and with `canPlayType` for `src` of a session',
    }),
    chapters: List(Chapter),
    trickplay: Nullable(Trickplay),
    withoutSegments: Nullable(
      Type.String({ description: 'Why it is not sent in segments; null when it is' }),
    ),
  }),
);

/** What a client needs to know of a file before it plays it. */
export type PlayInfo = Shape<typeof PlaybackFile>;

export const PlaybackInfoQuery = Type.Object({
  ...hiddenQuery,
  fileId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});

export const PlaybackInfoReply = Type.Object({ files: List(PlaybackFile) });

const types = (description: string) =>
  List(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500, description });

const seconds = (description: string) => Type.Number({ minimum: 0, maximum: 1e9, description });
const wantedTrack = Type.String({ minLength: 1, maxLength: 100 });
const maxKbps = Type.Integer({ minimum: 1, maximum: 1_000_000 });

const PlaybackClient = Named(
  'PlaybackClient',
  Body({
    mse: types('Candidates that `MediaSource.isTypeSupported` accepts'),
    src: types('Candidates that `canPlayType` accepts'),
    profile: Type.Optional(
      OneOf(profileNames, { description: 'For a device that tests nothing: what it plays' }),
    ),
    maxHeight: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    maxKbps: Type.Optional(maxKbps),
    maxChannels: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
    hdr: Type.Optional(
      List(OneOf(hdrKinds), {
        maxItems: 4,
        description: 'What the screen shows; absent = not known',
      }),
    ),
    subtitles: Type.Optional(
      List(OneOf(['pgs']), {
        maxItems: 4,
        description: 'Subtitles that are pictures, which it draws itself',
      }),
    ),
  }),
);

/** What a client says of itself. */
export type GivenClient = Wanted<typeof PlaybackClient>;

export const SessionBody = Named(
  'PlaybackSessionRequest',
  Body({
    itemId: Type.String({ minLength: 1, maxLength: 200 }),
    fileId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    position: Type.Optional(seconds('Where the client starts')),
    client: PlaybackClient,
    audio: Type.Optional(wantedTrack),
    subtitle: Type.Optional(wantedTrack),
    mode: Type.Optional(OneOf(['auto', ...modes], { description: 'Default: `auto`' })),
    takesOver: Type.Optional(
      Type.Boolean({
        description:
          'Whether a session of the same person, for the item or on the device, ends where no place is free. Default: true',
      }),
    ),
  }),
);

/** What a client wants to play. */
export type WantedSession = Wanted<typeof SessionBody>;

export const SessionChangeBody = Named(
  'PlaybackSessionChange',
  Body({
    audio: Type.Optional(wantedTrack),
    subtitle: Type.Optional(Nullable(wantedTrack)),
    maxKbps: Type.Optional(Nullable(maxKbps)),
    position: Type.Optional(seconds('Where the client is; it is kept for the profile')),
    state: Type.Optional(
      OneOf([...states, 'ended'], {
        description: '`ended`: the last report, as of a page that goes away; the session ends',
      }),
    ),
  }),
);

/** What a client reports, and changes. */
export type SessionChange = Wanted<typeof SessionChangeBody>;

const Reason = Named(
  'PlaybackReason',
  Type.Object({
    code: Type.String({
      description:
        'Open: `container video_codec video_level bit_depth hdr audio_codec channels bitrate subtitle_burn interlaced server_speed`',
    }),
    message: Type.String({ description: 'For people' }),
  }),
);

/** A reason with its words. */
export type ShownReason = Shape<typeof Reason>;

const SessionTrack = Named(
  'PlaybackSessionTrack',
  Type.Object({
    id: trackId,
    kind: OneOf(kinds),
    codec: Type.String(),
    language: Nullable(Type.String({ description: 'BCP 47' })),
    title: Nullable(Type.String()),
    isForced: Type.Boolean(),
    isHearingImpaired: Type.Boolean(),
    isSelected: Type.Boolean(),
    way: OneOf(ways),
    reasons: List(Type.String(), { description: 'Why it is not played directly' }),
    url: Nullable(
      Type.String({
        format: 'uri-reference',
        description: 'Its playlist; of a text the track as WebVTT',
      }),
    ),
    assUrl: Nullable(Type.String({ format: 'uri-reference' })),
    supUrl: Nullable(
      Type.String({
        format: 'uri-reference',
        description: 'A subtitle of pictures that the client draws, from `?from=` seconds on',
      }),
    ),
  }),
);

/** A track of a session, as clients see it. */
export type ShownTrack = Shape<typeof SessionTrack>;

const position = Type.Number({ description: 'Seconds' });

const sessionFields = {
  id: Id,
  itemId: Id,
  fileId: Id,
  mode: OneOf(modes),
  reasons: List(Reason),
  duration: Type.Number({ description: 'Seconds; 0 = not known' }),
  position,
  state: OneOf(states),
  createdAt: Timestamp,
};

const Offer = Named(
  'PlaybackOffer',
  Type.Object(
    { height: Type.Integer(), maxKbps: Type.Integer() },
    {
      description:
        'A smaller picture, where the server converts slower than the film plays: ask for it with `maxKbps`',
    },
  ),
);

/** What a client can ask for with `maxKbps`, so that the film plays without pauses. */
export type ShownOffer = Shape<typeof Offer>;

const Session = Named(
  'PlaybackSession',
  Type.Object({
    ...sessionFields,
    kind: OneOf(['file', 'hls']),
    url: Type.String({
      format: 'uri-reference',
      description: 'What a player opens, without any header',
    }),
    firstUrls: List(Type.String({ format: 'uri-reference' }), {
      description: 'What it asks for first; it can ask for all of them at once',
    }),
    firstUrl: Nullable(
      Type.String({
        format: 'uri-reference',
        description: 'One answer with all of `firstUrls`; null where some of it is converted',
      }),
    ),
    tracks: List(SessionTrack),
    expiresAt: Timestamp,
    progressUrl: Type.String({
      format: 'uri-reference',
      description: 'Where the client reports its position every ten seconds, with PATCH',
    }),
    rate: Nullable(
      Type.Number({ description: 'Seconds of film that are converted in a second, if known' }),
    ),
    offer: Nullable(Offer),
    trickplayUrl: Nullable(
      Type.String({
        format: 'uri-reference',
        description:
          'WebVTT of little pictures for the bar of the player; 404 while there are none',
      }),
    ),
  }),
);

/** A session, as clients see it. */
export type ShownSession = Shape<typeof Session>;

const SessionSummary = Named(
  'PlaybackSessionSummary',
  Type.Object({
    ...sessionFields,
    userId: Id,
    profileId: Id,
  }),
);

/** A session in a list, without the addresses: they are for its own client. */
export type SessionSummary = Shape<typeof SessionSummary>;

export const SessionReply = Type.Object({ session: Session });
export const SessionsQuery = Type.Object({ ...hiddenQuery, ...shortListQuery });
export const SessionsReply = Type.Object({ sessions: List(SessionSummary), nextCursor });
