import { Type } from '@sinclair/typebox';
import { List, Nullable, Timestamp } from '../../schemas.ts';

const milliseconds = { description: 'Milliseconds' };

const Task = Type.Object(
  {
    name: Type.String(),
    purpose: Type.String(),
    interval: Type.Number({ description: 'Milliseconds; 0 = only on request' }),
    lastRun: Nullable(Timestamp),
    lastDuration: Nullable(Type.Number(milliseconds)),
    lastError: Nullable(Type.String()),
    nextRun: Nullable(Timestamp),
    isRunning: Type.Boolean(),
  },
  { description: 'A task that the server runs at intervals' },
);

export const TaskReply = Type.Object({ task: Task });
export const TasksReply = Type.Object({ tasks: List(Task) });
export const TaskParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) });
