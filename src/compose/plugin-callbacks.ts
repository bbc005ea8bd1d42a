/** Calls that plugins ask for: at their times, and for events that must not be lost. */
import type { Kernel } from '../../kernel/index.ts';
import { createCanPublish, EventLog } from '../plugins/event-log/index.ts';
import type { LibraryDomain } from '../library/catalogue/index.ts';
import type { Notifications } from '../platform/notifications/index.ts';
import { createPluginWakes, type PluginWakes } from '../work/scheduler/index.ts';
import { pluginNotice } from '../plugins/admin/index.ts';
import type { PluginReach } from '../plugins/scopes/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import { say } from '../platform/text.ts';

/** The schedule of plugins and the event log. */
export interface PluginCallbacks {
  readonly pluginWakes: PluginWakes;
  readonly eventLog: EventLog;
}

const starts = ['plugin.started', 'plugin.restarted'] as const;

/** Builds both, and provides their host services. */
export function composePluginCallbacks(
  { config, duties: database, clock, newId, log }: Infrastructure,
  { call, events, plugins, provide }: Kernel,
  {
    library,
    reach,
    notify,
  }: {
    readonly library: LibraryDomain;
    readonly reach: PluginReach;
    readonly notify: Notifications['notify'];
  },
): PluginCallbacks {
  const stateOf = (id: string) => plugins.registry.list({}).find((one) => one.id === id)?.state;
  const isRunning = (id: string): boolean => stateOf(id) === 'running';
  const isKnown = (id: string): boolean => stateOf(id) !== undefined;
  const pluginWakes = createPluginWakes({ database, call, isRunning, isKnown, clock, log });
  const eventLog = new EventLog({
    database,
    events,
    call,
    isRunning,
    isKnown,
    canPublish: createCanPublish(library.access, library.entities),
    // The journal of a killed server is read before plugins are known; access is checked at
    // delivery.
    canReceive: (id) =>
      isKnown(id) && !plugins.registry.isOwn(id)
        ? reach.eventsWithin({ pluginId: id, reach: plugins.grants.reachOf(id) })
        : null,
    folder: config.data,
    onLost: (id, count) =>
      notify(
        pluginNotice('events_missed', id, {
          level: 'error',
          title: say('plugins.pluginMissedEvents', { plugin: plugins.registry.get(id).name }),
          message: say('plugins.eventsAboveLimitDroppedLog', { count }),
        }),
      ),
    clock,
    newId,
    log,
  });
  provide(pluginWakes.service);
  provide(eventLog.service);
  for (const name of starts) {
    events.listen(name, pluginWakes.look);
    events.listen(name, ({ data }) => {
      if ('pluginId' in data && typeof data.pluginId === 'string') eventLog.look(data.pluginId);
    });
  }
  return { pluginWakes, eventLog };
}
