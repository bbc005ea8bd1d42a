import type { MethodRecords } from '../server/method-record.ts';

/**
 * `host.plugins`: methods that other plugins export. The manifest of the other plugin lists them under
 * `exports`, each with the schemas of its input and its answer; this one names them under
 * `permissions.calls`, and an admin allows each. The called plugin runs for the same viewer, and
 * touches only what both plugins may touch. Permission: `calls`.
 *
 * Errors: `permission_denied` (the method was not granted, or it concerns what the called plugin was
 * not granted), `not_found` (there is no such plugin, or it does not export the method),
 * `plugin_not_running`, `invalid_argument` (the input does not fit its schema), `too_large`,
 * `overloaded` (16 calls of this plugin or 32 calls into the other one are under way),
 * `quota_exceeded` (more than 100 calls a second), `conflict` (plugins call each other more than four
 * deep), `plugin_failed` (the other plugin threw, did not answer in time, or gave an answer that does
 * not fit its schema).
 *
 * @example
 * const { stars } = await host.plugins.call<{ stars: number }>({
 *   plugin: 'film-facts', method: 'rating', input: { imdb: 'tt0113277' },
 * });
 */
export interface PluginsService {
  /**
   * Calls a method of another plugin. The input is an object of at most 256 KiB as JSON, and so is the
   * answer at most. `timeoutMs` is 10 000 when absent, and at most 30 000. The server has checked the
   * answer against the schema of the method; `Output` is only a name for that in TypeScript.
   */
  readonly call: <Output = unknown>(input: {
    readonly plugin: string;
    readonly method: string;
    /** An empty object when absent. */
    readonly input?: Readonly<Record<string, unknown>>;
    readonly timeoutMs?: number;
  }) => Promise<Output>;
}

/** What the server knows of each method. @internal */
export const pluginsMethods = {
  // The called plugin touches only what both plugins and the viewer may touch.
  call: {
    permission: { name: 'calls' },
    scope: 'none',
    viewer: 'none',
    isElsewhere: true,
    needs: {
      plugin: { type: 'string', maxLength: 64 },
      method: { type: 'string', maxLength: 64 },
    },
    takes: {
      input: { type: 'object', description: 'an object as the other plugin declares it' },
      timeoutMs: {
        type: 'integer',
        minimum: 1,
        maximum: 30_000,
        description: 'milliseconds, from 1 to 30000',
      },
    },
    // The input, and the names and the time beside it.
    maxLength: 262_144 + 1024,
    done: { english: 'called another plugin', german: 'ein anderes Plugin aufgerufen' },
  },
} as const satisfies MethodRecords<PluginsService>;
