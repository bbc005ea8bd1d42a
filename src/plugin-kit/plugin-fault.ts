/**
 * What a call of a plugin under test rejects with when the plugin did not do what it was asked.
 *
 * `code` is what the plugin threw with (`plugin_error` for any error of its own, the code of a host
 * call that it let through), or `timed_out`, `unknown_handler`, `invalid_delta`, `not_subscribed`,
 * `out_of_reach`, `plugin_not_running`, `plugin_crashed`, `handler_suspended` (three time-outs in a row). `stack` leads to the line of the author's file where that is known.
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
