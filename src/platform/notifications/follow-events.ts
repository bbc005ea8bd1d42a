import type { EventBus } from '../../../kernel/events/index.ts';
import type { Notice } from './notification.ts';

/** The dependencies. */
export interface FollowParts {
  readonly events: Pick<EventBus, 'listen'>;
  readonly notify: (notice: Notice) => void;
  readonly libraryName: (id: string) => string | undefined;
  /** The plugin that runs jobs of a type. */
  readonly runnerOf: (jobType: string) => string | undefined;
}

const textOf = (data: object, key: string): string | null => {
  const value: unknown = Object.entries(data).find(([name]) => name === key)?.[1];
  return typeof value === 'string' ? value : null;
};

/** Creates notifications from events that admins should know of. */
export function followEvents(parts: FollowParts): void {
  const { events, notify, libraryName, runnerOf } = parts;
  events.listen('job.failed', ({ data }) => {
    const libraryId = textOf(data, 'libraryId');
    // A scan that failed is a problem of its library.
    if (textOf(data, 'type') === 'scan' && libraryId !== null) return;
    const of = libraryId === null ? '' : ` of ${libraryName(libraryId) ?? 'a library'}`;
    notify({
      level: 'error',
      title: `The job ${textOf(data, 'type') ?? ''}${of} failed.`,
      message: textOf(data, 'errorMessage') ?? 'No reason was given.',
      source: 'jobs',
      quotes: runnerOf(textOf(data, 'type') ?? ''),
    });
  });
}
