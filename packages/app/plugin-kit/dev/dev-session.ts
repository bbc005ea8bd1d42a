/** A session of `vitrine plugin dev`: loads the plugin, calls it with samples, and loads it again. */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Kernel, Log } from '../../../../kernel/index.ts';
import { powersAsked } from '../../../../kernel/run/powers/index.ts';
import { createPieceWording } from '../../../../kernel/call/views/index.ts';
import type { Permissions } from '../../../../plugin-api/index.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { bundleForTestHarness } from '../packing/bundle.ts';
import { isOutdated, writeConfigurationTypes } from '../packing/configuration-types.ts';
import { createDispatchLog, type NotedCall } from '../test-harness/dispatch-log.ts';
import type { Printer } from './dispatch-printer.ts';
import { inTurn } from '../packing/esbuild-turns.ts';
import { createFakeLibrary } from '../fakes/fake-library.ts';
import { PluginFault } from '../packing/plugin-fault.ts';
import { manifestFile, readPluginSource } from '../packing/plugin-source.ts';
import { aboutOf } from '../test-harness/test-harness-reach.ts';
import {
  openTestHarness,
  type TestHarness,
  type StagedPlugin,
} from '../test-harness/test-harness.ts';
import { samplesFor, type Sample } from '../fakes/samples.ts';
import { createSourcePositions } from '../packing/source-positions.ts';
import { createStackNotes, type StackNotes } from '../packing/stack-notes.ts';
import { stage } from '../test-harness/stage.ts';

export interface DevSessionParts {
  readonly folder: string;
  readonly printer: Printer;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Defaults to all permissions of the manifest. */
  readonly granted?: Permissions;
  /** `Films`, or `Films=FOLDER`; defaults to all fake libraries. */
  readonly libraries?: readonly string[];
  /** `HOST[:PORT]` that may be reached wherever it is. */
  readonly allowedHosts: readonly string[];
}

export type DevSession = Awaited<ReturnType<typeof openDevSession>>;

const methodMs = 30_000;

/** Opens a session; nothing is loaded yet. */
export async function openDevSession(parts: DevSessionParts) {
  const { folder, printer } = parts;
  const library = createFakeLibrary();
  const calls = createDispatchLog();
  let notes: StackNotes = createStackNotes({ place: () => null });
  let files: readonly string[] = [manifestFile(folder)];
  let staged: StagedPlugin | null = null;
  let configuration = parts.configuration;

  const isBad = ({ outcome }: NotedCall): boolean =>
    outcome.kind === 'threw' || outcome.kind === 'timed-out';

  const harness: TestHarness = await openTestHarness({
    library,
    allowedHosts: parts.allowedHosts,
    clock: systemClock,
    isTimeTold: false,
    service: (service) => service,
    deadlineMs: ({ timeoutMs }) => timeoutMs,
    observe: (call, outcome) => {
      calls.note(call, outcome);
      const noted = calls.all().at(-1);
      if (!noted) return;
      const place = outcome.kind === 'threw' ? notes.placeOf(outcome.message) : null;
      printer.call(worded(noted, call.pluginId), place);
    },
    withheld: ({ method, name }) => {
      // Any other call rejects, so its caller reports it.
      if (method.endsWith('.dispatch'))
        printer.note(`Withheld: ${name ?? method} concerns what was not granted.`);
    },
    log: pluginLog((level, text, isOwn) => {
      notes.hear(level, text);
      if (notes.isNote(text)) return;
      if (isOwn || level === 'warn' || level === 'error') printer.line(level, text);
    }),
  });

  /** A view with the words that a viewer would read. */
  function worded(call: NotedCall, id: string): NotedCall {
    const { method, outcome } = call;
    if (method !== 'view.dispatch' || outcome.kind !== 'returned') return call;
    const { registry } = harness.kernel().plugins;
    const words = createPieceWording((asked) => registry.textOf(id, { ...asked, locale: null }));
    const found = words(outcome.value);
    // The server says in the log why it drops a piece.
    return found.ok ? { ...call, outcome: { ...outcome, value: found.value } } : call;
  }

  /**
   * Loads the plugin in the folder if it differs from the running one. If that fails, prints the
   * reason. Gives the result.
   */
  async function load(): Promise<'loaded' | 'unchanged' | 'failed'> {
    try {
      return await loadOrThrow();
    } catch (error) {
      if (!(error instanceof PluginFault)) throw error;
      printer.failure(error.message, notes.placeOf(error.message));
      return 'failed';
    }
  }

  async function loadOrThrow(): Promise<'loaded' | 'unchanged'> {
    const source = await readPluginSource(folder);
    const { entry, manifest } = source;
    if (await isOutdated(entry, manifest)) await writeConfigurationTypes(entry, manifest);
    // A failed build is fixed in one of its source files, so those stay watched.
    files = [...files, entry];
    const bundled = await inTurn(() => bundleForTestHarness(entry, folder));
    const texts = [...source.localeTexts.keys()].map((name) => path.join(folder, name));
    files = [manifestFile(folder), ...texts, ...bundled.inputs];
    const next = stage(source, bundled.code);
    if (isDeepStrictEqual(staged, next)) return 'unchanged';
    notes = createStackNotes(await inTurn(() => createSourcePositions(bundled.code, folder)));
    const isSameManifest = staged?.manifestJson === next.manifestJson;
    const granted = parts.granted ?? powersAsked(manifest);
    const { libraries } = parts;
    staged = null;
    await inTurn(() =>
      isSameManifest
        ? harness.swap(next)
        : harness.run(next, { granted, libraries, configuration }),
    );
    staged = next;
    printer.note(`${next.id} ${manifest.version} runs.`);
    return 'loaded';
  }

  /**
   * Calls the plugin with its samples, or with these; prints each call. Gives the number of failed
   * calls.
   */
  async function play(given?: readonly Sample[]): Promise<number> {
    if (!staged) return 0;
    const { manifest } = await readPluginSource(folder);
    const before = calls.all().length;
    const samples = given ?? samplesFor(manifest, await harness.libraryWithin());
    for (const sample of samples) {
      await callWith(harness.kernel(), staged.id, sample);
    }
    await harness.settled();
    return calls.all().slice(before).filter(isBad).length;
  }

  async function configure(values: Readonly<Record<string, unknown>>): Promise<void> {
    const before = configuration;
    configuration = values;
    try {
      if (staged) await harness.kernel().plugins.configuration.set(staged.id, values);
    } catch (error) {
      configuration = before;
      throw error;
    }
  }

  return {
    library,
    load,
    play,
    configure,
    action: async (name: string, params: Readonly<Record<string, unknown>>): Promise<void> => {
      if (!staged) return;
      await harness
        .kernel()
        .plugins.actions.call(staged.id, name, params, harness.viewer({}))
        .catch(report);
    },
    /** The files that the plugin is made from. */
    files: (): readonly string[] => files,
    close: harness.close,
  };

  /** Failures inside a call were printed with the call; all others are printed here. */
  function report(error: unknown): void {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code !== 'plugin_failed') printer.failure(error.message);
  }

  async function callWith(kernel: Kernel, id: string, sample: Sample): Promise<void> {
    const { events, hooks, views } = kernel;
    switch (sample.kind) {
      case 'event':
        events.emit(sample.name as never, sample.input);
        await events.drain(methodMs);
        return;
      case 'hook':
        if (!hooks.hasSubscribers(sample.name))
          printer.failure(`The hook ${sample.name} is not subscribed to.`);
        else await hooks.run(sample.name, sample.input as never, aboutOf(sample.input, library));
        return;
      case 'view':
        await views.collect(sample.name, sample.input, harness.viewer({}));
        return;
      case 'method':
        await kernel
          .call(id, sample.name, sample.input as never, {
            timeoutMs: methodMs,
            subject: aboutOf(sample.input, library),
          })
          .catch(report);
    }
  }
}

/** Lines of the plugin itself carry their level as a field. */
function pluginLog(hear: (level: string, text: string, isOwn: boolean) => void): Log {
  const at = (level: string) => (fields: object, text: string) =>
    'level' in fields && typeof fields.level === 'string'
      ? hear(fields.level, text, true)
      : hear(level, text, false);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
