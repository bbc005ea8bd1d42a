import { Type } from '@sinclair/typebox';
import { Job, Tile } from './catalogue.ts';
import {
  Body,
  Documented,
  Id,
  List,
  Named,
  Nullable,
  StreamReply,
  Timestamp,
  Uri,
  hiddenQuery,
  nextCursor,
  pageQuery,
  type Shape,
} from '../schema-parts.ts';

const Confidence = Type.Number({ description: '0 to 1' });
const Text = Type.String();

export const MatchesQuery = Type.Object({
  ...hiddenQuery,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The search text; by default the title of the item, its series or its album',
    }),
  ),
  year: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999 })),
  pluginId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only this indexer' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
});

const Candidate = Named(
  'MatchCandidate',
  Type.Object({
    pluginId: Text,
    pluginName: Text,
    id: Type.String({ description: "The plugin's id of the candidate" }),
    title: Text,
    year: Nullable(Type.Integer()),
    overview: Nullable(Text),
    url: Nullable(Uri()),
    imageUrl: Nullable(Uri()),
    confidence: Confidence,
  }),
);

/** A candidate for an item, and the plugin that offers it. */
export type MatchCandidate = Shape<typeof Candidate>;

export const MatchesReply = Type.Object({
  candidates: List(Candidate, { description: 'Best first' }),
  problems: List(Type.Object({ pluginId: Text, pluginName: Text, message: Text }), {
    description: 'Indexers that could not be asked',
  }),
});

/** The candidates of plugins, best first. */
export type MatchOffer = Shape<typeof MatchesReply>;

const matchFields = {
  pluginId: Text,
  id: Type.String({ description: "The plugin's id of the entry" }),
  manual: Type.Boolean(),
  confidence: Nullable(Confidence),
  matchedAt: Timestamp,
};

const Match = Named('Match', Type.Object(matchFields));

export const MatchReply = Type.Object({
  match: Nullable(Match),
  guesses: List(Named('MatchGuess', Type.Object({ ...matchFields, title: Nullable(Text) })), {
    description: 'Too uncertain to be applied: below 0.6',
  }),
});

/** The match of an item, and its uncertain candidates. */
export type ItemMatch = Shape<typeof MatchReply>;

export const MatchChoice = Named(
  'MatchChoice',
  Body({
    pluginId: Type.String({ minLength: 1, maxLength: 200 }),
    id: Type.String({ minLength: 1, maxLength: 200, description: '`id` of a candidate' }),
  }),
);

export const MatchedReply = Type.Object({ match: Match, job: Job });

export const PendingMatchesQuery = Type.Object({
  ...hiddenQuery,
  libraryId: Type.Optional(Id),
  ...pageQuery,
});

export const PendingMatchesReply = Type.Object({
  pending: List(
    Named(
      'PendingMatch',
      Type.Object(
        {
          item: Tile,
          libraryId: Id,
          items: Type.Integer({
            description:
              'How many items a choice decides: the episodes of a show, the tracks of an album',
          }),
          candidates: List(Candidate, { description: 'Best first' }),
        },
        { description: 'Something of which no plugin is sure what it is' },
      ),
    ),
  ),
  nextCursor,
});

/** A page of them, in the order in which they were found. */
export type PendingMatchesPage = Shape<typeof PendingMatchesReply>;

export const CandidatePictureQuery = Type.Object({
  ...hiddenQuery,
  pluginId: Type.String({ minLength: 1, maxLength: 200 }),
  url: Documented(
    Type.String({
      minLength: 1,
      maxLength: 8192,
      description: '`imageUrl` of a candidate; only hosts of the plugin are contacted',
    }),
    { format: 'uri' },
  ),
});

export const CandidatePicture = StreamReply('application/octet-stream', 'The picture');
