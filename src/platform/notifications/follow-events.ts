import type { EventBus } from '../../../kernel/events/index.ts';
import type { Notice } from './notification.ts';

/** The dependencies. */
export interface FollowParts {
  readonly events: Pick<EventBus, 'listen'>;
  readonly notify: (notice: Notice) => void;
  readonly libraryName: (id: string) => string | undefined;
  /** The plugin that runs jobs of a type. */
  readonly runnerOf: (jobType: string) => string | undefined;
  readonly pluginName: (id: string) => string;
  /** Whether the plugin does not run because its permissions were not granted. */
  readonly awaitsGrant: (pluginId: string) => boolean;
  /**
   * Whether the server rolls that version back by itself when it fails, with its own notification.
   */
  readonly isTakenBack: (pluginId: string, version: string | null) => boolean;
}

const textOf = (data: object, key: string): string | null => {
  const value: unknown = Object.entries(data).find(([name]) => name === key)?.[1];
  return typeof value === 'string' ? value : null;
};

/** Creates notifications from events that admins should know of. */
export function followEvents(parts: FollowParts): void {
  const { events, notify, libraryName, runnerOf, pluginName, awaitsGrant, isTakenBack } = parts;
  events.listen('job.failed', ({ data }) => {
    const libraryId = textOf(data, 'libraryId');
    const of = libraryId === null ? '' : ` of ${libraryName(libraryId) ?? 'a library'}`;
    notify({
      level: 'error',
      title: `The job ${textOf(data, 'type') ?? ''}${of} failed.`,
      message: textOf(data, 'errorMessage') ?? 'No reason was given.',
      source: 'jobs',
      quotes: runnerOf(textOf(data, 'type') ?? ''),
    });
  });
  events.listen('plugin.error', ({ data }) => {
    const pluginId = textOf(data, 'pluginId');
    if (pluginId === null || textOf(data, 'state') !== 'failed') return;
    if (isTakenBack(pluginId, textOf(data, 'version'))) return;
    const reason = textOf(data, 'errorMessage') ?? 'No reason was given.';
    notify({
      level: 'error',
      title: `The plugin ${pluginName(pluginId)} failed and was stopped.`,
      message: `${reason} Its log says more; restart it when the cause is fixed.`,
      source: 'plugins',
      quotes: pluginId,
    });
  });
  events.listen('plugin.discovered', ({ data }) => {
    const pluginId = textOf(data, 'pluginId');
    if (pluginId === null || !awaitsGrant(pluginId)) return;
    notify({
      level: 'warning',
      title: `The plugin ${pluginName(pluginId)} waits for permissions.`,
      message: `GET /api/plugins/${encodeURIComponent(pluginId)}/permissions lists the permissions that it asks for, with reasons; it runs as soon as they are granted.`,
      source: 'plugins',
    });
  });
}
