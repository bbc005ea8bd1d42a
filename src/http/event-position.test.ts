import { Type } from '@sinclair/typebox';
import { expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../test/support/servers/http.ts';
import type { Mount } from './http-app.ts';
import { Body } from '../contract/resources/schema-parts.ts';

const Nothing = Type.Object({});

let at = 0;

/** Routes during which something happens. */
const routes: Mount = (app) => {
  const schema = { summary: 'Look', response: { 200: Nothing } };
  const happen = async (): Promise<object> => {
    at += 1;
    return {};
  };
  app.get('/api/look', { config: { access: 'guest' }, schema }, happen);
  app.get('/api/anyone', { config: { access: 'nobody' }, schema }, happen);
  app.post(
    '/api/change',
    { config: { access: 'guest' }, schema: { ...schema, body: Body({}) } },
    happen,
  );
};

test('the reply to a read of a viewer tells the event before the read, and no other reply does', async () => {
  const app = await createTestApp([routes], { eventPosition: () => `feed.${at}` });
  onTestFinished(() => app.close());
  const told = async (method: 'GET' | 'POST', url: string, headers = {}): Promise<unknown> =>
    (await app.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) })).headers[
      'x-event-id'
    ];

  expect([
    await told('GET', '/api/look', bearer('guest')),
    await told('GET', '/api/look', bearer('guest')),
    await told('GET', '/api/look'),
    await told('GET', '/api/anyone'),
    await told('POST', '/api/change', bearer('admin')),
  ]).toEqual(['feed.0', 'feed.1', undefined, undefined, undefined]);
});
