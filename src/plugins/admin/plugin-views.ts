import { viewContextKeys, viewNames, type ViewName } from '../../../plugin-api/index.ts';
import type { DispatchViewer } from '../../../kernel/index.ts';
import type { ShownPiece, ViewAggregator } from '../../../kernel/call/views/index.ts';
import { isFullAdmin, type Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { PluginAdmin } from './plugin-admin.ts';
import type { ViewerRateLimit } from './viewer-rate-limit.ts';
import type { PressedAction } from '../../contract/resources/viewing/views.ts';

/** The context of a view: the keys of its slot, all texts. */
export type ViewContext = Readonly<Record<string, string>>;

/** Views of plugins, and their actions. */
export type PluginViews = ReturnType<typeof createPluginViews>;

export interface PluginViewsParts {
  readonly views: Pick<ViewAggregator, 'collect' | 'askedFor'>;
  readonly callAction: PluginAdmin['callAction'];
  readonly pace: Pick<ViewerRateLimit, 'take'>;
  /** Whether the viewer may see the item and the library of the context. */
  readonly mayView: (viewer: Viewer, context: ViewContext) => Promise<boolean>;
  /** Whether the viewer may see everything that these texts name. */
  readonly maySend: (viewer: Viewer, texts: ViewContext) => Promise<boolean>;
  readonly toPlugins: (viewer: Viewer) => DispatchViewer;
}

const longestValue = 200;
/** Views for admins only, because they show the configuration of plugins. */
const adminViews: readonly ViewName[] = ['ui.settings.sections'];
/** The keys that `mayView` checks. */
const viewedKeys: readonly string[] = ['itemId', 'libraryId'];

/** Creates the views; plugins get only the keys of the slot, and nothing else from a client. */
export function createPluginViews(parts: PluginViewsParts) {
  const { views, callAction, pace, mayView, maySend, toPlugins } = parts;

  async function sees(viewer: Viewer, context: ViewContext): Promise<boolean> {
    const others = Object.entries(context).filter(([key]) => !viewedKeys.includes(key));
    return (await mayView(viewer, context)) && maySend(viewer, Object.fromEntries(others));
  }

  async function opened(
    viewer: Viewer,
    slot: string,
    given: Readonly<Record<string, unknown>>,
    where: string,
  ): Promise<{ readonly name: ViewName; readonly context: ViewContext }> {
    const name = viewNames.find((one) => one === slot);
    if (!name) throw new AppError('not_found', { what: `View ${slot}` });
    if (adminViews.includes(name) && !isFullAdmin(viewer)) {
      const what = `The view ${name} is for admins of the whole server.`;
      throw new AppError('forbidden', { what });
    }
    const context = parseContext(name, given, where);
    if (await sees(viewer, context)) return { name, context };
    throw new AppError('not_found', { what: 'A resource in query.context' });
  }

  return {
    /** `context` is a JSON object as text; optional where the slot needs no keys. */
    collect: async (
      viewer: Viewer,
      slot: string,
      text: string | undefined,
    ): Promise<readonly ShownPiece[]> => {
      const given = parsedObject(text ?? '{}');
      const { name, context } = await opened(viewer, slot, given, 'query.context');
      for (const pluginId of views.askedFor(name)) pace.take(viewer, pluginId);
      return views.collect(name, context, toPlugins(viewer));
    },
    /** Whether any plugin is asked for the view. */
    isAsked: (name: ViewName): boolean => views.askedFor(name).length > 0,
    /**
     * Calls the action with the context of its view and the `values` of a form; returns the reply as
     * JSON text. Throws like `callAction`, and `not_found` for a plugin without a part in the view.
     */
    press: async (
      viewer: Viewer,
      { pluginId, rpcMethod, view, context: given = {}, values }: PressedAction,
    ): Promise<string> => {
      const { name, context } = await opened(viewer, view, given, 'body.context');
      if (!views.askedFor(name).includes(pluginId))
        throw new AppError('not_found', { what: `The plugin ${pluginId} in ${name}` });
      const params = { ...context, ...(values !== undefined && { values }) };
      return callAction(pluginId, rpcMethod, params, viewer);
    },
  };
}

function parseContext(
  name: ViewName,
  given: Readonly<Record<string, unknown>>,
  where: string,
): ViewContext {
  const keys: readonly string[] = viewContextKeys[name];
  return Object.fromEntries(
    keys.map((key) => {
      const value = Object.hasOwn(given, key) ? given[key] : undefined;
      const fault = faultOf(value, key, name);
      if (fault === null) return [key, String(value)];
      throw new AppError('invalid_request', { what: `${where} ${fault}.` });
    }),
  );
}

function faultOf(value: unknown, key: string, name: ViewName): string | null {
  if (value === undefined) return `lacks the key ${key}, which ${name} needs`;
  if (typeof value === 'string' && value !== '' && value.length <= longestValue) return null;
  return `must have a text of 1 to ${longestValue} characters as ${key}`;
}

function parsedObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Refused below, like any value that is not an object.
  }
  throw new AppError('invalid_request', {
    what: 'query.context must be one JSON object, URL-encoded.',
  });
}
