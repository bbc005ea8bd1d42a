import {
  parseGuestFrame,
  parseHostFrame,
  parseKernelFrame,
} from '../../../../kernel/run/sandbox/frames.ts';
import type { ValueClass } from '../attempt.ts';

const call = {
  kind: 'host-call',
  sandbox: 1,
  call: 1,
  dispatch: 1,
  service: 'kv',
  method: 'get',
  as: '',
  body: '{}',
};
const threw = { kind: 'threw', sandbox: 1, call: 1, code: 'x', message: 'x' };
const huge = 'x'.repeat(9 * 2 ** 20);

/** Frames of a host process that speaks for its guests, and lies. */
export const frames: ValueClass = {
  name: 'frames of a host process',
  honest: call,
  attempts: {
    'of no known kind': { kind: 'exec', cmd: 'id' },
    'of a kind of prototypes': { kind: '__proto__' },
    'of a kind of constructors': { kind: 'constructor' },
    'of a kind that is a list': { kind: ['ready'] },
    'without a kind': { sandbox: 1 },
    'of the other direction': { kind: 'stop', sandbox: 1 },
    'a call with a key too many': { ...call, admin: true },
    'a call without its method': { kind: 'host-call', sandbox: 1, call: 1, dispatch: 1, service: 'kv', as: '', body: '{}' },
    'a call in no dispatch': { kind: 'host-call', sandbox: 1, call: 1, service: 'kv', method: 'get', as: '', body: '{}' },
    'a call for a profile without end': { ...call, as: 'x'.repeat(201) },
    'a call for a profile that is an object': { ...call, as: { toString: 'ada' } },
    'a call that leaves out for whom': { kind: 'host-call', sandbox: 1, call: 1, dispatch: 1, service: 'kv', method: 'get', body: '{}' },
    'a call in a dispatch that is a text': { ...call, dispatch: '1' },
    'a call with a viewer of its own': { ...call, viewer: null },
    'a call whose service is an object': { ...call, service: { toString: 'kv' } },
    'a call whose number is a text': { ...call, call: '1' },
    'a call whose number is below zero': { ...call, call: -1 },
    'a call whose number is a fraction': { ...call, call: 1.5 },
    'a call whose number is too large': { ...call, call: 2 ** 60 },
    'a call whose number is none': { ...call, call: Number.NaN },
    'a call of a sandbox that is a text': { ...call, sandbox: '1' },
    'a call with a name without end': { ...call, method: 'x'.repeat(201) },
    'a call with a body above the limit': { ...call, body: huge },
    'a call with a body that is an object': { ...call, body: { length: 1 } },
    'a call with a body that is a list': { ...call, body: [1, 2, 3] },
    'inherited fields': Object.create(call) as unknown,
    'inherited fields behind own ones': Object.assign(Object.create(call) as object, { kind: 'host-call', a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 }),
    'an error with a message without end': { ...threw, message: 'x'.repeat(501) },
    'an error with a code without end': { ...threw, code: 'x'.repeat(65) },
    'a line without end': { kind: 'log', sandbox: 1, level: 'info', text: 'x'.repeat(2001) },
    'a line of no level': { kind: 'log', sandbox: 1, level: 'fatal', text: 'x' },
    'an end for a reason of its own': { kind: 'gone', sandbox: 1, reason: 'updated', message: '', fatal: false },
    'an end that is not sure': { kind: 'gone', sandbox: 1, reason: 'memory', message: '', fatal: 'yes' },
    'a self-test that is a text': { kind: 'self-tested', passed: 'true' },
    'a use below zero': { kind: 'beat', beat: 1, usage: [{ sandbox: 1, cpuMs: -1, memoryBytes: 1 }] },
    'a use without end': { kind: 'beat', beat: 1, usage: Array.from({ length: 1001 }, () => ({ sandbox: 1, cpuMs: 1, memoryBytes: 1 })) },
    'a use of infinity': { kind: 'beat', beat: 1, usage: [{ sandbox: 1, cpuMs: Infinity, memoryBytes: 1 }] },
    'a list': [call],
    'a text': 'ready',
    'nothing': null,
  },
  wins: (value: unknown) => parseKernelFrame(value) !== undefined,
}; // oxfmt-ignore

const wish = { kind: 'wake', ms: 10 };

/** Frames of a guest whose runtime was taken over. */
export const guestFrames: ValueClass = {
  name: 'frames of a guest',
  honest: wish,
  attempts: {
    'the end of its sandbox': { kind: 'gone', reason: 'memory', message: '', fatal: true },
    'a sandbox of another': { kind: 'returned', sandbox: 2, call: 1, body: '{}' },
    'that it is ready': { kind: 'ready' },
    'that its engine is sound': { kind: 'self-tested', passed: true },
    'a beat': { kind: 'beat', beat: 1, usage: [] },
    'a start': { kind: 'start', sandbox: 2, memoryMb: 1, cpuMsPerSecond: 0, wasm: true, services: '{}', body: '' },
    'a timer in the past': { kind: 'wake', ms: -1 },
    'a timer that never comes': { kind: 'wake', ms: Number.NaN },
    'a timer that is a text': { kind: 'wake', ms: '10' },
    'a digest of an object': { kind: 'digest', call: 1, algorithm: 'SHA-1', body: {} },
    'a digest by a name without end': { kind: 'digest', call: 1, algorithm: 'x'.repeat(201), body: '' },
    'an answer without a body': { kind: 'returned', call: 1 },
    'an answer to no call': { kind: 'returned', call: 0, body: '{}' },
  },
  wins: (value: unknown) => parseGuestFrame(value) !== undefined,
}; // oxfmt-ignore

/** Frames that somebody sends to a host process in the kernel's place. */
export const hostFrames: ValueClass = {
  name: 'frames for a host process',
  honest: { kind: 'stop', sandbox: 1 },
  attempts: {
    'code': { kind: 'eval', body: 'process.exit()' },
    'a start with a key too many': { kind: 'start', sandbox: 1, memoryMb: 1, cpuMsPerSecond: 0, wasm: false, services: '{}', body: '', unsafe: true },
    'a start without a limit': { kind: 'start', sandbox: 1, cpuMsPerSecond: 0, wasm: false, services: '{}', body: '' },
    'a start with a limit that is none': { kind: 'start', sandbox: 1, memoryMb: Number.NaN, cpuMsPerSecond: 0, wasm: false, services: '{}', body: '' },
    'a start with WebAssembly by a text': { kind: 'start', sandbox: 1, memoryMb: 1, cpuMsPerSecond: 0, wasm: 'no', services: '{}', body: '' },
    'a call without a deadline': { kind: 'call', sandbox: 1, call: 1, method: 'x', viewer: '', body: '' },
    'a call with a deadline of infinity': { kind: 'call', sandbox: 1, call: 1, method: 'x', viewer: '', timeoutMs: Infinity, body: '' },
    'an answer of an object': { kind: 'answer', sandbox: 1, call: 1, body: {} },
    'a frame of the other direction': { kind: 'ready' },
    'nothing': undefined,
  },
  wins: (value: unknown) => parseHostFrame(value) !== undefined,
}; // oxfmt-ignore
