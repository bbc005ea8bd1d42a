import { Type } from '@sinclair/typebox';
import { Body, Named, hiddenQuery, pageQuery, type Wanted } from '../schema-parts.ts';
import { PlaybackState } from '../library/catalogue.ts';

const seconds = (description: string) =>
  Type.Number({
    minimum: 0,
    maximum: 1e9,
    description: `${description}: seconds, for books pages`,
  });

export const PlaybackReply = Type.Object({ playback: PlaybackState });

export const PlaybackBody = Named(
  'PlaybackReport',
  Body({
    fileId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'A primary file of the item, to which the other keys belong; the server adds the parts before it',
      }),
    ),
    position: seconds('From the start'),
    duration: Type.Optional(seconds('Total; counts only where the server does not know it')),
    completed: Type.Optional(
      Type.Boolean({ description: 'Default: true from nine tenths or from the credits on' }),
    ),
    secondsAgo: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e8,
        description:
          'How long ago it was played there, if it is told later, as after a time without the server. A state that is newer stays, and is the reply.',
      }),
    ),
  }),
);

/** A playback state that a player reports. */
export type PlaybackChange = Wanted<typeof PlaybackBody>;

export const WatchedBody = Named('WatchedMark', Body({ watched: Type.Boolean() }));

export const WatchedReply = Type.Object({
  changed: Type.Integer({ description: 'How many items were not so before' }),
});

export const PlaybackListQuery = Type.Object({ ...hiddenQuery, ...pageQuery });
