import { Type } from '@sinclair/typebox';
import { List, Named, nextCursor } from '../schema-parts.ts';

const Step = Type.Object({
  label: Type.String(),
  maxRating: Type.String({ description: 'As a libraryAccess has it: `FSK 12`' }),
  age: Type.Integer({ description: 'The minimum age, in years; 0 = for all ages' }),
});

const RatingSystem = Named(
  'RatingSystem',
  Type.Object({
    id: Type.String(),
    authority: Type.String({ description: 'Who rates' }),
    source: Type.String({ description: 'Where the steps are described' }),
    countries: List(Type.String(), { description: 'Codes and names; empty = several countries' }),
    steps: List(Step, { description: 'The mildest first' }),
  }),
);

export const RatingSystemsReply = Type.Object({ ratingSystems: List(RatingSystem), nextCursor });
