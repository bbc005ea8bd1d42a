/** `host.config`: the plugin's own configuration. No permission needed. */
export interface ConfigService {
  /** The values that the admin set, with defaults for the rest. */
  readonly get: (
    input: Readonly<Record<string, never>>,
  ) => Promise<Readonly<Record<string, unknown>>>;
}
