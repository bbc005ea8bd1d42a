import type { EventBus } from '../../kernel/index.ts';
import type { Notice } from './notification.ts';

/** What events are looked at with. */
export interface FollowParts {
  readonly events: Pick<EventBus, 'listen'>;
  readonly tell: (notice: Notice) => void;
  readonly libraryName: (id: string) => string | undefined;
  readonly pluginName: (id: string) => string;
}

const textOf = (data: object, key: string): string | null => {
  const value: unknown = Object.entries(data).find(([name]) => name === key)?.[1];
  return typeof value === 'string' ? value : null;
};

/** Makes notifications of the events that an admin should not miss: failed jobs, failed plugins. */
export function followEvents({ events, tell, libraryName, pluginName }: FollowParts): void {
  events.listen('job.failed', ({ data }) => {
    const libraryId = textOf(data, 'libraryId');
    const of = libraryId === null ? '' : ` of ${libraryName(libraryId) ?? 'a library'}`;
    tell({
      level: 'error',
      title: `The job ${textOf(data, 'type') ?? ''}${of} failed.`,
      message: textOf(data, 'errorMessage') ?? 'No reason was given.',
      source: 'jobs',
    });
  });
  events.listen('plugin.error', ({ data }) => {
    const pluginId = textOf(data, 'pluginId');
    if (pluginId === null || textOf(data, 'state') !== 'failed') return;
    const reason = textOf(data, 'errorMessage') ?? 'No reason was given.';
    tell({
      level: 'error',
      title: `The plugin ${pluginName(pluginId)} failed and was stopped.`,
      message: `${reason} Its log says more; restart it when that is mended.`,
      source: 'plugins',
    });
  });
}
