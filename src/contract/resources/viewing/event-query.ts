/** The query of both ways to follow the events. */
import { Type } from '@sinclair/typebox';
import { CommaList, hiddenQuery } from '../schema-parts.ts';

/** Which events a client wants. */
export const EventsQuery = Type.Object({
  ...hiddenQuery,
  types: Type.Optional(
    CommaList(
      Type.String({ minLength: 1, maxLength: 200 }),
      'Names of events; `*` stands for one segment, as in `library.item.*`. Absent = all.',
    ),
  ),
});
