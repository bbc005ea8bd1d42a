import { expect } from 'vitest';
import { createApiCall, type ApiCall } from '../../../packages/app/client/index.ts';
import type { HttpApp } from '../../../src/http/index.ts';
import { bearer } from './http.ts';

/** Typed calls to a test app as one of its viewers; a refusal fails the test. */
export const callsOver = (app: HttpApp, viewer: string): ApiCall =>
  createApiCall(async (url, { method = 'GET', body } = {}) => {
    const reply = await app.inject({
      method: method as 'GET',
      url,
      headers: { ...bearer(viewer), ...(body && { 'content-type': 'application/json' }) },
      ...(typeof body === 'string' && { payload: body }),
    });
    expect({ url, status: reply.statusCode }).toEqual({ url, status: expect.toSatisfy(isGood) });
    return reply.payload === '' ? undefined : reply.json<unknown>();
  });

const isGood = (status: number): boolean => status >= 200 && status < 300;

/** Typed calls to a server; without a token they have no credential. */
export const callsTo = (base: string, token?: string): ApiCall =>
  createApiCall(async (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const reply = await fetch(`${base}${path}`, { ...init, headers });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${init.method} ${path}: ${reply.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  });
