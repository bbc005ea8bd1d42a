/**
 * The gate: every call out of every isolate passes here. The order of checks: count, quota,
 * existence, queue, grant, input, person, reach of the plugin and of its viewer; then the service runs. The
 * gate never rejects. An error of a service other than a `KernelError` is sent to the plugin as an id
 * that is in the log, since it may hold paths, SQL and stacks.
 */
import { commonReach } from '../../call/call-chain.ts';
import { priorityOf } from '../../call/call-priority.ts';
import { KernelError, type KernelErrorCode } from '../../errors.ts';
import { quoted } from '../../foreign-text.ts';
import type { DispatchViewer } from '../../call/dispatch-viewer.ts';
import type { HostCaller, HostMethod } from '../../call/host-service.ts';
import { jsonTextFault, jsonValueFault } from '../../json-limits.ts';
import type { Log } from '../../log.ts';
import type { Permissions } from '../../../plugin-api/index.ts';
import type { Reach, ReachPolicy } from '../../call/reach.ts';
import type { Body, HostCall, HostGate, HostReply } from '../../call/running-plugin.ts';
import type { ProfileAgreements } from '../settings/profile-agreements.ts';
import type { CallQuota } from '../usage/call-quota.ts';
import type { CallQueue, EndCall } from '../usage/call-queue.ts';
import { allows, needText } from '../powers/permissions.ts';
import { isRefusal, type PowerLog, type PowerUse } from '../usage/power-log.ts';
import type { ServiceMethod, Services } from './services.ts';

export interface GateCounters {
  calls: number;
  /** Refused calls. Most of them never reached a service. */
  refused: number;
}

export interface GateParts {
  readonly pluginId: string;
  /** Read at each call, so that a withdrawn grant ends at once. */
  readonly granted: () => Permissions;
  readonly reach: () => Reach;
  readonly judge: Pick<ReachPolicy, 'mayCall' | 'mayCallFor' | 'intersect' | 'personOf'>;
  /** What a profile agreed to, by its name inside the plugin. */
  readonly agreed: ProfileAgreements['find'];
  readonly services: Services;
  readonly quota: CallQuota;
  /** Bytes of calls and answers. */
  readonly bytes: CallQuota;
  /** The plugin's queue, shared by all its instances. */
  readonly queue: CallQueue;
  readonly counters: GateCounters;
  /** Records each use of a power, and each refused one. */
  readonly powers: Pick<PowerLog, 'note' | 'refuse'>;
  /** Called for each refused call, with its name for messages and its duration. */
  readonly onRefused: (call: string, message: string, durationMs: number) => void;
  /** Throws `quota_exceeded` when the plugin's text index has no room for this many bytes. */
  readonly admitText: (bytes: number) => Promise<void>;
  readonly newId: () => string;
  readonly log: Log;
}

const maxInputLength = 1024 * 1024;
const maxInputDepth = 32;
const maxOutputLength = 16 * 1024 * 1024;
const maxInFlight = 64;
/** The input of a call that is refused anyway is read only up to this length, to name its subject. */
const longestPeek = 8192;

/** Creates the gate of one plugin. */
export function createGate(parts: GateParts): HostGate {
  const { pluginId, granted, services, quota, bytes, queue, counters, powers, newId, log } = parts;
  let inFlight = 0;

  async function gate(call: HostCall, signal: AbortSignal): Promise<HostReply> {
    counters.calls += 1;
    inFlight += 1;
    const timed = { call, startedAt: performance.now() };
    const found = services.find(call.service, call.method);
    let endCall: EndCall = () => undefined;
    let heldMs = 0;
    let crossed = call.body.length;
    try {
      const service = admit(call, found);
      if (service.method.isElsewhere !== true) endCall = await queue.take(signal, priorityOf(call));
      const readAt = performance.now();
      const powersNow = granted();
      const input = readGranted(call, service, powersNow);
      heldMs = performance.now() - readAt;
      const caller = {
        pluginId,
        granted: powersNow,
        reach: reachIn(call),
        viewer: call.as === undefined ? call.viewer : await personIn(call.as, call, service),
        ...(call.chain && { chain: call.chain }),
        signal,
      };
      const use = useOf(call, service, input, pluginId);
      powers.note(use);
      const limit = isFree(caller) ? null : await limitOf(call, input, caller);
      const reply =
        limit === null
          ? await run(call, service.method, input, caller)
          : refusal(new KernelError('permission_denied', beyond[limit](nameOf(call))));
      if (reply.ok) crossed += reply.body.length;
      bytes.spend(crossed);
      if (!reply.ok && isRefusal(reply.code)) refused(use, reply, timed);
      return reply;
    } catch (error) {
      const use = useOf(call, found, found && peek(call, found), pluginId);
      const reply = error instanceof KernelError ? refusal(error) : internal(call, error);
      powers.note(use);
      refused(use, reply, timed);
      return reply;
    } finally {
      endCall(heldMs, crossed);
      inFlight -= 1;
    }
  }

  function refused(
    use: PowerUse,
    reply: HostReply,
    { call, startedAt }: { readonly call: HostCall; readonly startedAt: number },
  ): void {
    counters.refused += 1;
    if (reply.ok) return;
    powers.refuse(use, reply);
    if (reply.code !== 'internal')
      parts.onRefused(nameOf(call), reply.message, performance.now() - startedAt);
  }

  /** The method of the call. Throws a `KernelError` when it may not run now. */
  function admit(call: HostCall, service: ServiceMethod | undefined): ServiceMethod {
    const waitMs = Math.max(quota.take(), bytes.take());
    if (waitMs > 0) {
      refuse('quota_exceeded', `Too many host calls; the next is possible in ${waitMs} ms.`);
    }
    if (inFlight > maxInFlight) {
      refuse('overloaded', `More than ${maxInFlight} host calls are under way.`);
    }
    if (!service) throw new KernelError('not_found', nameOf(call));
    return service;
  }

  /** The profile for which the call is: that of its viewer, or one that agreed to what the method does. */
  async function personIn(
    as: string,
    { viewer }: HostCall,
    { method }: ServiceMethod,
  ): Promise<DispatchViewer> {
    if (viewer !== null) {
      if (viewer.shownTo(pluginId).profile === as) return viewer;
      throw new KernelError('permission_denied', 'another profile than that of the viewer');
    }
    const agreement = method.forProfiles === true ? await parts.agreed(pluginId, as) : null;
    const mayWrite = method.permission?.level !== 'write' || agreement?.level === 'write';
    const person = agreement && mayWrite && (await parts.judge.personOf?.(agreement.profileId));
    if (person) return person;
    throw new KernelError('permission_denied', 'that by the profile, which has to agree to it');
  }

  /** What the plugin may touch, and so may all plugins that caused the call. */
  function reachIn({ chain }: HostCall): Reach {
    const own = parts.reach();
    return chain ? commonReach(own, chain.reach, parts.judge) : own;
  }

  /** Who may not do what the call asks; `null` = both may. A policy that fails has not allowed it. */
  async function limitOf(
    call: HostCall,
    input: unknown,
    { reach, viewer }: HostCaller,
  ): Promise<keyof typeof beyond | null> {
    try {
      const named = { pluginId, call: `${call.service}.${call.method}`, input };
      if (reach !== 'all' && !(await parts.judge.mayCall(reach, named))) return 'plugin';
      return viewer === null || (await parts.judge.mayCallFor(viewer, named)) ? null : 'viewer';
    } catch (error) {
      log.error({ err: error, pluginId, call: nameOf(call) }, 'A reach could not be judged.');
      return 'plugin';
    }
  }

  async function run(
    call: HostCall,
    method: ServiceMethod['method'],
    input: unknown,
    caller: HostCaller,
  ): Promise<HostReply> {
    try {
      if (method.fillsTextIndex) await parts.admitText(call.body.length);
      const result = await method.run(input as never, caller);
      return { ok: true, body: toBody(result, method.raw === true) };
    } catch (error) {
      return error instanceof KernelError ? refusal(error) : internal(call, error);
    }
  }

  function internal(call: HostCall, error: unknown): HostReply {
    const id = newId();
    log.error({ err: error, id, pluginId, call: nameOf(call) }, 'A host service failed.');
    return { ok: false, code: 'internal', message: `Internal error ${id}.` };
  }

  return gate;
}

/** What a refused call wanted, by who may not have it. */
const beyond = {
  plugin: (call: string) => `the resource that ${call} names`,
  viewer: (call: string) =>
    `the resource that ${call} names in a call of this viewer, who has no right to it`,
} as const;

/** Whether nothing limits what the call may touch. */
const isFree = ({ reach, viewer }: HostCaller): boolean => reach === 'all' && viewer === null;

/**
 * A call for the usage log. All calls of unknown services share one name, since the guest chose
 * theirs.
 */
function useOf(
  call: HostCall,
  found: ServiceMethod | undefined,
  input: unknown,
  pluginId: string,
): PowerUse {
  if (!found) return { call: 'unknown', subject: nameOf(call), need: null };
  const { subject, permission } = found.method;
  return {
    call: `${call.service}.${call.method}`,
    subject: subject && input !== undefined ? subjectOf(subject, input, pluginId) : null,
    need: permission,
  };
}

/** The subject of a call. A subject that cannot be computed does not fail the call. */
function subjectOf(
  subject: NonNullable<HostMethod['subject']>,
  input: unknown,
  pluginId: string,
): string | null {
  try {
    return subject(input as never, pluginId);
  } catch {
    return null;
  }
}

/** The input of a refused call, if it is valid. */
function peek(call: HostCall, found: ServiceMethod): unknown {
  if (!found.method.subject || call.body.length > longestPeek) return undefined;
  try {
    return readInput(call, found);
  } catch {
    return undefined;
  }
}

/** The validated input of a granted call. */
function readGranted(call: HostCall, service: ServiceMethod, permissions: Permissions): unknown {
  const { permission } = service.method;
  if (permission && !allows(permissions, permission)) {
    throw new KernelError('permission_denied', needText(permission));
  }
  return readInput(call, service);
}

/** The validated input. Only methods that accept bytes receive bytes. */
function readInput(call: HostCall, { method, fault }: ServiceMethod): unknown {
  const { body } = call;
  if (body instanceof Uint8Array) {
    if (method.takesBytes) return body;
    return refuse('invalid_argument', `${nameOf(call)} takes one object, not bytes.`);
  }
  const { maxLength = maxInputLength } = method;
  const tooMuch = jsonTextFault(body, { maxLength, maxDepth: maxInputDepth });
  if (tooMuch !== null) return refuse('too_large', `The input of ${nameOf(call)} ${tooMuch}.`);
  const input = parse(body === '' ? '{}' : body, call);
  const unsafe = jsonValueFault(input, maxInputDepth);
  if (unsafe !== null) return refuse('invalid_argument', `${nameOf(call)}: ${unsafe}.`);
  const wrong = fault(input);
  return wrong === null ? input : refuse('invalid_argument', `${nameOf(call)}: ${wrong}`);
}

function parse(text: string, call: HostCall): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('invalid_argument', `The input of ${nameOf(call)} is not JSON.`);
  }
}

function toBody(result: unknown, isRaw: boolean): Body {
  if (!isRaw) return within(JSON.stringify(result ?? null));
  if (typeof result === 'string') return within(result);
  if (result instanceof Uint8Array) return result;
  throw new TypeError('A raw method gave neither bytes nor JSON text.');
}

function within(json: string): string {
  if (json.length <= maxOutputLength) return json;
  throw new KernelError(
    'too_large',
    `The answer is ${json.length} characters long, above ${maxOutputLength}; ask for less.`,
  );
}

function refuse(code: KernelErrorCode, what: string): never {
  throw new KernelError(code, what);
}

function refusal({ code, message }: KernelError): HostReply {
  return { ok: false, code, message };
}

/** The call as messages name it. Both names are the guest's text. */
function nameOf({ service, method }: HostCall): string {
  const isPlain = /^[A-Za-z]{1,40}\.[A-Za-z]{1,40}$/.test(`${service}.${method}`);
  return isPlain ? `host.${service}.${method}` : `host.${quoted(service)}.${quoted(method)}`;
}
