import { Type } from '@sinclair/typebox';
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

/** The jobs that look at media with ffmpeg at night. */
export const mediaJobTypes = ['loudness', 'stills', 'trickplay'] as const;

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Roots = List(Type.String({ minLength: 1, maxLength: 8192 }), {
  minItems: 1,
  maxItems: 50,
  description: 'URIs such as file:///media/films, or absolute paths',
});
const Links = List(
  Body({
    root: Type.String({ minLength: 1, maxLength: 8192, description: 'A root of the library' }),
    folder: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'Where links below that root may lead as well: a URI or an absolute path',
    }),
  }),
  {
    maxItems: 50,
    description:
      'The folders outside of the library to which links may lead. Everyone who sees the library can read what such a link leads to',
  },
);
const PluginId = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The filesystem plugin of the library',
  }),
);

const Watch = Type.Boolean({
  description: 'Whether its folders are watched for changes; else only a requested scan finds them',
});

const MediaJobs = List(OneOf(mediaJobTypes), {
  maxItems: mediaJobTypes.length,
  description: 'The jobs that look at its media at night; all at first',
});

/** What can be wrong with a root of a library, or with a mount below it; `incomplete` = with places below its roots. */
export const rootProblems = [
  'unreachable',
  'empty',
  'other-volume',
  'unmounted',
  'scan-failed',
  'incomplete',
] as const;

const LibraryProblem = Named(
  'LibraryProblem',
  Type.Object({
    uri: Type.String({
      format: 'uri',
      description:
        'The root, a folder in it on which a disk was mounted, or the first place below it that could not be read',
    }),
    code: Type.Unsafe<(typeof rootProblems)[number]>({
      description: `\`${rootProblems.join(' ')}\``,
      type: 'string',
    }),
    message: Type.String(),
  }),
);

/**
 * A problem of a root of a library, or of a mount below it; `incomplete` = of places below its roots.
 */
export type RootProblem = Shape<typeof LibraryProblem>;

const Library = Named(
  'Library',
  Type.Object({
    id: Id,
    name: Type.String(),
    type: Type.String({ description: 'Open: `movies tv music audiobooks books photos`' }),
    roots: List(Type.String(), {
      description: 'URIs without a trailing slash; empty for viewers who are not admins',
    }),
    links: List(Named('LinkFolder', Type.Object({ root: Type.String(), folder: Type.String() })), {
      description:
        'The folders to which links below a root may lead as well; empty for viewers who are not admins',
    }),
    pluginId: PluginId,
    hidden: Type.Boolean(),
    watch: Watch,
    mediaJobs: List(OneOf(mediaJobTypes), {
      description: 'The jobs that look at its media at night',
    }),
    itemCount: Type.Integer({ minimum: 0 }),
    lastScanAt: Nullable(Timestamp),
    problems: List(LibraryProblem, {
      description:
        'Its problems; a root with a problem loses no files. Empty for viewers who are not admins',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);

/** The Library resource. */
export type Library = Shape<typeof Library>;

export const NewLibrary = Named(
  'NewLibrary',
  Body({
    name: Name,
    type: Type.String({ minLength: 1, maxLength: 64 }),
    roots: Roots,
    links: Type.Optional(Links),
    pluginId: Type.Optional(PluginId),
    hidden: Type.Optional(Type.Boolean({ default: false })),
    watch: Type.Optional(Watch),
    mediaJobs: Type.Optional(MediaJobs),
  }),
);

/** The fields of a new library. */
export type NewLibrary = Wanted<typeof NewLibrary>;

export const LibraryChanges = Named(
  'LibraryChanges',
  Body({
    name: Type.Optional(Name),
    roots: Type.Optional(Roots),
    links: Type.Optional(Links),
    pluginId: Type.Optional(PluginId),
    hidden: Type.Optional(Type.Boolean()),
    watch: Type.Optional(Watch),
    mediaJobs: Type.Optional(MediaJobs),
  }),
);

/** The fields of a library that can change. */
export type LibraryChanges = Wanted<typeof LibraryChanges>;

export const LibraryReply = Type.Object({ library: Library });

export const NewLibraryReply = Type.Object({
  library: Library,
  jobId: Nullable(
    Type.String({
      description:
        'The scan that fills it. Until it ends, a scan request gives this job. Null when too many jobs wait',
    }),
  ),
});

export const LibrariesQuery = Type.Object({ ...hiddenQuery, ...shortListQuery });

export const LibrariesReply = Type.Object({ libraries: List(Library), nextCursor });
