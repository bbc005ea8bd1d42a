import type { EventBus } from '../../../kernel/call/events/index.ts';
import { causeText } from '../cause-text.ts';
import { say, type Text } from '../text.ts';
import type { Notice } from './notification.ts';

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

const noReason: Text = say('notifications.noReasonGiven');

/** `library` = null for a job of no library, empty for one without a known name. */
function titleOf(type: string, library: string | null): Text {
  if (library === null) return say('notifications.jobFailed', { type });
  return library === ''
    ? say('notifications.jobOfSomeLibraryFailed', { type })
    : say('notifications.jobOfLibraryFailed', { type, library });
}

/** Creates notifications from events that admins should know of. */
export function followEvents(parts: FollowParts): void {
  const { events, notify, libraryName, runnerOf } = parts;
  events.listen('job.failed', ({ data }) => {
    const libraryId = textOf(data, 'libraryId');
    // A scan that failed is a problem of its library.
    if (textOf(data, 'type') === 'scan' && libraryId !== null) return;
    const message = textOf(data, 'errorMessage');
    notify({
      level: 'error',
      title: titleOf(
        textOf(data, 'type') ?? '',
        libraryId === null ? null : (libraryName(libraryId) ?? ''),
      ),
      message: message === null ? noReason : causeText(message),
      source: 'jobs',
      quotes: runnerOf(textOf(data, 'type') ?? ''),
    });
  });
}
