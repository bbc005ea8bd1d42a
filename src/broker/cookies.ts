import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionLifetimeMs } from './sessions.ts';

/** A browser takes it over https, or from `localhost`, for this host and the whole of it. */
const name = '__Host-sid';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const form = /^[\w-]{43}$/;

/** The token of the session, if the request came with one. */
export function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((one) => one.trim().split('='));
  const values = pairs.filter(([key]) => key === name).map(([, value = '']) => value);
  const [value = ''] = values;
  return values.length === 1 && form.test(value) ? value : null;
}

/** Gives the browser a session. */
export function giveCookie(reply: FastifyReply, token: string): void {
  const age = sessionLifetimeMs / 1000;
  void reply.header('set-cookie', `${name}=${token}; Max-Age=${age}; ${attributes}`);
}

/** Takes it away. */
export function dropCookie(reply: FastifyReply): void {
  void reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes}`);
}
