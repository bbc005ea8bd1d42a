import {
  viewContextKeys,
  viewNames,
  type UISchema,
  type ViewName,
} from '../../plugin-api/index.ts';
import type { DispatchViewer, ViewAggregator } from '../../kernel/index.ts';
import type { Viewer } from '../accounts/index.ts';
import { AppError } from '../errors.ts';

/** What a view is asked with: the keys of its slot, all of them texts. */
export type ViewContext = Readonly<Record<string, string>>;

/** Pieces of user interface that plugins add. */
export interface PluginViews {
  /** `context` is one JSON object as text; it may be left out where the slot needs no keys. */
  readonly collect: (
    viewer: Viewer,
    slot: string,
    context: string | undefined,
  ) => Promise<readonly UISchema[]>;
}

/** What views are made of. */
export interface PluginViewsParts {
  readonly views: Pick<ViewAggregator, 'collect'>;
  /** Whether the viewer may see the item and the library that the context names. */
  readonly mayView: (viewer: Viewer, context: ViewContext) => Promise<boolean>;
  /** Whether nothing that these texts name is kept from the viewer. */
  readonly maySend: (viewer: Viewer, texts: ViewContext) => Promise<boolean>;
  readonly toPlugins: (viewer: Viewer) => DispatchViewer;
}

const longestValue = 200;
/** What `mayView` looks at. */
const viewedKeys: readonly string[] = ['itemId', 'libraryId'];

/** Creates the views; plugins get the keys of the slot and nothing else that a client sends. */
export function createPluginViews(parts: PluginViewsParts): PluginViews {
  const { views, mayView, maySend, toPlugins } = parts;

  async function sees(viewer: Viewer, context: ViewContext): Promise<boolean> {
    const others = Object.entries(context).filter(([key]) => !viewedKeys.includes(key));
    return (await mayView(viewer, context)) && maySend(viewer, Object.fromEntries(others));
  }

  return {
    collect: async (viewer, slot, text) => {
      const name = viewNames.find((one) => one === slot);
      if (!name) throw new AppError('not_found', { what: `View ${slot}` });
      const context = parseContext(name, text ?? '{}');
      if (!(await sees(viewer, context))) {
        throw new AppError('not_found', { what: 'What the context names' });
      }
      return views.collect(name, context, toPlugins(viewer));
    },
  };
}

function parseContext(name: ViewName, text: string): ViewContext {
  const given = parsedObject(text);
  const keys: readonly string[] = viewContextKeys[name];
  return Object.fromEntries(keys.map((key) => [key, contextValue(given[key], key, name)]));
}

function contextValue(value: unknown, key: string, name: ViewName): string {
  if (value === undefined) throw refusal(`lacks the key ${key}, which ${name} needs`);
  if (typeof value === 'string' && value !== '' && value.length <= longestValue) return value;
  throw refusal(`must have a text of 1 to ${longestValue} characters as ${key}`);
}

function parsedObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // No JSON is refused below, as JSON that is no object is.
  }
  throw refusal('must be one JSON object, URL-encoded');
}

const refusal = (fault: string): AppError =>
  new AppError('invalid_request', { what: `query.context ${fault}.` });
