/** `host.events`: emits events. Permission: `events: emit`. */
export interface EventsService {
  /**
   * Emits `plugin.<slug>.<name>`, where the slug is the plugin's id with everything but `a-z0-9`
   * left out. Any other name is refused with `invalid_argument`.
   */
  readonly emit: (input: {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  }) => Promise<null>;
}
