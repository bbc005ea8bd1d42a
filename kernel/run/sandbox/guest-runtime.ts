/**
 * Runs inside every isolate before the plugin. It is one script without imports at run time. It is
 * not a security boundary: it keeps an honest plugin within its limits, hides the one function of the
 * host, and turns results and errors into text while a timeout still runs. Its output is validated
 * outside like the plugin's.
 *
 * Guarantee: plugin code runs only inside `deliver`, and only `outbox` holds `send`.
 */
import { createConsole, createLogLine, type LogLine } from './guest/console.ts';
import { readDefinition, type Definition } from './guest/definition.ts';
import { describeFailure, stackOf } from './guest/failure.ts';
import { installGlobals } from './guest/globals.ts';
import { createHostBridge, type HostBridge } from './guest/host-bridge.ts';
import { createOutbox, toBody, type GuestBody, type Outbox, type Send } from './guest/outbox.ts';
import {
  evaluate,
  isBytes,
  isObject,
  mapDelete,
  mapHas,
  mapSet,
  mapSize,
  parseJson,
  PlainError,
  PlainMap,
  toJson,
} from './guest/primordials.ts';
import { createTimers } from './guest/timers.ts';

/** One frame from the host process; all its fields are always present. */
interface IncomingFrame {
  readonly kind: 'evaluate' | 'call' | 'cancel' | 'answer' | 'refusal' | 'wake';
  readonly call: number;
  readonly method: string;
  readonly viewer: string;
  readonly code: string;
  readonly message: string;
}

/** The only way in: frames as a JSON array, then the bodies of those that have one, in order. */
export type Deliver = (framesJson: string, ...bodies: (string | ArrayBuffer)[]) => void;

/** Sets up the isolate and returns the way in. */
export function boot(send: Send, services: string, wasm: boolean, seed: ArrayBuffer): Deliver {
  const outbox = createOutbox(send);
  const openCalls = new PlainMap<number, true>();
  const isCallOpen = (): boolean => mapSize(openCalls) > 0;
  const log = createLogLine(outbox);
  const bridge = createHostBridge({
    services: parseJson(services),
    outbox,
    isCallOpen,
    isOpen: (call) => mapHas(openCalls, call),
  });
  const timers = createTimers({
    outbox,
    isCallOpen,
    onError: (message) => log('error', `A timer failed: ${message}`),
  });
  installGlobals({
    console: createConsole(log),
    timers,
    digest: bridge.digest,
    seed,
    wasm,
  });
  const guest = createGuest({ outbox, openCalls, bridge, log });

  /** When the last call ends, all that was started for it ends too. */
  function closeIdle(): void {
    if (isCallOpen()) return;
    bridge.forget();
    timers.forget();
  }

  guest.onClose(closeIdle);

  return (framesJson, ...bodies) => {
    const frames = parseJson(framesJson) as readonly IncomingFrame[];
    let nextBody = 0;
    const takeBody = (): GuestBody => toBody(bodies[nextBody++]);
    for (let index = 0; index < frames.length; index++) {
      const frame = frames[index];
      if (frame === undefined) continue;
      switch (frame.kind) {
        case 'evaluate':
          guest.evaluate(takeBody());
          break;
        case 'call':
          guest.open(frame, takeBody());
          break;
        case 'cancel':
          guest.close(frame.call);
          break;
        case 'answer':
          bridge.answer(frame.call, takeBody());
          break;
        case 'refusal':
          bridge.refuse(frame.call, frame.code, frame.message);
          break;
        case 'wake':
          timers.runDue();
          break;
      }
    }
  };
}

function createGuest(parts: {
  readonly outbox: Outbox;
  readonly openCalls: Map<number, true>;
  readonly bridge: HostBridge;
  readonly log: LogLine;
}) {
  const { outbox, openCalls, bridge } = parts;
  let definition: Definition = () => undefined;
  let closed: () => void = () => undefined;

  /** False when the call was cancelled or answered before. */
  function close(call: number): boolean {
    const wasOpen = mapDelete(openCalls, call);
    if (wasOpen && mapSize(openCalls) === 0) closed();
    return wasOpen;
  }

  function answer(call: number, result: unknown): void {
    const body = toResult(result);
    if (body === undefined || !outbox.accepts(body)) {
      threw(call, 'too_large', 'The result is above 8 MiB, or above 64 MiB a second.');
    } else if (close(call)) {
      outbox.post(`{"kind":"returned","call":${call},"body":true}`, body);
    }
  }

  function threw(call: number, code: string, message: string): void {
    if (!close(call)) return;
    const words = `"code":${toJson(code)},"message":${toJson(message)}`;
    outbox.post(`{"kind":"threw","call":${call},${words}}`);
  }

  function fail(call: number, thrown: unknown): void {
    const failure = describeFailure(thrown);
    const stack = stackOf(thrown);
    if (stack !== '' && mapHas(openCalls, call))
      outbox.post(`{"kind":"stack","call":${call},"text":${toJson(stack)}}`);
    threw(call, failure.code, failure.message);
  }

  async function settle(call: number, result: unknown): Promise<void> {
    try {
      answer(call, await result);
    } catch (thrown) {
      fail(call, thrown);
    }
  }

  return {
    evaluate: (script: GuestBody): void => {
      try {
        definition = readDefinition(evaluatePlugin(script));
        outbox.post('{"kind":"started"}');
      } catch (thrown) {
        const { message } = describeFailure(thrown);
        const words = `"message":${toJson(message)},"stack":${toJson(stackOf(thrown))}`;
        outbox.post(`{"kind":"not-started",${words}}`);
      }
    },
    open: (
      { call, method, viewer }: Pick<IncomingFrame, 'call' | 'method' | 'viewer'>,
      input: GuestBody,
    ): void => {
      mapSet(openCalls, call, true);
      try {
        const dispatch = definition(method, isBytes(input) ? input : parseJson(input));
        if (dispatch === undefined) {
          close(call);
          outbox.post(`{"kind":"unknown-handler","call":${call}}`);
          return;
        }
        const { handler, input: given } = dispatch;
        const result = handler(given, bridge.hostOf({ call, viewer }));
        if (isObject(result)) void settle(call, result);
        else answer(call, result);
      } catch (thrown) {
        fail(call, thrown);
      }
    },
    close,
    onClose: (listener: () => void): void => {
      closed = listener;
    },
  };
}

/** The module that the script stores in `__plugin`; its default export is the plugin. */
function evaluatePlugin(script: GuestBody): unknown {
  evaluate(`${script as string}\n//# sourceURL=plugin.js`);
  const scope = globalThis as { __plugin?: { readonly default?: unknown } };
  const plugin = scope.__plugin?.default;
  if (isObject(plugin)) return plugin;
  throw new PlainError('The default export is not an object; it must be definePlugin({...}).');
}

function toResult(result: unknown): GuestBody | undefined {
  if (isBytes(result)) return result;
  const json: unknown = toJson(result === undefined ? null : result);
  if (json === undefined) return 'null';
  return typeof json === 'string' ? json : undefined;
}
