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
  type Shape,
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

/** Which jobs to list. */
export type JobsQuery = Wanted<typeof JobsQuery>;

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

/**
 * A page of jobs, newest first. The counts cover the requested library and all statuses, at the same
 * moment as the page.
 */
export type JobsPage = Shape<typeof JobsReply>;

export const RemoveJobsQuery = Type.Object({
  status: CommaList(JobStatus, 'Of `completed`, `failed`, `cancelled`'),
});
