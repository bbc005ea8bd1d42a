import { Type } from '@sinclair/typebox';
import { Body, Named, Nullable, type Shape } from '../schema-parts.ts';

const stars = { minimum: 0.5, maximum: 5, multipleOf: 0.5 } as const;

const ItemMarks = Named(
  'ItemMarks',
  Type.Object({
    favourite: Type.Boolean(),
    myRating: Nullable(Type.Number({ description: '0.5 to 5' })),
  }),
);

/** What a profile says of an item, apart from playing it. */
export type ItemMarks = Shape<typeof ItemMarks>;

export const MarksReply = Type.Object({ marks: ItemMarks });

const EntityMarks = Named(
  'EntityMarks',
  Type.Object({
    favourite: Type.Boolean(),
    myRating: Nullable(Type.Number({ description: '0.5 to 5' })),
  }),
);

/** What a profile says of an entity, apart from playing its items. */
export type EntityMarks = Shape<typeof EntityMarks>;

export const EntityMarksReply = Type.Object({ marks: EntityMarks });

export const RatingBody = Named(
  'ProfileRating',
  Body({
    value: Nullable(
      Type.Number({ ...stars, description: '0.5 to 5 in steps of 0.5; null removes the rating' }),
    ),
  }),
);
