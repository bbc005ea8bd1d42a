/** Resources that several routes answer with. */
import { Type } from '@sinclair/typebox';
import {
  Documented,
  Id,
  JsonMap,
  List,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  nextCursor,
  type Shape,
} from '../schema-parts.ts';

/** Every status of a job, in the order of the specification. */
export const jobStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;

/** What a list may give of each item: a tile, or all. */
export const itemShapes = ['full', 'tile'] as const;

export const TextMap = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
});

const Status = Named('MediaStatus', OneOf(['active', 'missing', 'error']));

export const Chapter = Named(
  'Chapter',
  Type.Object({
    id: Id,
    fileId: Id,
    title: Type.String(),
    source: Type.String(),
    startTime: Type.Number({ description: 'Seconds from the start of the file' }),
    endTime: Nullable(Type.Number({ description: 'Seconds from the start of the file' })),
    role: Type.String({ description: '`intro credits recap chapter scene`' }),
    metadata: JsonMap,
    assets: TextMap,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);

/** The Chapter resource. Times are seconds. */
export type Chapter = Shape<typeof Chapter>;

const TextTrack = Named(
  'TextTrack',
  Type.Object({
    id: Type.String({ minLength: 1, maxLength: 100 }),
    kind: OneOf(['subtitle', 'lyrics']),
    format: Type.String({ description: '`srt ass ssa vtt ttml smi sub sbv mov_text lrc`' }),
    language: Nullable(Type.String({ description: 'BCP 47' })),
    title: Nullable(Type.String()),
    isForced: Type.Boolean({ description: 'Only what a viewer of the usual language needs' }),
    isSdh: Type.Boolean({ description: 'With sounds as text' }),
    isDefault: Type.Boolean(),
    url: Type.String({ format: 'uri-reference', description: 'The track as WebVTT' }),
  }),
);

/** A text track of a file, as clients see it. */
export type TextTrack = Shape<typeof TextTrack>;

const Loudness = Named(
  'Loudness',
  Type.Object({
    integratedLufs: Type.Number({ description: 'Mean loudness (EBU R 128)' }),
    truePeakDb: Nullable(
      Type.Number({ description: 'The highest true peak, in dB of full scale, if it is known' }),
    ),
    trackGainDb: Type.Number({ description: 'What brings the file to -18 LUFS' }),
    albumGainDb: Nullable(
      Type.Number({
        description: 'The same for its album: all of it was measured, or tags say it',
      }),
    ),
  }),
);

/** As players use it. */
export type Loudness = Shape<typeof Loudness>;

export const File = Named(
  'MediaFile',
  Type.Object({
    id: Id,
    libraryId: Id,
    itemId: Id,
    uri: Type.String({
      format: 'uri-reference',
      description:
        'Its URI; for viewers who are not admins the path of its bytes: /api/files/…/stream',
    }),
    filename: Type.String(),
    extension: Type.String({ description: 'Lower case, without dot' }),
    mimeType: Type.String(),
    mediaKind: OneOf(['video', 'audio', 'image', 'text']),
    type: Type.String({ description: '`media` or `auxiliary`' }),
    status: Status,
    classification: Type.String({
      description: '`primary extra trailer deleted-scene behind-the-scenes companion`',
    }),
    edition: Nullable(Type.String()),
    partNumber: Nullable(Type.Integer()),
    size: Type.Number({ description: 'Bytes' }),
    duration: Nullable(Type.Number({ description: 'Seconds, for books pages' })),
    fileInfo: JsonMap,
    assets: TextMap,
    assetAspects: TextMap,
    chapters: List(Chapter),
    text: List(TextTrack, {
      description: 'Subtitles and lyrics, in the file or beside it, that are sent as WebVTT',
    }),
    loudness: Nullable(Loudness),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);

/** The File resource. Size in bytes, duration in seconds. */
export type LibraryFile = Shape<typeof File>;

const LinkedEntity = Named(
  'LinkedEntity',
  Type.Object({
    id: Id,
    type: Type.String(),
    name: Type.String(),
    role: Type.String(),
    sortOrder: Type.Integer(),
    linkMetadata: JsonMap,
    assets: TextMap,
    assetAspects: TextMap,
  }),
);

/** An entity as an item shows it. */
export type LinkedEntity = Shape<typeof LinkedEntity>;

/** The playback state of the viewer's profile. */
export const PlaybackState = Named(
  'PlaybackState',
  Type.Object({
    completed: Type.Boolean(),
    position: Type.Number({ description: 'Seconds, for books pages' }),
    duration: Type.Number({ description: 'Seconds, for books pages' }),
  }),
);

/** A playback position. Seconds; for books pages. */
export type ItemPlayback = Shape<typeof PlaybackState>;

/** The fields of an item in every answer. */
export const itemFields = {
  id: Id,
  libraryId: Id,
  libraryName: Type.String(),
  title: Type.String(),
  certification: Nullable(Type.String()),
  metadata: JsonMap,
  status: Status,
  addedAt: Timestamp,
  updatedAt: Timestamp,
  files: List(File),
  assets: TextMap,
  assetAspects: TextMap,
  linkedEntities: List(LinkedEntity),
  playback: PlaybackState,
  favourite: Type.Boolean({ description: "Whether it is a favourite of the viewer's profile" }),
  myRating: Nullable(Type.Number({ description: "The rating of the viewer's profile, 0.5 to 5" })),
  playCount: Type.Integer({ description: "How often the viewer's profile played it to the end" }),
  lastPlayedAt: Nullable(Timestamp),
};

export const Item = Named('Item', Type.Object(itemFields));

/** What the viewer's profile says of an item. */
export type ProfileState = Pick<
  Item,
  'playback' | 'favourite' | 'myRating' | 'playCount' | 'lastPlayedAt'
>;

/** The Item resource. */
export type Item = Shape<typeof Item>;

/** A page of items. */
export const ItemsReply = Type.Object({ items: List(Item), nextCursor });

const TilePicture = Named(
  'TilePicture',
  Type.Object({
    id: Id,
    aspect: Nullable(Type.String({ description: '`portrait landscape square`' })),
    color: Nullable(
      Type.String({
        description: 'The mean colour, `#rrggbb`; null until the picture was asked for in a size',
      }),
    ),
    thumbhash: Nullable(
      Type.String({ description: 'Base64; null until the picture was asked for in a size' }),
    ),
  }),
);

/** The picture of a tile, at `/api/assets/<id>`. */
export type TilePicture = Shape<typeof TilePicture>;

const tileFields = {
  id: Id,
  type: Type.String({
    description: '`film episode track audiobook book photo`; of another type of library that type',
  }),
  title: Type.String({ description: 'Of an episode the name of its series' }),
  subtitle: Nullable(
    Type.String({ description: 'Ready to show, such as `S2 E3 · The Long Bridge`' }),
  ),
  year: Nullable(Type.Integer()),
  picture: Nullable(TilePicture),
  progress: Type.Number({ description: 'How much of it was played, 0 to 1' }),
  watched: Type.Boolean(),
  favourite: Type.Boolean(),
  badges: List(Type.String(), { description: 'Such as `4K` and `HDR`' }),
};

export const Tile = Named('Tile', Type.Object(tileFields));

/** The Tile resource. */
export type Tile = Shape<typeof Tile>;

/** A page of items, or of tiles. */
export const ItemListReply = Type.Object({
  items: List(Type.Union([Tile, Item]), { description: 'Tiles with `fields=tile`' }),
  nextCursor,
  total: Type.Optional(Type.Integer({ description: 'Items of the whole list; `includeTotal`' })),
});

export const FoundItem = Named(
  'FoundItem',
  Type.Object({
    ...itemFields,
    confidence: Type.Number({ description: 'How well it matches, 0 to 1' }),
  }),
);

export const FoundTile = Named(
  'FoundTile',
  Type.Object({
    ...tileFields,
    libraryId: Id,
    libraryName: Type.String(),
    confidence: Type.Number({ description: 'How well it matches, 0 to 1' }),
  }),
);

const entityFields = {
  id: Id,
  type: Type.String({
    description: 'Open: `person genre artist album show season series studio`',
  }),
  name: Type.String(),
  status: OneOf(['pending', 'complete']),
  sourcePluginId: Nullable(Type.String({ description: 'The plugin that named it first' })),
  searchTerms: Nullable(Type.String({ description: 'Other words by which it is found' })),
  assets: TextMap,
  assetAspects: TextMap,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const Entity = Named('Entity', Type.Object(entityFields));

/** The Entity resource. */
export type Entity = Shape<typeof Entity>;

/** An entity as lists of entities show it. Counts are of what the viewer may see. */
export const ListedEntity = Named(
  'ListedEntity',
  Type.Object({
    ...entityFields,
    itemCount: Type.Integer({ description: 'Items of it that the viewer may see' }),
    unwatchedCount: Type.Integer({ description: 'Those that the profile did not finish' }),
    year: Nullable(
      Type.Integer({ description: 'Of albums, shows, seasons and series: else null' }),
    ),
    artists: List(Type.Object({ id: Id, name: Type.String() }), {
      description: 'Of an album, its own artist first',
    }),
    picture: Nullable(TilePicture),
    duration: Nullable(
      Type.Number({ description: 'Of all its items: seconds, for books pages; null = not known' }),
    ),
    addedAt: Nullable(
      Documented(Timestamp, { description: 'When the newest of its items was added' }),
    ),
    favourite: Type.Boolean({ description: "Whether it is a favourite of the viewer's profile" }),
    myRating: Nullable(
      Type.Number({ description: "The rating of the viewer's profile, 0.5 to 5" }),
    ),
  }),
);

/** An artist as albums name it. */
export type EntityArtist = ListedEntity['artists'][number];

/** What lists say of an entity beside its own fields. Counts are of what the viewer may see. */
export type EntitySummary = Omit<ListedEntity, keyof Entity>;

/** An entity as lists show it. */
export type ListedEntity = Shape<typeof ListedEntity>;

export const FoundEntity = Named(
  'FoundEntity',
  Type.Object({
    ...entityFields,
    confidence: Type.Number({ description: 'How well it matches, 0 to 1' }),
  }),
);

export const JobStatus = Named('JobStatus', OneOf(jobStatuses));

export type JobStatus = (typeof jobStatuses)[number];

export const Job = Named(
  'Job',
  Type.Object({
    id: Id,
    type: Type.String({ description: 'Open: `scan probe identify refresh reindex backup`, …' }),
    libraryId: Nullable(Id),
    pluginId: Nullable(Type.String({ description: 'The plugin that runs it' })),
    status: JobStatus,
    priority: Type.Integer({ description: '0 to 100, higher first' }),
    payload: JsonMap,
    result: JsonMap,
    progress: Type.Number({ description: '0 to 1' }),
    errorMessage: Nullable(Type.String()),
    createdAt: Timestamp,
    startedAt: Nullable(Timestamp),
    completedAt: Nullable(Timestamp),
  }),
);

/** The Job resource of the specification. */
export type Job = Shape<typeof Job>;

/** For sessions in a cookie. */
export const CsrfToken = Type.String({
  description: 'With a cookie: goes into the header X-CSRF-Token of every change',
});
