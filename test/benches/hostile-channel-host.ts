/**
 * A host process in the hands of an attacker. What it is called with names a shape by its number; it
 * sends that, waits until each of its host calls is answered, and then answers the call. Built into one
 * file by the bench, since it may read only itself.
 */
import type { Buffer } from 'node:buffer';
import { Socket } from 'node:net';
import {
  parseHostFrame,
  type HostFrame,
  type KernelFrame,
} from '../../kernel/run/sandbox/frames.ts';
import { createBatchReader, encodeBatches } from '../../kernel/run/sandbox/wire.ts';
import { hostileMessages } from './hostile-messages.ts';

type Call = Extract<HostFrame, { readonly kind: 'call' }>;

const toKernel = new Socket({ fd: 3, readable: false, writable: true });
const fromKernel = new Socket({ fd: 4, readable: true, writable: false });
const exit = (): void => process.exit(0);
fromKernel.on('end', exit);
fromKernel.on('error', exit);
toKernel.on('error', exit);
const waiting = new Map<number, () => void>();
let nextCall = 1;

function send(...frames: readonly KernelFrame[]): void {
  for (const batch of encodeBatches(frames)) toKernel.write(batch);
}

const reader = createBatchReader({
  onFrame: (value) => {
    const frame = parseHostFrame(value);
    if (frame !== undefined) handle(frame);
    return true;
  },
});
fromKernel.on('data', (chunk: Buffer) => void reader.push(chunk));

function handle(frame: HostFrame): void {
  if (frame.kind === 'boot') send({ kind: 'ready' }, { kind: 'self-tested', passed: true });
  if (frame.kind === 'start') send({ kind: 'started', sandbox: frame.sandbox });
  if (frame.kind === 'beat') send({ kind: 'beat', beat: frame.beat, usage: [] });
  if (frame.kind === 'answer' || frame.kind === 'refusal') waiting.get(frame.call)?.();
  if (frame.kind === 'call') attack(frame);
}

function attack(call: Call): void {
  const { sandbox } = call;
  const message = hostileMessages[Number(/"shape":(\d+)/.exec(String(call.body))?.[1])];
  const answer = (body: string): void => send({ kind: 'returned', sandbox, call: call.call, body });
  if (message === undefined) answer('');
  else if (message.carrier === 'bytes') {
    toKernel.write(message.bytes(sandbox));
    answer('');
  } else {
    const text = message.text();
    const asked = hostCalls[message.carrier]?.(text);
    if (asked === undefined) answer(text);
    else ask(call, asked, () => answer(''));
  }
}

/** Of a text that goes to a service; all others are answers of a handler. */
const hostCalls: Readonly<Record<string, (text: string) => HostCall>> = {
  call: (body) => ({ service: 'no', method: 'such', body }),
  kv: (text) => ({ service: 'kv', method: 'set', body: `{"key":"k","value":${text}}` }),
  batch: (text) => ({
    service: 'kv',
    method: 'batch',
    body: `{"set":[{"key":"a","value":${text}},{"key":"b","value":${text}}]}`,
  }),
  index: (text) => ({ service: 'textIndex', method: 'put', body: `{"documents":${text}}` }),
};

interface HostCall {
  readonly service: string;
  readonly method: string;
  readonly body: string;
}

/** Three at once, as far as they are not long. */
function ask({ sandbox, call: dispatch }: Call, call: HostCall, whenAnswered: () => void): void {
  const calls = Array.from({ length: call.body.length > 1_500_000 ? 1 : 3 }, () => nextCall++);
  const open = new Set(calls);
  for (const one of calls)
    waiting.set(one, () => {
      waiting.delete(one);
      open.delete(one);
      if (open.size === 0) whenAnswered();
    });
  send(
    ...calls.map(
      (one) => ({ kind: 'host-call', sandbox, call: one, dispatch, as: '', ...call }) as const,
    ),
  );
}
