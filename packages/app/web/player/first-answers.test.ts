import type Hls from 'hls.js';
import type { LoaderCallbacks, LoaderConfiguration, LoaderContext } from 'hls.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askFirst, loadersOver } from './first-answers.ts';

/** A reply of a server, written by hand. */
function openReply() {
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  let answer: (reply: Response) => void = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => void (body = controller),
  });
  const given = new Promise<Response>((resolve) => (answer = resolve));
  const write = (text: string): void => body?.enqueue(new TextEncoder().encode(text));
  const begin = (status = 200): void => answer(new Response(stream, { status }));
  return {
    given,
    begin,
    write,
    end: (text = '') => {
      if (text !== '') write(text);
      body?.close();
    },
    fail: () => body?.error(new TypeError('The connection broke off.')),
  };
}

let reply = openReply();
let isAborted = false;

beforeEach(() => {
  reply = openReply();
  isAborted = false;
  vi.stubGlobal('location', { href: 'https://films.example.org/watch' });
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    signal?.addEventListener('abort', () => (isAborted = true));
    return reply.given;
  });
});

afterEach(() => vi.unstubAllGlobals());

/** Asks for a segment, and has hls.js load it. What hls.js hears is in `heard`. */
function load(given: { readonly highWaterMark?: number } = {}, together: string | null = null) {
  const heard: string[] = [];
  const others: string[] = [];
  const events = new EventTarget();
  const hear = (what: string): void => {
    heard.push(what);
    events.dispatchEvent(new Event(what));
  };
  const own = class {
    stats = { loading: { start: 0, first: 0, end: 0 }, loaded: 0, total: 0 };
    load = ({ url }: LoaderContext) => others.push(url) && hear('asked again');
    abort(): void {}
    destroy(): void {}
  };
  const Player = { DefaultConfig: { loader: own } } as unknown as typeof Hls;
  const first = askFirst(['/init.mp4', '/1.m4s'].slice(together === null ? 1 : 0), together);
  const { fLoader: Loader, progressive } = loadersOver(first, Player);
  if (Loader === undefined) throw new Error('There is no loader of segments.');
  const loader = new Loader({} as never);
  const textOf = (data: unknown): string => new TextDecoder().decode(data as ArrayBuffer);
  const callbacks: LoaderCallbacks<LoaderContext> = {
    onProgress: (_, __, data) => hear(`part ${textOf(data)}`),
    onSuccess: ({ data }) => hear(`all ${textOf(data)}`),
    onError: ({ code }) => hear(`error ${code}`),
    onTimeout: () => hear('timeout'),
  };
  const context = { url: '/1.m4s', responseType: 'arraybuffer' } as LoaderContext;
  const config = { highWaterMark: 4, ...given } as LoaderConfiguration;
  loader.load(context as never, config, callbacks);
  const until = (what: string): Promise<unknown> =>
    heard.includes(what)
      ? Promise.resolve()
      : new Promise((resolve) => events.addEventListener(what, resolve, { once: true }));
  return { heard, others, until, loader, first, progressive };
}

test('hls.js gets the beginning of a segment before the end is there', async () => {
  const { heard, until, loader, progressive } = load();

  reply.begin();
  reply.write('begin');
  await until('part begin');
  reply.end('end');
  await until('all ');

  expect([heard, progressive]).toEqual([['part begin', 'part end', 'all '], true]);
  expect([loader.stats.loaded, loader.stats.total]).toEqual([8, 8]);
});

test('each part is at least half as large as all before it, so that hls.js copies little', async () => {
  const { heard, until } = load();

  reply.begin();
  reply.write('beginning');
  await until('part beginning');
  reply.write('four');
  reply.write('more');
  await until('part fourmore');
  reply.end('end');
  await until('all ');

  expect(heard).toEqual(['part beginning', 'part fourmore', 'part end', 'all ']);
});

test('what hls.js wants whole, as an init segment, it gets whole', async () => {
  const { heard, until } = load({ highWaterMark: Infinity });

  reply.begin();
  reply.write('begin');
  reply.end('end');
  await until('all beginend');

  expect(heard).toEqual(['part beginend', 'all beginend']);
});

test('an answer that fails before its first part is asked for again', async () => {
  const { others, until } = load();

  reply.begin(503);
  await until('asked again');

  expect(others).toEqual(['/1.m4s']);
});

test('an answer that breaks off is an error, since its first part was given', async () => {
  const { heard, others, until } = load();

  reply.begin();
  reply.write('begin');
  await until('part begin');
  reply.fail();
  await until('error 0');

  expect([heard, others]).toEqual([['part begin', 'error 0'], []]);
});

test('one answer has them all, each in its place', async () => {
  const { heard, until } = load({}, '/first');

  reply.begin();
  reply.write('[["init.mp4", 4], ["1.m4s"');
  reply.write(', 8]]\ninitbegin');
  await until('part begin');
  reply.end('end');
  await until('all ');

  expect(heard).toEqual(['part begin', 'part end', 'all ']);
});

test('what the one answer lacks is asked for again', async () => {
  const { others, until } = load({}, '/first');

  reply.begin();
  reply.end('[["init.mp4", 4]]\ninit');
  await until('asked again');

  expect(others).toEqual(['/1.m4s']);
});

test('the one answer is not read on when nothing of it is wanted any longer', () => {
  const { first, loader } = load({}, '/first');

  first.drop();
  const before = isAborted;
  loader.destroy();

  expect([before, isAborted]).toEqual([false, true]);
});
