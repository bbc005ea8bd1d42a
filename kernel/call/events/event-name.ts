import type { EventName } from '../../../plugin-api/index.ts';

/** A name that may be emitted: an event of the catalogue, or one that a plugin defines. */
export type EmittedName = EventName | `plugin.${string}`;

/**
 * The catalogue of plugin-api, which the kernel imports as types only. The compiler refuses this
 * table when a name is missing or unknown.
 */
const catalogue: Readonly<Record<EventName, true>> = {
  'library.scan.started': true,
  'library.scan.progress': true,
  'library.scan.completed': true,
  'library.item.added': true,
  'library.item.updated': true,
  'library.item.removed': true,
  'library.item.enriched': true,
  'library.created': true,
  'library.updated': true,
  'library.deleted': true,
  'job.started': true,
  'job.progress': true,
  'job.completed': true,
  'job.failed': true,
  'transcode.started': true,
  'transcode.progress': true,
  'transcode.stopped': true,
  'plugin.discovered': true,
  'plugin.started': true,
  'plugin.stopped': true,
  'plugin.restarted': true,
  'plugin.error': true,
  'notification.created': true,
  'playback.progress': true,
  'playback.completed': true,
  'playback.removed': true,
  'scheduler.started': true,
  'pipeline.item.discovered': true,
  'pipeline.item.stateChanged': true,
  'pipeline.item.completed': true,
  'pipeline.step.started': true,
  'pipeline.step.completed': true,
  'admin.pipeline.jobCreated': true,
  'admin.pipeline.jobUpdated': true,
  'admin.pipeline.jobCompleted': true,
  'admin.pipeline.jobFailed': true,
  'admin.pipeline.taskUpdated': true,
  'admin.pipeline.jobDetailUpdated': true,
  'server.shutdown': true,
  'playback.marked': true,
  'playback.entityMarked': true,
  'collection.created': true,
  'collection.updated': true,
  'collection.deleted': true,
  'user.changed': true,
  'backup.changed': true,
};

/** Every event of the catalogue. */
export const catalogueNames: ReadonlySet<string> = new Set(Object.keys(catalogue));

const customName = /^plugin\.[a-z0-9]{1,64}\.[A-Za-z0-9]{1,64}$/;

/** Whether an event of that name can occur: in the catalogue, or `plugin.<slug>.<name>`. */
export function isEventName(name: string): name is EmittedName {
  return catalogueNames.has(name) || customName.test(name);
}
