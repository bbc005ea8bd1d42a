import { Ajv2020 } from 'ajv/dist/2020.js';
import type { HostCaller, HostService } from '../../../kernel/call/host-service.ts';
import type { Permissions } from '../../../plugin-api/index.ts';

/** One for all: it remembers what it compiled by the schema. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

/** Calls a host service as the gate does: the input through its schema first; for nobody, or for a viewer. */
export function callService(
  service: HostService,
  granted: Permissions,
  caller: string | Pick<HostCaller, 'pluginId' | 'viewer'> = 'example',
): (method: string, input: unknown) => Promise<unknown> {
  const { pluginId, viewer } =
    typeof caller === 'string' ? { pluginId: caller, viewer: null } : caller;
  return async (name, input) => {
    const method = service.methods[name];
    if (method === undefined) throw new Error(`${service.name} has no method ${name}.`);
    const validate = ajv.compile(method.input);
    if (!validate(input)) throw new Error(`schema: ${ajv.errorsText(validate.errors)}`);
    const { signal } = new AbortController();
    return method.run(input as never, { pluginId, granted, reach: 'all', viewer, signal });
  };
}
