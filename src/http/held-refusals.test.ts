import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { bearer, createTestApp } from '../../test/support/servers/http.ts';
import { NoContent } from '../contract/resources/schema-parts.ts';
import { AppError, tooOften } from '../platform/errors.ts';
import { errorRules } from './error-replies.ts';
import { HeldRefusals } from './held-refusals.ts';
import type { HttpApp, Mount } from './http-app.ts';

const schema = { summary: 'Ask', response: { 204: NoContent } } as const;

/** Routes that refuse, for people and for everybody, and one that answers. */
const routes: Mount = (app) => {
  const refuse = (): Promise<never> => Promise.reject(tooOften('You ask too often.', 1000));
  app.get('/api/often', { config: { access: 'guest' }, schema }, refuse);
  app.get('/api/open', { config: { access: 'nobody' }, schema }, refuse);
  app.get('/api/no', { config: { access: 'guest' }, schema }, () =>
    Promise.reject(new AppError('not_found', { what: 'It' })),
  );
};

/** Refusals wait for an hour: only their end by something else is seen. */
async function openApp(limits: object = {}): Promise<HttpApp> {
  const hour = { refusalMs: 3_600_000, ...limits };
  const app = await createTestApp([routes], { limits: hour });
  onTestFinished(() => app.close());
  return app;
}

/** A request that is sent now: the one of fastify is sent when it is waited for. */
const ask = async (app: HttpApp, url: string, who = 'user') =>
  await app.inject({ url, headers: bearer(who) });

describe('the refusal of a person who asks too often', () => {
  test('waits, while other answers go out, and goes out when the server stops', async () => {
    const app = await openApp();
    let isAnswered = false;
    const refused = ask(app, '/api/often').finally(() => (isAnswered = true));

    expect((await ask(app, '/api/no')).statusCode).toBe(404);
    expect((await app.inject({ url: '/api/open' })).statusCode).toBe(429);
    expect(isAnswered).toBe(false);

    await app.close();
    const reply = await refused;
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '1']);
  });

  test('is answered at once, as the last of its connection, where many of this person wait', async () => {
    const app = await openApp({ refusalsOfOne: 2 });
    const waiting = [ask(app, '/api/often'), ask(app, '/api/often')];

    const reply = await ask(app, '/api/often');

    expect([reply.statusCode, reply.headers.connection]).toEqual([429, 'close']);
    const others = ask(app, '/api/often', 'guest');
    expect(await Promise.race([others, ask(app, '/api/no')])).toMatchObject({ statusCode: 404 });
    await app.close();
    for (const { headers } of await Promise.all([...waiting, others]))
      expect(headers.connection).not.toBe('close');
  });

  test('counts no more as a request under way', async () => {
    const app = await openApp({ requests: 1 });
    const refused = ask(app, '/api/often');

    await eventually(
      'there is room again',
      async () => (await ask(app, '/api/no')).statusCode === 404,
    );

    await app.close();
    expect((await refused).statusCode).toBe(429);
  });

  test('is each one but that of the places for films, which tells of no haste', () => {
    const often = Object.entries(errorRules).filter(([, rule]) => rule?.status === 429);

    expect(often.filter(([, rule]) => !rule?.isTooOften).map(([code]) => code)).toEqual([
      'transcode_limit',
    ]);
  });
});

const limits = { refusalMs: 1000, refusalsOfOne: 2, refusals: 2 };
const newReply = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

describe('a refusal that waits', () => {
  test('waits for its time', async () => {
    const clock = createFakeClock();
    const held = new HeldRefusals({ limits, after: clock.after });
    let isOver = false;
    const waits = held.hold('kid', newReply()).then(() => (isOver = true));

    await clock.advance(999);
    expect([isOver, held.count]).toEqual([false, 1]);
    await clock.advance(1);
    await waits;

    expect([held.count, clock.timers()]).toEqual([0, 0]);
  });

  test('ends with its client, and leaves nothing behind', async () => {
    const clock = createFakeClock();
    const held = new HeldRefusals({ limits, after: clock.after });
    const [first, second] = [newReply(), newReply()];
    const waits = [held.hold('kid', first), held.hold('ada', second)];
    expect(await held.hold('eve', newReply())).toBe(false);

    first.emit('close');
    await waits[0];

    expect([held.count, clock.timers(), first.listenerCount('close')]).toEqual([1, 1, 0]);
    second.emit('close');
    expect(await Promise.all(waits)).toEqual([true, true]);
  });
});
