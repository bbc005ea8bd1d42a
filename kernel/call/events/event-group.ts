/** Which events an admin grants together, and which groups a subscription can reach. */
import type { EventGroup, EventName } from '../../../plugin-api/index.ts';
import { catalogueNames } from './event-name.ts';
import { parsePattern } from './pattern.ts';

/** `null` = needs no consent: it concerns neither a person nor stored data. */
const groups: Readonly<Record<EventName, EventGroup | null>> = {
  'library.scan.started': 'library',
  'library.scan.progress': 'library',
  'library.scan.completed': 'library',
  'library.item.added': 'library',
  'library.item.updated': 'library',
  'library.item.removed': 'library',
  'library.item.enriched': 'library',
  'library.created': 'library',
  'library.updated': 'library',
  'library.deleted': 'library',
  'job.started': 'jobs',
  'job.progress': 'jobs',
  'job.completed': 'jobs',
  'job.failed': 'jobs',
  'transcode.started': 'playback',
  'transcode.progress': 'playback',
  'transcode.stopped': 'playback',
  'plugin.discovered': 'plugins',
  'plugin.started': 'plugins',
  'plugin.stopped': 'plugins',
  'plugin.restarted': 'plugins',
  'plugin.error': 'plugins',
  'notification.created': 'server',
  'playback.progress': 'playback',
  'playback.completed': 'playback',
  'playback.removed': 'playback',
  'scheduler.started': 'server',
  'pipeline.item.discovered': 'pipeline',
  'pipeline.item.stateChanged': 'pipeline',
  'pipeline.item.completed': 'pipeline',
  'pipeline.step.started': 'pipeline',
  'pipeline.step.completed': 'pipeline',
  'admin.pipeline.jobCreated': 'pipeline',
  'admin.pipeline.jobUpdated': 'pipeline',
  'admin.pipeline.jobCompleted': 'pipeline',
  'admin.pipeline.jobFailed': 'pipeline',
  'admin.pipeline.taskUpdated': 'pipeline',
  'admin.pipeline.jobDetailUpdated': 'pipeline',
  'server.shutdown': null,
  'playback.marked': 'playback',
  'playback.entityMarked': 'playback',
  'collection.created': 'playback',
  'collection.updated': 'playback',
  'collection.deleted': 'playback',
  'user.changed': 'users',
  'backup.changed': 'server',
};

/** The order of groups in lists. */
const order: readonly EventGroup[] = [
  'library',
  'playback',
  'pipeline',
  'jobs',
  'users',
  'plugins',
  'server',
];

/**
 * The group that the plugin with this slug needs for the event; `null` = none. An event outside the
 * catalogue belongs to a plugin: its own needs no group, that of another plugin needs `plugins`.
 */
export function groupOfEvent(name: string, slug: string): EventGroup | null {
  if (catalogueNames.has(name)) return groups[name as EventName];
  return name.startsWith(`plugin.${slug}.`) ? null : 'plugins';
}

/** Every group that one of these subscriptions of the plugin with this slug can reach. */
export function groupsOfPatterns(patterns: readonly string[], slug: string): readonly EventGroup[] {
  const reached = new Set(patterns.flatMap((pattern) => groupsOfPattern(pattern, slug)));
  return order.filter((group) => reached.has(group));
}

function groupsOfPattern(text: string, slug: string): readonly (EventGroup | null)[] {
  const parsed = parsePattern(text);
  if (!parsed.ok) return [];
  const named = [...catalogueNames].filter(parsed.pattern.matches);
  const ofCatalogue = named.map((name) => groupOfEvent(name, slug));
  return reachesOtherPlugins(text, slug) ? [...ofCatalogue, 'plugins'] : ofCatalogue;
}

/** Whether the pattern fits an event that another plugin could emit. */
function reachesOtherPlugins(text: string, slug: string): boolean {
  const [first = '', second = '', third] = text.split('.');
  if (third === undefined || text.split('.').length !== 3) return false;
  return (first === 'plugin' || first === '*') && second !== slug;
}
