/** Host services of the kernel's plugin part: `host.config` and `host.events`. */
import { eventLimits } from '../../../plugin-api/server/index.ts';
import { KernelError } from '../../errors.ts';
import type { EmittedName } from '../../call/events/index.ts';
import { quoted } from '../../foreign-text.ts';
import {
  hostService,
  type HostCaller,
  type HostInput,
  type HostService,
} from '../../call/host-service.ts';
import type { ConfigValues } from '../settings/form-values.ts';
import { pluginSlug } from '../plugin/plugin-slug.ts';

/** What `host.config` reads. */
export interface ConfigServiceParts {
  readonly values: (pluginId: string) => ConfigValues;
  /** What a profile entered; `profile` is its name inside the plugin. */
  readonly ofProfile: (pluginId: string, profile: string) => Promise<ConfigValues>;
  /** The name of a profile inside a plugin. */
  readonly profileIn: (pluginId: string, profileId: string) => string;
}

/** `host.config`. */
export const createConfigService = (parts: ConfigServiceParts): HostService<'config'> =>
  hostService('config', {
    get: async (_input, { pluginId }) => parts.values(pluginId),
    ofProfile: async (input, caller) => {
      const profile = profileOf(input, caller, parts.profileIn);
      return { profile, values: await parts.ofProfile(caller.pluginId, profile) };
    },
  });

/** The profile that a call is about. For a person, a plugin reads only what is that person's. */
function profileOf(
  { profile, profileId }: HostInput<'config', 'ofProfile'>,
  { pluginId, viewer, granted }: HostCaller,
  profileIn: ConfigServiceParts['profileIn'],
): string {
  const named = profileId === undefined ? profile : profileIn(pluginId, profileId);
  if (viewer !== null) {
    const own = viewer.shownTo(pluginId).profile;
    if ((named ?? own) === own && (profile ?? own) === own) return own;
    throw new KernelError('permission_denied', 'the settings of another profile than the viewer’s');
  }
  if (named === undefined || (profile !== undefined && profileId !== undefined))
    throw new KernelError(
      'invalid_argument',
      'host.config.ofProfile: no person caused this call; right is profile or profileId, one of them.',
    );
  const learnsIds = granted.hears?.includes('playback') === true || granted.eventLog === true;
  if (profileId !== undefined && !learnsIds)
    throw new KernelError('permission_denied', 'hears: playback, which tells of ids of profiles');
  return named;
}

/** `host.events`. */
export const createEventsService = (
  emit: (type: EmittedName, data: object) => void,
): HostService<'events'> =>
  hostService('events', {
    emit: {
      subject: ({ type }) => type,
      run: async ({ type, data }, { pluginId }) => {
        emit(ownEventName(type, pluginId), withinLimit(data));
        return null;
      },
    },
  });

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
  if (length <= eventLimits.dataLength) return data;
  throw new KernelError(
    'too_large',
    `host.events.emit: data is ${length} characters long as JSON, above ${eventLimits.dataLength}.`,
  );
}
