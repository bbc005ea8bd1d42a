/** Host services of the kernel's plugin part: `host.config` and `host.events`. */
import { KernelError } from '../../errors.ts';
import type { EmittedName } from '../../events/index.ts';
import { quoted } from '../../foreign-text.ts';
import type { HostService } from '../../host-service.ts';
import type { ConfigValues } from '../settings/form-values.ts';
import { pluginSlug } from '../plugin/plugin-slug.ts';

/** `host.config`. */
export function createConfigService(values: (pluginId: string) => ConfigValues): HostService {
  return {
    name: 'config',
    methods: {
      get: {
        permission: null,
        input: { type: 'object', additionalProperties: false },
        run: async (_input: object, { pluginId }) => values(pluginId),
      },
    },
  };
}

interface EmitInput {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const maxDataLength = 65_536;
const maxEmitLength = maxDataLength + 1024;

/** `host.events`. */
export function createEventsService(emit: (type: EmittedName, data: object) => void): HostService {
  return {
    name: 'events',
    methods: {
      emit: {
        permission: { name: 'events' },
        maxLength: maxEmitLength,
        input: {
          type: 'object',
          additionalProperties: false,
          required: ['type', 'data'],
          properties: { type: { type: 'string' }, data: { type: 'object' } },
        },
        subject: ({ type }: EmitInput) => type,
        run: async ({ type, data }: EmitInput, { pluginId }) => {
          emit(ownEventName(type, pluginId), withinLimit(data));
          return null;
        },
      },
    },
  };
}

function ownEventName(type: string, pluginId: string): `plugin.${string}` {
  const prefix = `plugin.${pluginSlug(pluginId)}.` as const;
  if (type.startsWith(prefix) && /^[A-Za-z0-9]{1,64}$/.test(type.slice(prefix.length))) {
    return `${prefix}${type.slice(prefix.length)}`;
  }
  throw new KernelError(
    'invalid_argument',
    `host.events.emit: type: ${quoted(type)} is not an event of this plugin; right is ${prefix}<name> with letters and digits in <name>.`,
  );
}

function withinLimit(data: object): object {
  const { length } = JSON.stringify(data);
  if (length <= maxDataLength) return data;
  throw new KernelError(
    'too_large',
    `host.events.emit: data is ${length} characters long as JSON, above ${maxDataLength}.`,
  );
}
