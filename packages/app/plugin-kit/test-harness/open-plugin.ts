import type { DispatchCall, Log, Outcome } from '../../../../kernel/index.ts';
import { powersAsked } from '../../../../kernel/run/powers/index.ts';
import type { HookCatalogue, HookName, Manifest } from '../../../../plugin-api/index.ts';
import { bundleForTestHarness } from '../packing/bundle.ts';
import { createDispatchLog } from './dispatch-log.ts';
import { inTurn } from '../packing/esbuild-turns.ts';
import { createFakeLibrary } from '../fakes/fake-library.ts';
import { createFakeNet } from './fake-net.ts';
import { createHostFaults } from './host-faults.ts';
import type { FakeViewing, ViewingState } from '../fakes/fake-viewing.ts';
import { profileIdOf, usualProfile } from '../fakes/made-viewer.ts';
import { createManualClock } from '../fakes/manual-clock.ts';
import { withOtherPlugins } from './other-plugins.ts';
import { PluginFault } from '../packing/plugin-fault.ts';
import { readPluginSource } from '../packing/plugin-source.ts';
import type { Deadlines, OpenPluginOptions, PluginUnderTest } from './plugin-under-test.ts';
import { aboutOf } from './test-harness-reach.ts';
import { openTestHarness } from './test-harness.ts';
import { createSourcePositions } from '../packing/source-positions.ts';
import { stage } from './stage.ts';
import { createStackNotes } from '../packing/stack-notes.ts';

/**
 * Runs the plugin in a folder as a server would, and gives the handles to test it. The folder has
 * a `manifest.json` and the source; TypeScript is bundled first. Rejects with a {@link PluginFault}
 * when the plugin does not build or does not start.
 */
export async function openPlugin(
  folder: string,
  options: OpenPluginOptions = {},
): Promise<PluginUnderTest> {
  const source = await readPluginSource(folder);
  const { manifest } = source;
  const { id } = manifest;
  const { code } = await inTurn(() => bundleForTestHarness(source.entry, folder));
  const notes = createStackNotes(await inTurn(() => createSourcePositions(code, folder)));
  const library = createFakeLibrary(options.library);
  const net = createFakeNet(options.hosts);
  const faults = createHostFaults();
  const others = withOtherPlugins(options.others ?? {});
  const clock = createManualClock(options.clock ?? Date.now());
  const calls = createDispatchLog();
  /** Calls that were withheld from the plugin, since they concern what was not granted. */
  let withheld = 0;
  const harness = await openTestHarness({
    library,
    exchange: net.exchange,
    clock,
    isTimeTold: true,
    service: (service) => faults.around(others(service)),
    deadlineMs: (call) => deadlineOf(call, options.deadlines ?? {}),
    observe: calls.note,
    withheld: () => (withheld += 1),
    log: logTo(notes.hear),
  });
  try {
    const granted = options.granted ?? powersAsked(manifest);
    const { configuration = {}, libraries } = options;
    await inTurn(() => harness.run(stage(source, code), { granted, libraries, configuration }));
  } catch (error) {
    await harness.close();
    throw error;
  }
  const emitted: { readonly type: string; readonly data: unknown }[] = [];
  const { plugins, events, hooks, views, call, hosts } = harness.kernel();
  events.listen('plugin.*.*', ({ type, data }) => emitted.push({ type, data }));

  /** Runs a function, and gives the plugin's answer to the last call in it. */
  async function asked<Given>(method: string, name: string, run: () => Promise<Given>) {
    const before = calls.all().length;
    const withheldBefore = withheld;
    const given = await run();
    const last = calls
      .all()
      .slice(before)
      .findLast((one) => one.method === method && one.name === name);
    if (!last && withheld > withheldBefore && !(given instanceof Error))
      throw new PluginFault(
        'out_of_reach',
        `${id} does not get ${name}: it concerns what was not granted.`,
      );
    return { given, last };
  }

  const faultOf = (outcome: Outcome): PluginFault | null => {
    switch (outcome.kind) {
      case 'returned':
        return null;
      case 'threw':
        return notes.toFault(outcome.code, outcome.message);
      case 'timed-out':
        return new PluginFault('timed_out', 'It gave no answer in time.');
      case 'unknown-handler':
        return new PluginFault('unknown_handler', 'The plugin has no handler for it.');
    }
  };

  async function crash(): Promise<void> {
    const pids = hosts().flatMap((host) => (host.pluginIds.includes(id) ? [host.pid] : []));
    if (pids.length === 0) throw new PluginFault('plugin_not_running', 'It does not run.');
    const gone = new Promise((resolve) => {
      const undo = events.listen('plugin.error', () => {
        undo();
        resolve(undefined);
      });
    });
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await gone;
  }

  async function restart(): Promise<void> {
    await crash();
    const back = new Promise((resolve) => {
      const undo = events.listen('plugin.restarted', () => {
        undo();
        resolve(undefined);
      });
    });
    const at = clock.nextAt();
    if (at === null) throw new PluginFault('not_started', 'The server does not start it again.');
    await clock.advance(at - clock.now(), harness.settled);
    await back;
    await harness.setTime();
  }

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= harness.close());

  return {
    id,
    manifest,
    asked: powersAsked(manifest),
    library,
    net,
    faults,
    viewing: viewingFor(harness.viewing),
    clock: {
      now: clock.now,
      advance: async (byMs) => {
        const end = clock.now() + byMs;
        while (clock.now() < end) {
          const next = Math.min(clock.nextAt() ?? end, end);
          await clock.advance(Math.max(next - clock.now(), 0), async () => {
            await harness.setTime();
            await harness.settled();
          });
        }
        await harness.settled();
      },
    },
    event: async (name, data) => {
      const { last } = await asked('event.dispatch', name, async () => {
        events.emit(name as never, data);
        await events.drain(60_000);
        await harness.settled();
      });
      const isFollowed = calls.all().at(-1)?.name === 'eventLog.waiting';
      if (!last && isFollowed) return;
      if (!last) throw notSubscribed(manifest, `event ${name}`);
      throwIf(faultOf(last.outcome));
    },
    hook: async <Name extends HookName>(name: Name, input: HookCatalogue[Name]['input']) => {
      if (!hooks.hasSubscribers(name)) throw notSubscribed(manifest, `hook ${name}`);
      const { given, last } = await asked('hook.dispatch', name, () =>
        hooks.run(name, input, aboutOf(input, library)),
      );
      const [skipped] = given.skipped;
      if (skipped) throw notes.toFault(skipped.code, skipped.reason);
      if (last?.outcome.kind === 'unknown-handler') throwIf(faultOf(last.outcome));
      return last?.outcome.kind === 'returned' ? (last.outcome.value as never) : null;
    },
    view: async (slot, context, { viewer = {} } = {}) => {
      const before = views.counters(id);
      const { given, last } = await asked('view.dispatch', slot, () =>
        views.collect(slot, context, harness.viewer(viewer)),
      );
      if (!last) throw notSubscribed(manifest, `view ${slot}`);
      throwIf(faultOf(last.outcome));
      if (views.counters(id).dropped > before.dropped) {
        throw new PluginFault('invalid_reply', notes.lastWarning());
      }
      return given;
    },
    action: async (method, params = {}, { viewer = {} } = {}) => {
      const { given, last } = await asked('action.run', method, () =>
        plugins.actions
          .call(id, method, params, harness.viewer(viewer))
          .catch((error: unknown) => error),
      );
      if (last) throwIf(faultOf(last.outcome));
      if (given instanceof Error) throw given;
      return given;
    },
    exported: async (method, input = {}, { viewer, caller: pluginId = 'other' } = {}) => {
      const seenBy = viewer === undefined ? null : harness.viewer(viewer);
      const caller = { pluginId, reach: 'all', viewer: seenBy } as const;
      const { given, last } = await asked('export.call', method, () =>
        plugins.exported
          .call({ plugin: id, method, input }, caller)
          .catch((error: unknown) => error),
      );
      if (last) throwIf(faultOf(last.outcome));
      if (given instanceof Error) throw given;
      return given;
    },
    call: async (method, input, { viewer = {} } = {}) => {
      const options = {
        timeoutMs: methodMs,
        subject: aboutOf(input, library),
        ...(method === 'search.query' && { viewer: harness.viewer(viewer) }),
      };
      const { given, last } = await asked(method, method, () =>
        call(id, method, input, options).catch((error: unknown) => error),
      );
      if (last) throwIf(faultOf(last.outcome));
      if (given instanceof Error) throw given;
      return given;
    },
    state: () => plugins.registry.get(id).state,
    logs: () => plugins.usage.logs(id).filter(({ text }) => !notes.isNote(text)),
    usage: () => plugins.usage.of(id),
    dispatches: calls.forAuthors,
    emitted: () => emitted.filter(({ type }) => isOwn(type, id)),
    jobs: () => [...harness.requested.jobs],
    notifications: () =>
      harness.requested.notices.map(({ title, message, ...rest }) => ({
        ...rest,
        title: title.english,
        ...(message && { message: message.english }),
      })),
    setSecret: async (name, value, { hosts = [], scope = 'plugin' } = {}) => {
      await plugins.secrets.put(id, { name, value, hosts, scope });
    },
    grant: (granted, libraries) => harness.grant({ granted, libraries }),
    configure: async (values) => {
      await plugins.configuration.set(id, values);
    },
    configureProfile: async (values, profile = usualProfile) => {
      const profileId = profileIdOf(profile);
      await plugins.profileSettings.set(id, profileId, { values });
      return { profileId };
    },
    agree: (viewer = {}, agrees = true) => harness.agree(viewer, agrees),
    crash,
    restart,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const viewingFor = (state: ViewingState): FakeViewing => ({
  marks: (itemId, profile = usualProfile) => state.marksOf(profileIdOf(profile), itemId),
  mark: (itemId, marks, profile = usualProfile) =>
    void state.mark(profileIdOf(profile), itemId, marks),
  lists: (profile = usualProfile) =>
    state.listsOf(profileIdOf(profile)).map(({ id, kind, name, description, entries }) => ({
      id,
      kind,
      name,
      description,
      itemIds: entries.map(({ itemId }) => itemId),
    })),
});

const methodMs = 30_000;

function deadlineOf({ method, timeoutMs }: DispatchCall, deadlines: Deadlines): number {
  switch (method) {
    case 'event.dispatch':
      return deadlines.event ?? timeoutMs;
    case 'hook.dispatch':
    case 'hook.dispatchAll':
      return deadlines.hook ?? timeoutMs;
    case 'view.dispatch':
      return deadlines.view ?? timeoutMs;
    case 'action.run':
      return deadlines.action ?? timeoutMs;
    default:
      return deadlines.method ?? timeoutMs;
  }
}

function throwIf(fault: PluginFault | null): void {
  if (fault) throw fault;
}

const notSubscribed = (manifest: Manifest, what: string): PluginFault =>
  new PluginFault(
    'not_subscribed',
    `${manifest.id} does not get the ${what}: manifest.json does not subscribe to it, or it is stopped, or it was not granted.`,
  );

const isOwn = (type: string, id: string): boolean =>
  type.startsWith(`plugin.${id.toLowerCase().replace(/[^a-z0-9]/g, '')}.`);

function logTo(hear: (level: string, text: string) => void): Log {
  const at = (level: string) => (_fields: object, text: string) => hear(level, text);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
