import { Type } from '@sinclair/typebox';
import { List, Nullable, Timestamp } from '../schemas.ts';

const Check = Type.Object(
  {
    ok: Type.Boolean({ description: 'Nothing is wrong' }),
    checkedAt: Timestamp,
    duration: Type.Number({ description: 'Milliseconds' }),
    faults: List(
      Type.Object({
        check: Type.String({ description: 'What was looked at' }),
        message: Type.String({ description: 'What is wrong, in a sentence' }),
      }),
    ),
  },
  { description: 'How a look through the whole database ended' },
);

export const CheckReply = Type.Object({ check: Check });

export const LastCheckReply = Type.Object({ check: Nullable(Check) });
