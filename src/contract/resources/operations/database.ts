import { Type } from '@sinclair/typebox';
import { List, Named, Nullable, Timestamp, type Shape } from '../schema-parts.ts';

const Check = Named(
  'DatabaseCheck',
  Type.Object(
    {
      ok: Type.Boolean({ description: 'The database has no fault' }),
      checkedAt: Timestamp,
      duration: Type.Number({ description: 'Milliseconds' }),
      faults: List(
        Type.Object({
          check: Type.String({ description: 'What was checked' }),
          message: Type.String({ description: 'The fault, in a sentence' }),
        }),
      ),
    },
    { description: 'The result of a check of the whole database' },
  ),
);

export type CheckResult = Shape<typeof Check>;

export const CheckReply = Type.Object({ check: Check });

export const LastCheckReply = Type.Object({ check: Nullable(Check) });
