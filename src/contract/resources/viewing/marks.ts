import { Type } from '@sinclair/typebox';
import type { ItemMarks } from '../../../viewing/playback/index.ts';
import { Body, Named, Nullable, type FieldsOf } from '../schema-parts.ts';

const stars = { minimum: 0.5, maximum: 5, multipleOf: 0.5 } as const;

export const MarksReply = Type.Object({
  marks: Named(
    'ItemMarks',
    Type.Object({
      favourite: Type.Boolean(),
      myRating: Nullable(Type.Number({ description: '0.5 to 5' })),
    } satisfies FieldsOf<ItemMarks>),
  ),
});

export const EntityMarksReply = Type.Object({
  marks: Named('EntityMarks', Type.Object({ favourite: Type.Boolean() })),
});

export const RatingBody = Named(
  'ProfileRating',
  Body({
    value: Nullable(
      Type.Number({ ...stars, description: '0.5 to 5 in steps of 0.5; null removes the rating' }),
    ),
  }),
);
