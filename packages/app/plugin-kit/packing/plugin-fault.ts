/**
 * The error of a failed call into a plugin under test.
 *
 * `code` is what the plugin threw with (`plugin_error` for any error of its own, the code of a host
 * call that it let through), or `timed_out`, `unknown_handler`, `invalid_delta`, `not_subscribed`,
 * `out_of_reach`, `plugin_not_running`, `plugin_crashed`, `handler_suspended` (three timeouts in a row).
 * `stack` leads to the line in the author's file where it is known.
 */
export class PluginFault extends Error {
  readonly code: string;

  constructor(code: string, message: string, frames: readonly string[] = []) {
    super(message);
    this.name = 'PluginFault';
    this.code = code;
    if (frames.length > 0) {
      this.stack = [`${this.name}: ${message}`, ...frames.map((frame) => `    at ${frame}`)].join(
        '\n',
      );
    }
  }
}
