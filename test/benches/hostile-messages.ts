/**
 * A thousand shapes of messages that a host process in the hands of an attacker could send, the same
 * ones each time: texts that are long to read, in every place where a text goes, and batches that are
 * batches only from afar.
 */
import { Buffer } from 'node:buffer';

/** How a text reaches the server. */
export const carriers = [
  'action',
  'view',
  'hook',
  'event',
  'call',
  'kv',
  'batch',
  'index',
] as const;

/** One message: a text and where it goes, or bytes as they stand on the channel. */
export type HostileMessage =
  | {
      readonly name: string;
      readonly carrier: (typeof carriers)[number];
      readonly text: () => string;
    }
  | {
      readonly name: string;
      readonly carrier: 'bytes';
      readonly bytes: (sandbox: number) => Buffer;
    };

type Make = (length: number) => string;

const until = (length: number, part: (at: number) => string): string => {
  const parts: string[] = [];
  for (let at = 0, size = 0; size < length; at += 1) {
    const next = part(at);
    parts.push(next);
    size += next.length + 1;
  }
  return parts.join();
};
const list =
  (part: (at: number) => string): Make =>
  (length) =>
    `[${until(length, part)}]`;
const object =
  (part: (at: number) => string): Make =>
  (length) =>
    `{${until(length, part)}}`;
const text =
  (piece: string): Make =>
  (length) =>
    `"${piece.repeat(Math.max(1, Math.floor(length / piece.length)))}"`;
/** The same numbers each time, spread over 32 bits. */
const spread = (at: number): number => Math.imul(at + 1, 0x9e3779b1) >>> 0;

/** Texts that are JSON, and some that only begin like it. */
const texts: Readonly<Record<string, Make>> = {
  'empty objects': list(() => '{}'),
  'empty lists': list(() => '[]'),
  digits: list(() => '1'),
  'one long number': (length) => `[${'9'.repeat(length)}]`,
  'long fractions': list((at) => `0.${String(spread(at)).repeat(30)}e-300`),
  'strings of their own': list((at) => `"s${spread(at)}"`),
  'escaped strings': list((at) => `"\\u00e9${spread(at)}"`),
  'keys of their own': object((at) => `"k${spread(at)}":1`),
  'keys that are numbers': object((at) => `"${spread(at)}":1`),
  'objects with a key of their own': list((at) => `{"k${spread(at)}":{}}`),
  'the same key': object(() => '"a":{}'),
  'keys to the prototype': list(() => '{"__proto__":{"constructor":1}}'),
  'lists as deep as may be': list(() => `${'['.repeat(30)}${']'.repeat(30)}`),
  'objects as deep as may be': list(() => `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`),
  'too deep': (length) => '['.repeat(length),
  'one long text': text('x'),
  'a text of wide characters': text('\u4e00'),
  'a text of escapes': text('\\u4e00'),
  'a text of quotes': text('\\"'),
  'a text of backslashes': text('\\\\'),
  spaces: (length) => `[${' '.repeat(length)}]`,
  'a text without an end': (length) => `"${'\\'.repeat(length)}`,
  words: list(() => 'true'),
  'no JSON at its end': (length) => `[${until(length, () => '{}')},`,
};

const kibibyte = 1024;
/** Below and above the limits of values, of an answer and of a body. */
const lengths = [60, 290, 1000, 8000].map((size) => size * kibibyte);

/** A batch with this header and these bodies, its lengths as they are or as they are said to be. */
function batch(
  header: string,
  bodies: Buffer = Buffer.alloc(0),
  said?: readonly [number, number],
): Buffer {
  const head = Buffer.from(header);
  const start = Buffer.alloc(8);
  start.writeUInt32LE(said?.[0] ?? 4 + head.length + bodies.length, 0);
  start.writeUInt32LE(said?.[1] ?? head.length, 4);
  return Buffer.concat([start, head, bodies]);
}

const times = (count: number, frame: string): string =>
  `[${new Array<string>(count).fill(frame).join()}]`;

/** Frames of the right form; `S` is the sandbox. */
const frames: Readonly<Record<string, string>> = {
  ready: '{"kind":"ready"}',
  'self-tested': '{"kind":"self-tested","passed":true}',
  started: '{"kind":"started","sandbox":S}',
  stopped: '{"kind":"stopped","sandbox":S}',
  'gone of another': '{"kind":"gone","sandbox":99,"reason":"cpu","message":"","fatal":false}',
  'unknown handler': '{"kind":"unknown-handler","sandbox":S,"call":4000000}',
  threw: '{"kind":"threw","sandbox":S,"call":4000000,"code":"x","message":"m"}',
  log: '{"kind":"log","sandbox":S,"level":"info","text":"line"}',
  'log of control characters': `{"kind":"log","sandbox":S,"level":"error","text":"${'\\u001b'.repeat(200)}"}`,
  'call of nothing':
    '{"kind":"host-call","sandbox":S,"call":7,"dispatch":1,"service":"no","method":"such","as":"","body":0}',
  'a beat of now': '{"kind":"beat","beat":1,"usage":[]}',
  'a beat of a thousand': `{"kind":"beat","beat":2,"usage":${times(1000, '{"sandbox":S,"cpuMs":1,"pausedMs":0,"memoryBytes":1}')}}`,
  'not a frame': '{}',
  'a number': '1',
  'a prototype': '{"kind":"__proto__"}',
  'a field too many': '{"kind":"ready","more":1}',
};

const counts = [1, 100, 2000, 4096, 5000, 100_000, 400_000];

function* rawMessages(): Generator<HostileMessage> {
  const bytes = (
    name: string,
    make: (frame: (text: string) => string) => Buffer,
  ): HostileMessage => ({
    name,
    carrier: 'bytes',
    bytes: (sandbox) => make((frame) => frame.replaceAll('S', String(sandbox))),
  });
  for (const [name, frame] of Object.entries(frames)) {
    for (const count of counts)
      yield bytes(`${count} frames in a batch: ${name}`, (of) => batch(times(count, of(frame))));
    for (const count of [100, 2000, 20_000])
      yield bytes(`${count} batches: ${name}`, (of) =>
        Buffer.concat(new Array<Buffer>(count).fill(batch(`[${of(frame)}]`))),
      );
  }
  for (const [name, make] of Object.entries(texts))
    for (const length of lengths)
      yield bytes(`a header of ${length}: ${name}`, () => batch(make(length)));
  const body = (said: number): string =>
    `[{"kind":"returned","sandbox":S,"call":4000000,"body":${said}}]`;
  for (const mebibytes of [1, 4, 8]) {
    const size = mebibytes * 1024 * kibibyte;
    for (const [name, filling] of Object.entries({
      text: 0x61,
      'wide text': 0xc3,
      'no UTF-8': 0xff,
      zeros: 0,
    }))
      yield bytes(`a body of ${size}: ${name}`, (of) =>
        batch(of(body(size)), Buffer.alloc(size, filling)),
      );
    yield bytes(`bytes of ${size}`, (of) => batch(of(body(-1 - size)), Buffer.alloc(size)));
  }
  for (const said of [-1, 1, 1e15, 0.5])
    yield bytes(`a body of ${said} in a batch without one`, (of) => batch(of(body(said))));
  for (const said of [0, 3, 5, 2 ** 31, 2 ** 32 - 1])
    yield bytes(`a batch that says ${said}`, () => batch('[1]', undefined, [said, 3]));
  for (const said of [0, 4, 2 ** 20 + 1, 2 ** 32 - 1])
    yield bytes(`a header that says ${said}`, () => batch('[1]', undefined, [2 ** 23, said]));
}

function* carriedMessages(): Generator<HostileMessage> {
  for (const [name, make] of Object.entries(texts))
    for (const length of lengths)
      for (const carrier of carriers)
        yield { name: `${carrier} with ${length}: ${name}`, carrier, text: () => make(length) };
}

/** A thousand, each with a number that is its place. */
export const hostileMessages: readonly HostileMessage[] = [
  ...rawMessages(),
  ...carriedMessages(),
].slice(0, 1000);
