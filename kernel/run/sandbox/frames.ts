/**
 * The frames of the channel between the kernel and a plugin-host process, and the validator that both
 * ends use. Frames are closed: an extra field or a wrong type makes one malformed. The receiver
 * checks identifiers, since only it knows which ones it issued.
 */
import { Buffer } from 'node:buffer';
import type { Body } from '../../call/running-plugin.ts';
import { limits } from './limits.ts';
import type { EndingReason, LogLevel } from './sandbox.ts';

/** The usage of one sandbox, measured by its host process. */
export interface MeasuredUsage {
  readonly sandbox: number;
  readonly cpuMs: number;
  /** How long it was paused because it had used up its processor quota. */
  readonly pausedMs: number;
  readonly memoryBytes: number;
}

/** Kernel to host process. */
export type HostFrame =
  | { readonly kind: 'boot'; readonly selfTest: boolean; readonly body: Body }
  | {
      readonly kind: 'start';
      readonly sandbox: number;
      readonly memoryMb: number;
      readonly cpuMsPerSecond: number;
      readonly wasm: boolean;
      readonly services: string;
      readonly body: Body;
    }
  | {
      readonly kind: 'call';
      readonly sandbox: number;
      readonly call: number;
      readonly method: string;
      /** JSON of the person who caused the call; empty when no person did. */
      readonly viewer: string;
      readonly timeoutMs: number;
      readonly body: Body;
    }
  | { readonly kind: 'cancel'; readonly sandbox: number; readonly call: number }
  | {
      readonly kind: 'answer';
      readonly sandbox: number;
      readonly call: number;
      readonly body: Body;
    }
  | {
      readonly kind: 'refusal';
      readonly sandbox: number;
      readonly call: number;
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: 'stop'; readonly sandbox: number }
  | { readonly kind: 'beat'; readonly beat: number };

/** A report of a guest; the host process adds the sandbox. */
export type GuestReport =
  | { readonly kind: 'started' }
  /** `stack` is that of the module's error; empty when unknown. */
  | { readonly kind: 'not-started'; readonly message: string; readonly stack: string }
  | { readonly kind: 'returned'; readonly call: number; readonly body: Body }
  | {
      readonly kind: 'threw';
      readonly call: number;
      readonly code: string;
      readonly message: string;
    }
  /** The stack of the error that ends the call next. */
  | { readonly kind: 'stack'; readonly call: number; readonly text: string }
  | { readonly kind: 'unknown-handler'; readonly call: number }
  | {
      readonly kind: 'host-call';
      readonly call: number;
      /** The call into the plugin whose host makes it. */
      readonly dispatch: number;
      readonly service: string;
      readonly method: string;
      /** The profile for which the plugin acts, by its name there; empty = for the viewer. */
      readonly as: string;
      readonly body: Body;
    }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly text: string };

/** A request that the host process handles for a guest: a timer, a digest. */
export type GuestRequest =
  | { readonly kind: 'wake'; readonly ms: number }
  | {
      readonly kind: 'digest';
      readonly call: number;
      readonly algorithm: string;
      readonly body: Body;
    };

/** Host process to kernel. */
export type KernelFrame =
  | (GuestReport & { readonly sandbox: number })
  | { readonly kind: 'ready' }
  | { readonly kind: 'self-tested'; readonly passed: boolean }
  | { readonly kind: 'stopped'; readonly sandbox: number }
  /** The isolate is disposed, or (`fatal`) the process is about to kill itself because of it. */
  | {
      readonly kind: 'gone';
      readonly sandbox: number;
      readonly reason: EndingReason;
      readonly message: string;
      readonly fatal: boolean;
    }
  | { readonly kind: 'beat'; readonly beat: number; readonly usage: readonly MeasuredUsage[] };

/** Whether a body is within the size limit. */
export function fitsChannel(body: Body): boolean {
  // A character has at most three bytes, so short texts need no count.
  if (body.length * 3 <= limits.bodyBytes) return true;
  return (typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength) <= limits.bodyBytes;
}

type Check = (value: unknown) => boolean;
/** Every kind of a union, with a check for each of its fields except `kind`. */
type Shapes<Frame extends { readonly kind: string }> = {
  readonly [Kind in Frame['kind']]: {
    readonly [Field in Exclude<keyof Extract<Frame, { kind: Kind }>, 'kind'>]: Check;
  };
};

const isId: Check = (value) => Number.isSafeInteger(value) && Number(value) > 0;
const isFlag: Check = (value) => typeof value === 'boolean';
const isAmount: Check = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isBody: Check = (value) =>
  (typeof value === 'string' || value instanceof Uint8Array) && fitsChannel(value);
const isText =
  (length: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= length;
const isOneOf =
  (words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);

const isName = isText(200);
const isCode = isText(limits.codeLength);
const isMessage = isText(limits.messageLength);
const isLevel = isOneOf(['debug', 'info', 'warn', 'error'] satisfies LogLevel[]);
const isReason = isOneOf([
  'exited',
  'memory',
  'cpu',
  'stuck',
  'protocol',
  'disconnected',
] satisfies EndingReason[]);

const isMeasuredUsage: Check = (value) =>
  isRecord(value) &&
  Object.keys(value).length === 4 &&
  isId(value['sandbox']) &&
  isAmount(value['cpuMs']) &&
  isAmount(value['pausedMs']) &&
  isAmount(value['memoryBytes']);

const hostShapes: Shapes<HostFrame> = {
  boot: { selfTest: isFlag, body: isBody },
  start: {
    sandbox: isId,
    memoryMb: isAmount,
    cpuMsPerSecond: isAmount,
    wasm: isFlag,
    services: isText(100_000),
    body: isBody,
  },
  call: {
    sandbox: isId,
    call: isId,
    method: isName,
    viewer: isText(limits.viewerLength),
    timeoutMs: isAmount,
    body: isBody,
  },
  cancel: { sandbox: isId, call: isId },
  answer: { sandbox: isId, call: isId, body: isBody },
  refusal: { sandbox: isId, call: isId, code: isCode, message: isMessage },
  stop: { sandbox: isId },
  beat: { beat: isId },
};

const reportShapes: Shapes<GuestReport> = {
  started: {},
  'not-started': { message: isMessage, stack: isText(limits.stackLength) },
  returned: { call: isId, body: isBody },
  threw: { call: isId, code: isCode, message: isMessage },
  stack: { call: isId, text: isText(limits.stackLength) },
  'unknown-handler': { call: isId },
  'host-call': {
    call: isId,
    dispatch: isId,
    service: isName,
    method: isName,
    as: isName,
    body: isBody,
  },
  log: { level: isLevel, text: isText(limits.logLineLength) },
};

const guestShapes: Shapes<GuestReport | GuestRequest> = {
  ...reportShapes,
  wake: { ms: isAmount },
  digest: { call: isId, algorithm: isName, body: isBody },
};

const kernelShapes: Shapes<KernelFrame> = {
  started: { sandbox: isId },
  'not-started': { sandbox: isId, ...reportShapes['not-started'] },
  returned: { sandbox: isId, ...reportShapes.returned },
  threw: { sandbox: isId, ...reportShapes.threw },
  stack: { sandbox: isId, ...reportShapes.stack },
  'unknown-handler': { sandbox: isId, ...reportShapes['unknown-handler'] },
  'host-call': { sandbox: isId, ...reportShapes['host-call'] },
  log: { sandbox: isId, ...reportShapes.log },
  ready: {},
  'self-tested': { passed: isFlag },
  stopped: { sandbox: isId },
  gone: { sandbox: isId, reason: isReason, message: isMessage, fatal: isFlag },
  beat: {
    beat: isId,
    usage: (value) => Array.isArray(value) && value.length <= 1000 && value.every(isMeasuredUsage),
  },
};

/** The parsed frame, or `undefined` for a value that is not a frame of the kernel. */
export const parseHostFrame = parserOf<HostFrame>(hostShapes);
/** The parsed frame, or `undefined` for a value that is not a frame of a host process. */
export const parseKernelFrame = parserOf<KernelFrame>(kernelShapes);
/** The parsed frame, or `undefined` for a value that is not a frame of a guest. */
export const parseGuestFrame = parserOf<GuestReport | GuestRequest>(guestShapes);

function parserOf<Frame extends { readonly kind: string }>(
  shapes: Shapes<Frame>,
): (value: unknown) => Frame | undefined {
  const table = new Map(
    Object.entries<Record<string, Check>>(shapes).map(([kind, fields]) => [
      kind,
      Object.entries(fields),
    ]),
  );
  return (value) => {
    if (!isRecord(value) || typeof value['kind'] !== 'string') return undefined;
    const fields = table.get(value['kind']);
    if (fields === undefined || Object.keys(value).length !== fields.length + 1) return undefined;
    for (const [field, isFit] of fields) {
      if (!Object.hasOwn(value, field) || !isFit(value[field])) return undefined;
    }
    // Every field of the kind was checked, and there are no others.
    return value as unknown as Frame;
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
