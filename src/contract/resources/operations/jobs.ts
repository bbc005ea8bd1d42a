import { Type } from '@sinclair/typebox';
import { Job, JobStatus } from '../library/catalogue.ts';
import {
  Body,
  CommaList,
  JsonMap,
  List,
  Named,
  nextCursor,
  pageQuery,
  type Wanted,
} from '../schema-parts.ts';

const Count = Type.Integer({ minimum: 0 });

export const NewJob = Named(
  'NewJob',
  Body({
    type: Type.String({
      minLength: 1,
      maxLength: 129,
      description:
        '`scan`, `probe`, `refresh`, `identify`, `reindex`, `backup`, or a type that a plugin serves',
    }),
    libraryId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    payload: Type.Optional(JsonMap),
    priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: 50 })),
  }),
);

/** The fields of a new job. */
export type NewJob = Wanted<typeof NewJob>;

export const JobReply = Type.Object({ job: Job });

export const JobsQuery = Type.Object({
  libraryId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  status: Type.Optional(CommaList(JobStatus, 'Only jobs with one of these statuses')),
  ...pageQuery,
});

export const JobsReply = Type.Object({
  jobs: List(Job),
  counts: Type.Object({
    pending: Count,
    running: Count,
    completed: Count,
    failed: Count,
    cancelled: Count,
  }),
  completedLastMinute: Count,
  nextCursor,
});

export const RemoveJobsQuery = Type.Object({
  status: CommaList(JobStatus, 'Of `completed`, `failed`, `cancelled`'),
});
