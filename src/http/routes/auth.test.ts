import { describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../../test/support/http.ts';
import { mount } from '../http-app.ts';
import { authRoutes } from './auth.ts';

describe('GET /api/auth/me', () => {
  test('tells whom the credential stands for', async () => {
    const app = await createTestApp([mount(authRoutes, {})]);
    onTestFinished(() => app.close());

    const reply = await app.inject({
      url: '/api/auth/me',
      headers: bearer('guest-of-films'),
    });

    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      credentialId: 'key-of-guest',
      role: 'guest',
      libraryIds: ['films'],
      readOnly: false,
    });
  });

  test('refuses a request without a credential with 401 and says how to send one', async () => {
    const app = await createTestApp([mount(authRoutes, {})]);
    onTestFinished(() => app.close());

    const reply = await app.inject({ url: '/api/auth/me' });

    expect(reply.statusCode).toBe(401);
    expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(reply.json()).toEqual({
      error: 'This needs a credential: send the header Authorization: Bearer <token>.',
    });
  });
});
