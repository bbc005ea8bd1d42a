/**
 * The two functions that are put into the isolate before the author's module. They are passed as text:
 * each must use only what is in its own body, and syntax that every engine supports.
 */

/** The global through which the module of the plugin finds these functions. */
export const guestKey = '__vitrineTestHarness';

/** Extra methods beside those of the plugin: one sets the time, one lists its handlers. */
export const guestMethods = {
  setTime: 'testHarness.setTime',
  describe: 'testHarness.describe',
} as const;

/** Prefix of an internal log line that carries a stack. It is not shown. */
export const stackMark = '@vitrine-test-harness-stack ';

/** The handlers of a plugin, as it lists them. */
export interface DescribedPlugin {
  readonly events: readonly string[];
  readonly hooks: readonly string[];
  readonly views: readonly string[];
  readonly actions: readonly string[];
  readonly methods: readonly string[];
  readonly exports: readonly string[];
  /** What stands in the place of a handler and is not a function: `actions.go: string`. */
  readonly notFunctions: readonly string[];
}

/** Runs before the author's module. After the first `setTime`, `Date` stands still in the isolate. */
export function prepareGuest(key: string): void {
  const RealDate = Date;
  let frozenMs: number | null = null;
  const now = (): number => frozenMs ?? RealDate.now();
  const MovedDate = new Proxy(RealDate, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver): unknown =>
      name === 'now' ? now : Reflect.get(target, name, receiver),
  });
  RealDate.prototype.constructor = MovedDate;
  const put = (name: string, value: unknown): void => {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  };
  put('Date', MovedDate);
  put(key, {
    setTime: (ms: number) => {
      frozenMs = ms;
    },
  });
}

/** Wraps each handler, so that the stack of an error is logged before the isolate boundary drops it. */
export function wrapHandlers(
  plugin: Readonly<Record<string, unknown>> | null,
  given: {
    readonly key: string;
    readonly mark: string;
    readonly setTime: string;
    readonly describe: string;
  },
): unknown {
  const tools = (globalThis as unknown as Record<string, unknown>)[given.key] as {
    setTime: (ms: number) => void;
  };
  const report = (error: unknown): void => {
    const { stack, message } = (error ?? {}) as {
      readonly stack?: unknown;
      readonly message?: unknown;
    };
    if (typeof stack !== 'string') return;
    const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
    const told = { message: String(message).slice(0, 500), frames: frames.slice(0, 8) };
    // oxlint-disable-next-line no-console -- it runs in the isolate, whose console is its log
    console.debug(given.mark + JSON.stringify(told));
  };
  type Handle = (this: unknown, input: unknown, host: unknown) => unknown;
  const wrapped = (handle: Handle): Handle =>
    async function wrapper(this: unknown, input, host) {
      try {
        return await handle.call(this, input, host);
      } catch (error) {
        report(error);
        throw error;
      }
    };
  // What is not a plugin is refused as it is.
  if (typeof plugin !== 'object' || plugin === null) return plugin;
  const sectionNames = ['events', 'hooks', 'views', 'actions', 'methods', 'exports'];
  const names: Record<string, string[]> = { notFunctions: [] };
  const made: Record<string, Record<string, unknown>> = {};
  for (const section of sectionNames) {
    const handlers = plugin[section];
    names[section] = [];
    if (typeof handlers !== 'object' || handlers === null) continue;
    const entries = Object.entries(handlers);
    for (const [name, one] of entries)
      if (typeof one !== 'function')
        names['notFunctions']?.push(`${section}.${name}: ${typeof one}`);
    names[section] = entries.filter(([, one]) => typeof one === 'function').map(([name]) => name);
    made[section] = Object.fromEntries(
      entries.map(([name, one]) => [
        name,
        typeof one === 'function' ? wrapped(one as Handle) : one,
      ]),
    );
  }
  const methods = {
    ...made['methods'],
    [given.setTime]: (input: { readonly nowMs: number }) => {
      tools.setTime(input.nowMs);
      return null;
    },
    [given.describe]: () => names,
  };
  return { ...plugin, ...made, methods };
}
