/**
 * The rule for each call into a plugin: what must be within its scope so that it receives the call. The
 * compiler checks that no method, event, hook or view is missing.
 */
import type { EventName, HookName, MethodName, ViewName } from '../../../plugin-api/index.ts';
import { isMap, listOf, type Fields } from './outgoing-rules.ts';
import type { ScopeCheck } from './scope-check.ts';

/** Whether all that the plugin would learn is within its scope. */
export type IncomingRule = (
  within: ScopeCheck,
  input: Fields,
  subject: Fields,
) => boolean | Promise<boolean>;

/** The call reveals nothing of a library. */
const noLibrary: IncomingRule = () => true;
/** The content of the call cannot be traced to a library. */
const never: IncomingRule = () => false;

const atUri: IncomingRule = ({ uri }, input) => uri(input['uri']);
const partOfLibrary: IncomingRule = ({ part }, { libraryId }) => part(libraryId);
const wholeLibrary: IncomingRule = ({ whole }, { libraryId }) => whole(libraryId);
const oneItem: IncomingRule = ({ item }, { itemId }) => item(itemId);

/** An item with its library: when the whole library is granted, no database query is needed. */
const itemOfLibrary: IncomingRule = ({ whole, part, item }, { libraryId, itemId }) =>
  whole(libraryId) || (part(libraryId) && item(itemId));

const oneEntity: IncomingRule = ({ entity }, { entityId }) => entity(entityId);

const jobOfLibrary: IncomingRule = ({ whole }, { libraryId }) => whole(libraryId);

const filesByPath: IncomingRule = ({ paths }, { libraryId, files }) =>
  paths(
    libraryId,
    listOf(files).map((file) => (isMap(file) ? file['path'] : undefined)),
  );

const uriOf = (file: unknown): unknown => (isMap(file) ? file['uri'] : undefined);

/** An item in the pipeline, with every file in its bundle. */
const bundledItem: IncomingRule = async ({ item, uri }, { itemId, bundle }) => {
  const files = isMap(bundle) && isMap(bundle['files']) ? bundle['files'] : {};
  const shown = [...listOf(files['media']), ...listOf(files['auxiliary'])];
  return shown.every((file) => uri(uriOf(file))) && (await item(itemId));
};

/** By method. Events, hooks, views and actions have their own tables. */
export const methodRules: Readonly<Record<MethodName, IncomingRule>> = {
  'eventLog.waiting': noLibrary,
  'filesystem.getLocalPath': atUri,
  'filesystem.getLocalPaths': ({ uri }, { uris }) => listOf(uris).every(uri),
  'filesystem.list': atUri,
  'filesystem.read': atUri,
  'filesystem.stat': atUri,
  'filesystem.unwatch': atUri,
  'filesystem.validate': atUri,
  'filesystem.watch': atUri,
  'indexer.index': filesByPath,
  'indexer.search': (within, _, subject) => oneItem(within, subject, subject),
  'indexer.supports': noLibrary,
  'job.run': (within, input, subject) =>
    input['libraryId'] === null || wholeLibrary(within, input, subject),
  'library.describe': (within, _, subject) => wholeLibrary(within, subject, subject),
  'library.group': filesByPath,
  'license.activate': noLibrary,
  'license.deactivate': noLibrary,
  'license.status': noLibrary,
  // Titles and messages name files and libraries.
  'notifier.deliver': never,
  'pictures.make': ({ uri }, { source }) => uri(uriOf(source)),
  'probe.artwork': ({ uri }, { file }) => uri(uriOf(file)),
  'probe.fonts': ({ uri }, { file }) => uri(uriOf(file)),
  'probe.subtitle': ({ uri }, { file }) => uri(uriOf(file)),
  'probe.text': ({ uri }, { file }) => uri(uriOf(file)),
  'probe.probe': ({ uri }, { files }) => listOf(files).every((file) => uri(uriOf(file))),
  'schedule.wake': noLibrary,
  'search.index': noLibrary,
  // Partitions are named by ids that mean nothing elsewhere, and what is in them came by the feed.
  'search.query': noLibrary,
  shutdown: noLibrary,
  'texts.convert': ({ uri }, { source }) => uri(uriOf(source)),
  'texts.lyrics': ({ uri }, { source }) => uri(uriOf(source)),
  // It names no file: only codecs and what the client can play.
  'transcode.decide': noLibrary,
  'transcode.index': ({ uri }, { file }) => uri(uriOf(file)),
  'transcode.init': ({ uri }, { file }) => uri(uriOf(file)),
  'transcode.segment': ({ uri }, { file }) => uri(uriOf(file)),
  'webhooks.create': noLibrary,
  'webhooks.deliveries': noLibrary,
  'webhooks.list': noLibrary,
  'webhooks.redeliver': noLibrary,
  'webhooks.remove': noLibrary,
  'webhooks.test': noLibrary,
  'webhooks.update': noLibrary,
};

/** The lifecycle of plugins. An error message may name files. */
const pluginLife: IncomingRule = (_, { errorMessage }) => errorMessage === null;

const taskOfLibrary: IncomingRule = ({ whole }, { detail }) =>
  isMap(detail) && whole(detail['libraryId']);

/** By event, applied to its data. Events of plugins cannot be traced. */
export const eventRules: Readonly<Record<EventName, IncomingRule>> = {
  'admin.pipeline.jobCompleted': jobOfLibrary,
  'admin.pipeline.jobCreated': jobOfLibrary,
  'admin.pipeline.jobDetailUpdated': taskOfLibrary,
  'admin.pipeline.jobFailed': jobOfLibrary,
  'admin.pipeline.jobUpdated': jobOfLibrary,
  'admin.pipeline.taskUpdated': taskOfLibrary,
  'backup.changed': noLibrary,
  // They name no item.
  'collection.created': noLibrary,
  'collection.deleted': noLibrary,
  'collection.updated': noLibrary,
  'job.completed': jobOfLibrary,
  'job.failed': jobOfLibrary,
  'job.progress': jobOfLibrary,
  'job.started': jobOfLibrary,
  'library.created': partOfLibrary,
  'library.deleted': partOfLibrary,
  'library.item.added': itemOfLibrary,
  'library.item.enriched': itemOfLibrary,
  'library.item.removed': itemOfLibrary,
  'library.item.updated': itemOfLibrary,
  // They count the items of the whole library.
  'library.scan.completed': wholeLibrary,
  'library.scan.progress': wholeLibrary,
  'library.scan.started': wholeLibrary,
  'library.updated': partOfLibrary,
  // Their titles name files and libraries.
  'notification.created': never,
  'pipeline.item.completed': itemOfLibrary,
  'pipeline.item.discovered': itemOfLibrary,
  'pipeline.item.stateChanged': itemOfLibrary,
  'pipeline.step.completed': itemOfLibrary,
  'pipeline.step.started': itemOfLibrary,
  'playback.completed': oneItem,
  'playback.entityMarked': oneEntity,
  'playback.marked': oneItem,
  'playback.progress': oneItem,
  'playback.removed': oneItem,
  'plugin.discovered': pluginLife,
  'plugin.error': pluginLife,
  'plugin.restarted': pluginLife,
  'plugin.started': pluginLife,
  'plugin.stopped': pluginLife,
  'scheduler.started': noLibrary,
  'server.shutdown': noLibrary,
  'user.changed': noLibrary,
  'transcode.progress': oneItem,
  'transcode.started': oneItem,
  'transcode.stopped': oneItem,
};

/** By hook, applied to its input. */
export const hookRules: Readonly<Record<HookName, IncomingRule>> = {
  'pipeline.index.afterProcess': bundledItem,
  'pipeline.item.beforeActivate': bundledItem,
  'pipeline.probe.afterProcess': bundledItem,
  'pipeline.scan.prepare': (within, _, subject) => wholeLibrary(within, subject, subject),
};

/** By view, applied to its context. */
export const viewRules: Readonly<Record<ViewName, IncomingRule>> = {
  'ui.item.detail.actions': oneItem,
  'ui.item.detail.panels': oneItem,
  'ui.library.header.actions': partOfLibrary,
  'ui.player.overlays': oneItem,
  'ui.home.sections': noLibrary,
  'ui.shell': noLibrary,
  'ui.settings.sections': noLibrary,
};

/**
 * Actions take any parameters from the client. All that they name, at any depth, must be within the scope.
 * A client can disguise a name, but the plugin cannot use it: its own calls of the host must be within the
 * scope as well.
 */
export const actionRule: IncomingRule = async ({ item, part, texts }, params) => {
  const { itemId, libraryId } = params;
  if (libraryId !== undefined && !part(libraryId)) return false;
  const named = textsIn(params);
  if (named.length > mostTexts) return false;
  return (itemId === undefined || (await item(itemId))) && texts(named);
};

/**
 * What another plugin sends: all that it names, at any depth, must be within the scope, as for actions.
 */
export const exportRule: IncomingRule = ({ texts }, call) => {
  const named = textsIn(call['input']);
  return named.length <= mostTexts && texts(named);
};

/** The limit, since each text is looked up: a body of 1 MiB can hold 200,000 texts. */
export const mostTexts = 2000;

/** Every text in a value, including keys. Stops shortly after `mostTexts` texts. */
export function textsIn(value: unknown): readonly string[] {
  const texts = new Set<string>();
  const left: unknown[] = [value];
  while (left.length > 0 && texts.size <= mostTexts) {
    const one = left.pop();
    if (typeof one === 'string') texts.add(one);
    else if (Array.isArray(one)) for (const inner of one) left.push(inner);
    else if (isMap(one)) for (const [key, inner] of Object.entries(one)) left.push(key, inner);
  }
  return [...texts];
}
