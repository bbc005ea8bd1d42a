import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../test/support/fake-clock.ts';
import { bearer, createTestApp, testViewers } from '../../test/support/servers/http.ts';
import type { HttpApp, Mount } from './http-app.ts';
import { NoContent } from '../contract/resources/schema-parts.ts';

const schema = { summary: 'Write', response: { 204: NoContent } } as const;

/** A route for each budget, one that reads, and one for everybody. */
const routes: Mount = (app) => {
  const configs = {
    usual: { access: 'guest' },
    often: { access: 'user', writes: 'often' },
    ends: { access: 'guest', writes: 'endsCredentials' },
    open: { access: 'nobody' },
  } as const;
  for (const [name, config] of Object.entries(configs))
    app.put(`/api/${name}`, { config, schema }, async (_request, reply) => reply.code(204).send());
  app.get('/api/usual', { config: configs.usual, schema }, async (_request, reply) =>
    reply.code(204).send(),
  );
};

let app: HttpApp;
let clock: FakeClock;

/** The user from a second session, with the same id. */
const second = { ...testViewers['user'], credentialId: 'another session' };

beforeEach(async () => {
  clock = createFakeClock();
  const viewers = { ...testViewers, second };
  app = await createTestApp([routes], {
    steady: clock,
    authenticate: async ({ authorization = '' }) => {
      const viewer = viewers[authorization.slice('Bearer '.length) as 'second'];
      return {
        viewer: viewer as (typeof testViewers)['user'] & object,
        isLocked: false,
        routes: null,
      };
    },
  });
  onTestFinished(() => app.close());
});

const put = (route: string, who: string) =>
  app.inject({ method: 'PUT', url: `/api/${route}`, headers: bearer(who) });

/** How many of so many are served. */
async function served(times: number, route: string, who: string): Promise<number> {
  const replies = [];
  for (let no = 0; no < times; no += 1) replies.push(await put(route, who));
  return replies.filter(({ statusCode }) => statusCode === 204).length;
}

describe('the writes of a person', () => {
  test('are refused above their budget, with the seconds to wait', async () => {
    expect(await served(60, 'usual', 'user')).toBe(60);

    const reply = await put('usual', 'user');

    expect(reply.statusCode).toBe(429);
    expect(reply.headers['retry-after']).toBe('1');
    expect(reply.json()).toEqual({
      error: 'Your account sends too many changes at once. Wait 1 s, then try again.',
      code: 'too_often',
    });
    await clock.advance(1000);
    expect(await served(2, 'usual', 'user')).toBe(1);
  });

  test('sent at once get no more than their budget', async () => {
    const atOnce = (times: number, route: string, who: string): Promise<number> =>
      Promise.all(Array.from({ length: times }, async () => await put(route, who))).then(
        (replies) => replies.filter(({ statusCode }) => statusCode === 204).length,
      );
    await served(58, 'usual', 'user');
    await served(595, 'often', 'user');
    await served(29, 'ends', 'user');

    expect(await atOnce(20, 'usual', 'user')).toBe(2);
    expect(await atOnce(20, 'often', 'user')).toBe(5);
    expect(await atOnce(20, 'ends', 'user')).toBe(1);
  });

  test('share a budget over all sessions and keys of the user, and not with other users', async () => {
    expect(await served(61, 'usual', 'user')).toBe(60);

    expect(await served(1, 'usual', 'second')).toBe(0);
    expect(await served(1, 'usual', 'guest')).toBe(1);
  });

  test('of a kind that players send often have a budget of their own, for hundreds at once', async () => {
    expect(await served(601, 'often', 'user')).toBe(600);
    await clock.advance(1000);
    expect(await served(30, 'often', 'user')).toBe(20);
    expect(await served(1, 'usual', 'user')).toBe(1);
  });

  test('that end a credential cannot be kept back by another credential of the user', async () => {
    expect(await served(31, 'ends', 'second')).toBe(30);
    expect(await served(60, 'usual', 'second')).toBe(60);

    expect(await served(1, 'ends', 'user')).toBe(1);
  });

  test('are not limited for admins, and reading is not limited', async () => {
    expect(await served(70, 'usual', 'admin')).toBe(70);
    await served(61, 'usual', 'user');

    const reply = await app.inject({ url: '/api/usual', headers: bearer('user') });

    expect(reply.statusCode).toBe(204);
  });
});
