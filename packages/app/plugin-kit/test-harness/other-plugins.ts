import { KernelError, type HostCaller, type HostService } from '../../../../kernel/index.ts';
import type { OtherPlugins } from './plugin-under-test.ts';

interface Asked {
  readonly plugin: string;
  readonly method: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/**
 * `host.plugins` over stand-ins for other plugins. The grant and the shape of the call are checked as
 * on a server; the schemas of the other plugin are its author's, so they are not checked here.
 */
export const withOtherPlugins =
  (others: OtherPlugins) =>
  (service: HostService): HostService => {
    const { call } = service.methods;
    if (service.name !== 'plugins' || !call) return service;
    const run = async (asked: Asked, { granted }: HostCaller): Promise<unknown> => {
      const name = `${asked.plugin}:${asked.method}`;
      if (granted.calls?.includes(name) !== true)
        throw new KernelError('permission_denied', `calls: ${name}`);
      const methods = Object.hasOwn(others, asked.plugin) ? others[asked.plugin] : undefined;
      if (!methods) throw new KernelError('not_found', `Plugin ${asked.plugin}`);
      const answer = Object.hasOwn(methods, asked.method) ? methods[asked.method] : undefined;
      if (!answer)
        throw new KernelError('not_found', `Method ${asked.method} of plugin ${asked.plugin}`);
      try {
        return (await answer(asked.input ?? {})) ?? null;
      } catch (error) {
        if (error instanceof KernelError) throw error;
        const message = error instanceof Error ? error.message : String(error);
        throw new KernelError('plugin_failed', `${name}: ${message}`);
      }
    };
    return { ...service, methods: { call: { ...call, run } } };
  };
