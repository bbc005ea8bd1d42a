import type { Log } from '../../../kernel/log.ts';
import type {
  PluginReply,
  PluginRequest,
  RunningPlugin,
} from '../../../kernel/call/running-plugin.ts';

/** A running plugin that answers as the test says, and remembers what it was asked. */
export interface FakePlugin extends RunningPlugin {
  readonly requests: readonly PluginRequest[];
}

type Answer = (request: PluginRequest) => PluginReply | Promise<PluginReply>;

/** Creates a plugin with one answer to everything. */
export function fakePlugin(pluginId: string, answer: Answer = () => returned(null)): FakePlugin {
  const requests: PluginRequest[] = [];
  return {
    pluginId,
    requests,
    call: async (request) => {
      requests.push(request);
      return answer(request);
    },
  };
}

/** The reply of a handler that gave this value. */
export function returned(value: unknown): PluginReply {
  return { kind: 'returned', body: JSON.stringify(value) };
}

/** The reply of a handler that threw. */
export const threw: PluginReply = { kind: 'threw', code: 'boom', message: 'It broke.' };

/** What a plugin that hangs gives. */
export const never = new Promise<never>(() => undefined);

/** The plugins that run, as the dispatcher looks for them. */
export function finder(...plugins: readonly RunningPlugin[]) {
  return (pluginId: string) => plugins.find((plugin) => plugin.pluginId === pluginId);
}

/** A log that keeps its lines as `level message`. */
export function recordingLog(): Log & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  const keep = (level: string) => (_fields: object, message: string) => {
    lines.push(`${level} ${message}`);
  };
  return {
    lines,
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  };
}
