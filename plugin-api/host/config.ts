/** `host.config`: the plugin's own configuration. No permission needed. */
export interface ConfigService {
  /** The values as the admin set them, defaults filled in. */
  readonly get: (
    input: Readonly<Record<string, never>>,
  ) => Promise<Readonly<Record<string, unknown>>>;
}
