import { Type } from '@sinclair/typebox';
import { List } from '../schemas.ts';

const Step = Type.Object({
  label: Type.String(),
  maxRating: Type.String({ description: 'How a libraryAccess says it: `FSK 12`' }),
  age: Type.Integer({ description: 'From which age on, in years; 0 = for everybody' }),
});

const RatingSystem = Type.Object({
  id: Type.String(),
  authority: Type.String({ description: 'Who rates' }),
  source: Type.String({ description: 'Where the steps are described' }),
  countries: List(Type.String(), { description: 'Codes and names; none = several countries' }),
  steps: List(Step, { description: 'The mildest first' }),
});

export const RatingSystemsReply = Type.Object({ ratingSystems: List(RatingSystem) });
