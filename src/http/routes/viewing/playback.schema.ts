import { Type } from '@sinclair/typebox';
import { Body, hiddenQuery, Named, pageQuery } from '../../schemas.ts';
import { PlaybackState } from '../../resource-schemas.ts';

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
    position: seconds('From the start'),
    duration: Type.Optional(seconds('Total; the known duration when absent')),
    completed: Type.Optional(Type.Boolean({ description: 'Default: true from nine tenths on' })),
  }),
);

export const PlaybackListQuery = Type.Object({ ...hiddenQuery, ...pageQuery });
