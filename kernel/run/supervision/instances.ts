/**
 * Several isolates that act as one plugin. Guarantees: a call goes to the isolate with the fewest
 * calls in progress; all events go to the same one, in order; all start and end together, so the loss
 * of one is a crash of the plugin.
 */
import type { PluginReply, PluginRequest } from '../../call/running-plugin.ts';
import type { Ending, Sandbox } from '../sandbox/index.ts';
import { addBeside } from '../usage/run-usage.ts';

export interface InstancesParts {
  readonly count: number;
  readonly start: (onGone: (ending: Ending) => void) => Promise<Sandbox>;
  /** Called once, when the first of them has ended; the others have been ended then. */
  readonly onGone: (ending: Ending) => void;
}

interface Instance {
  readonly sandbox: Sandbox;
  inFlight: number;
}

/** Starts all instances. Rejects when one does not start; none runs then. */
export async function startInstances({ count, start, onGone }: InstancesParts): Promise<Sandbox> {
  if (count === 1) return start(onGone);
  const endings: Ending[] = [];
  let running: readonly Sandbox[] = [];
  let isStopped = false;

  /** A shared process reports the end of all its isolates in turn; the one to blame counts. */
  function lose(ending: Ending): void {
    if (endings.push(ending) > 1) return;
    queueMicrotask(() => {
      if (isStopped) return;
      for (const sandbox of running) void sandbox.stop();
      onGone(endings.find(isToBlame) ?? ending);
    });
  }

  const starts = await Promise.allSettled(Array.from({ length: count }, () => start(lose)));
  const started = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failures = starts.flatMap((one): readonly unknown[] =>
    one.status === 'rejected' ? [one.reason] : [],
  );
  if (failures.length > 0) {
    isStopped = true;
    await stopAll(started);
    throw failures.find((error) => !isDisconnect(error)) ?? failures[0];
  }
  running = started;
  return asOne(started, () => {
    isStopped = true;
  });
}

function asOne(sandboxes: readonly Sandbox[], onStop: () => void): Sandbox {
  const instances = sandboxes.map((sandbox): Instance => ({ sandbox, inFlight: 0 }));
  const [first] = instances;
  if (!first) throw new TypeError('A plugin has no instance.');

  function leastBusy(): Instance {
    return instances.reduce(
      (least, instance) => (instance.inFlight < least.inFlight ? instance : least),
      first as Instance,
    );
  }

  async function callOne(instance: Instance, request: PluginRequest): Promise<PluginReply> {
    instance.inFlight += 1;
    try {
      return await instance.sandbox.call(request);
    } finally {
      instance.inFlight -= 1;
    }
  }

  async function callAll(request: PluginRequest): Promise<PluginReply> {
    const replies = await Promise.all(instances.map((one) => callOne(one, request)));
    return replies.find(({ kind }) => kind !== 'returned') ?? replies[0] ?? { kind: 'gone' };
  }

  return {
    pluginId: first.sandbox.pluginId,
    call: (request) => {
      if (request.method === 'shutdown') return callAll(request);
      return callOne(request.method === 'event.dispatch' ? first : leastBusy(), request);
    },
    stop: async () => {
      onStop();
      await stopAll(sandboxes);
    },
    usage: () => sandboxes.map((sandbox) => sandbox.usage()).reduce(addBeside),
  };
}

async function stopAll(sandboxes: readonly Sandbox[]): Promise<void> {
  await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
}

const isToBlame = ({ reason }: Ending): boolean => reason !== 'disconnected';

function isDisconnect(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'reason' in cause
    ? cause.reason === 'disconnected'
    : false;
}
