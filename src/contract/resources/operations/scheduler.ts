import { Type } from '@sinclair/typebox';
import { List, Named, Nullable, Timestamp, nextCursor, type Shape } from '../schema-parts.ts';

const milliseconds = { description: 'Milliseconds' };

const Task = Named(
  'Task',
  Type.Object(
    {
      name: Type.String(),
      purpose: Type.String(),
      interval: Type.Number({ description: 'Milliseconds; 0 = only on request' }),
      lastRun: Nullable(Timestamp),
      lastDuration: Nullable(Type.Number(milliseconds)),
      lastError: Nullable(Type.String({ description: 'Why the last run failed' })),
      lastSuccess: Nullable(Timestamp),
      isOverdue: Type.Boolean({ description: 'Two intervals have passed without a success' }),
      nextRun: Nullable(Timestamp),
      isRunning: Type.Boolean(),
    },
    { description: 'A task that the server runs at intervals' },
  ),
);

/** A task as admins see it. */
export type ScheduledTask = Shape<typeof Task>;

export const TaskReply = Type.Object({ task: Task });
export const TasksReply = Type.Object({ tasks: List(Task), nextCursor });
export const TaskParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) });
