import type { Permissions } from '../../plugin-api/index.ts';
import {
  closed,
  hostMethods,
  type InputOf,
  type MethodRecord,
  type ServiceName,
  type Services,
} from '../../plugin-api/server/index.ts';
import type { CallChain } from './call-chain.ts';
import type { DispatchViewer } from './dispatch-viewer.ts';
import type { Reach } from './reach.ts';
import type { Body } from './running-plugin.ts';

export interface HostCaller {
  readonly pluginId: string;
  /** What the admin granted to the plugin. */
  readonly granted: Permissions;
  /** The scopes that it may touch. A method that returns several things leaves out those outside it. */
  readonly reach: Reach;
  /**
   * The person for whom the plugin calls; results leave out what that person may not see. `null` = no
   * person.
   */
  readonly viewer: DispatchViewer | null;
  /** The plugins that caused the call; absent when no plugin did. */
  readonly chain?: CallChain | undefined;
  /** Aborted when the plugin ends. */
  readonly signal: AbortSignal;
}

/** What a raw method returns. */
export type RawBody = Body;

/** One method of a host service: what its record says, and what runs it. */
export interface HostMethod<Input = never, Reply = unknown> extends Omit<
  MethodRecord,
  'scope' | 'viewer' | 'done' | 'needs' | 'takes'
> {
  /** JSON Schema (2020-12) of the input; closed (`additionalProperties: false`). */
  readonly input: object;
  /**
   * Gets the validated input. The plugin receives the code and message of a `KernelError` that it
   * throws.
   */
  readonly run: (input: Input, caller: HostCaller) => Promise<Reply>;
  /** The host or library of a call, as the plugin's usage shows it to an admin. */
  readonly subject?: (input: Input, pluginId: string) => string | null;
}

/** The input of a method of a service. */
export type HostInput<Name extends ServiceName, Method extends keyof Services[Name]> = InputOf<
  Services[Name][Method]
>;

/** The answer of a method, of one with two signatures that of either. */
type AnswerOf<Method> = Method extends {
  (input: never): Promise<infer One>;
  (input: never): Promise<infer Other>;
}
  ? One | Other
  : Method extends (input: never) => Promise<infer Answer>
    ? Answer
    : never;

/** What `run` resolves with: what authors get, or what is sent unchanged. */
type ReplyOf<Record, Method> = Record extends { readonly raw: true } ? RawBody : AnswerOf<Method>;

/** All methods that plugin-api declares for a service. */
type MethodsOf<Name extends ServiceName> = {
  readonly [Method in keyof Services[Name]]: HostMethod<
    HostInput<Name, Method>,
    ReplyOf<
      (typeof hostMethods)[Name][Method & keyof (typeof hostMethods)[Name]],
      Services[Name][Method]
    >
  >;
};

/** What runs a method: the function alone, or with the subject of a call. */
type Runs<Input, Reply> =
  | HostMethod<Input, Reply>['run']
  | Pick<HostMethod<Input, Reply>, 'run' | 'subject'>;

/** What runs each method of a service. */
export type ServiceRuns<Name extends ServiceName> = {
  readonly [Method in keyof MethodsOf<Name>]: MethodsOf<Name>[Method] extends HostMethod<
    infer Input,
    infer Reply
  >
    ? Runs<Input, Reply>
    : never;
};

/**
 * A host service that the server registers with the kernel. Under its name it has each method that
 * plugin-api declares for it, with that input and that answer.
 */
export interface HostService<Name extends ServiceName | null = null> {
  /** `fs` is reached as `host.fs`. */
  readonly name: string;
  readonly methods: Name extends ServiceName
    ? MethodsOf<Name>
    : Readonly<Record<string, HostMethod>>;
}

/** A service of plugin-api. Its records stand there; a method that nothing runs does not compile. */
export function hostService<Name extends ServiceName>(
  name: Name,
  runs: ServiceRuns<Name>,
): HostService<Name> {
  const own = new Map<string, Runs<never, unknown>>(Object.entries(runs));
  const records = Object.entries<MethodRecord>(hostMethods[name]);
  const methods = records.map(([method, { needs = {}, takes = {}, ...record }]) => {
    const run = own.get(method);
    return [
      method,
      { ...record, input: closed(needs, takes), ...(typeof run === 'function' ? { run } : run) },
    ];
  });
  const all: unknown = Object.fromEntries(methods);
  return { name, methods: all as HostService<Name>['methods'] };
}

/** Removes what was registered. */
export type Undo = () => void;
