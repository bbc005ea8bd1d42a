import type { EventEnvelope, EventName, EventPattern, EventsOf } from './events.ts';
import type { HookCatalogue, HookName } from './hooks.ts';
import type { ConfigurationValues } from './host/config.ts';
import type { Host } from './host/host.ts';
import type { MethodCatalogue, MethodName } from './methods.ts';
import type { UISchema, ViewCatalogue, ViewName } from './views.ts';

/** A handler: takes the input and the host, returns the answer. */
export type Handler<Input, Output, Given = Host> = (
  input: Input,
  host: Given,
) => Output | Promise<Output>;

/** One call of a method that the plugin exports. */
export interface ExportCall {
  /** The id of the plugin that calls. The server sets it. */
  readonly caller: string;
  /** It fits the input schema of the method. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** All handlers of a plugin, by name. `Given` is the host that they get. */
export interface PluginDefinition<Given = Host> {
  /**
   * Called once for each event whose name matches: the exact name first, else the pattern as the
   * manifest spells it (`library.item.*`). 5 s, no retry; the result is ignored.
   */
  readonly events?: {
    readonly [Name in EventName | EventPattern]?: Handler<EventsOf<Name>, unknown, Given>;
  } & {
    readonly [ofPlugin: `plugin.${string}.${string}`]:
      | Handler<EventEnvelope, unknown, Given>
      | undefined;
  };
  /**
   * Called one subscriber after the other, by order. 30 s, one retry. Returns a delta, or `null` for
   * no change.
   */
  readonly hooks?: {
    readonly [Name in HookName]?: Handler<
      HookCatalogue[Name]['input'],
      HookCatalogue[Name]['delta'] | null,
      Given
    >;
  };
  /** Called all at once. 6 s, no retry. Returns UI pieces. */
  readonly views?: {
    readonly [Name in ViewName]?: Handler<ViewCatalogue[Name], readonly UISchema[], Given>;
  };
  /** Called by `POST /api/plugins/:id/actions/:rpcMethod` with its JSON object. 30 s. */
  readonly actions?: Readonly<
    Record<string, Handler<Readonly<Record<string, unknown>>, unknown, Given>>
  >;
  /**
   * Called by other plugins with `host.plugins.call`, if an admin allows it. 10 s, or as the caller
   * says, at most 30 s. The input and the answer fit the schemas in the manifest.
   */
  readonly exports?: Readonly<Record<string, Handler<ExportCall, unknown, Given>>>;
  /** The methods of the capabilities that the manifest names. */
  readonly methods?: {
    readonly [Name in MethodName]?: Handler<
      MethodCatalogue[Name]['input'],
      MethodCatalogue[Name]['output'],
      Given
    >;
  };
}

/**
 * The default export of every plugin.
 *
 * ```ts
 * export default definePlugin({
 *   events: { 'library.item.added': ({ data }) => console.log('new:', data.title) },
 * });
 * ```
 *
 * It returns its argument: its use is the types. `definePlugin<Configuration, ProfileConfiguration>`
 * gives `host.config` the types that `vitrine plugin types` makes from `manifest.json`.
 */
export const definePlugin = <
  Configuration extends ConfigurationValues = ConfigurationValues,
  ProfileConfiguration extends ConfigurationValues = ConfigurationValues,
>(
  definition: PluginDefinition<Host<Configuration, ProfileConfiguration>>,
): PluginDefinition<Host<Configuration, ProfileConfiguration>> => definition;
