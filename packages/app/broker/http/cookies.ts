import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionLifetimeMs } from '../accounts/sessions.ts';

/** Browsers accept the prefix over https or from `localhost` only, for this host and all paths. */
const name = '__Host-sid';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const form = /^[\w-]{43}$/;

/** The token of the session, if the request has one. */
export function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((one) => one.trim().split('='));
  const values = pairs.filter(([key]) => key === name).map(([, value = '']) => value);
  const [value = ''] = values;
  return values.length === 1 && form.test(value) ? value : null;
}

/** Sets the session cookie. */
export function giveCookie(reply: FastifyReply, token: string): void {
  const age = sessionLifetimeMs / 1000;
  void reply.header('set-cookie', `${name}=${token}; Max-Age=${age}; ${attributes}`);
}

/** Deletes the cookie. */
export function dropCookie(reply: FastifyReply): void {
  void reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes}`);
}
