/**
 * Sends the replies of routes that say `holdsNoSecret` in the coding that the client accepts, with a
 * strong entity tag, and answers 304 to a client that has the reply. Guarantees:
 *
 * - A reply of any other route is never compressed. Its length would tell an attacker, who can put
 *   guesses beside a secret, which guess is right (BREACH). So no coding is the default.
 * - Bytes that a cache sends repeatedly are hashed and compressed once, as long as they live.
 * - A stream is never held back: only replies that are complete in memory are compressed.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { HttpApp } from '../http-app.ts';
import { securityHeaders } from '../security-headers.ts';
import { chooseEncoding, encode } from './encodings.ts';
import { namesTag, tagInEncoding } from './entity-tags.ts';
import { createForms } from './forms.ts';
import { addVary } from './vary.ts';

/** Below it a coding saves nothing: the reply is one packet in any case. */
const smallestEncoded = 1024;

/** The client asks again each time, and gets 304 if its copy is right. */
const revalidated = 'private, no-cache';

/** Takes the replies of all routes before they are sent. */
export function deliverTexts(app: HttpApp): void {
  const forms = createForms(encode);

  /** The tag that a domain gave, or that of the bytes. */
  function tagOf(reply: FastifyReply, bytes: Buffer): string {
    const given = reply.getHeader('etag');
    return typeof given === 'string' ? given : forms.tag(bytes);
  }

  function deliver(
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    bytes: Buffer,
  ): unknown {
    const accepted = chooseEncoding(request.headers['accept-encoding']);
    const encoding = bytes.length < smallestEncoded ? null : accepted;
    const tag = tagInEncoding(tagOf(reply, bytes), encoding);
    void reply.header('etag', tag);
    if (namesTag(request.headers['if-none-match'], tag)) return notModified(request, reply);
    if (encoding === null) return bytes;
    void reply.header('content-encoding', encoding);
    const form = forms.encoded(bytes, encoding);
    return Buffer.isBuffer(form)
      ? withLength(reply, form)
      : form.then((made) => withLength(reply, made));
  }

  /** The payload to send in place of this one, or a promise of it. */
  function prepare(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (request.routeConfig.holdsNoSecret !== true || !isRead) return payload;
    if (reply.statusCode === 304) tagNotModified(request, reply);
    if (reply.statusCode !== 200) return payload;
    // Files of the build come compressed already.
    if (reply.hasHeader('content-encoding')) return payload;
    addVary(reply, 'Accept-Encoding');
    if (reply.getHeader('cache-control') === securityHeaders['cache-control'])
      void reply.header('cache-control', revalidated);
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    return Buffer.isBuffer(bytes) ? deliver({ request, reply }, bytes) : payload;
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const sent = prepare(request, reply, payload);
    if (sent instanceof Promise) sent.then((made: unknown) => done(null, made), done);
    else done(null, sent);
  });
}

function withLength(reply: FastifyReply, bytes: Buffer): Buffer {
  void reply.header('content-length', bytes.length);
  return bytes;
}

/** The route of a HEAD request replaces its payload, and takes streams and texts only. */
function notModified({ method }: FastifyRequest, reply: FastifyReply): Readable | null {
  void reply.code(304).removeHeader('content-length').removeHeader('content-type');
  return method === 'HEAD' ? Readable.from([]) : null;
}

/** A domain that compared plain tags found the one with the coding, or the one without. */
function tagNotModified({ headers }: FastifyRequest, reply: FastifyReply): void {
  const plain = reply.getHeader('etag');
  if (typeof plain !== 'string') return;
  addVary(reply, 'Accept-Encoding');
  const encoded = tagInEncoding(plain, chooseEncoding(headers['accept-encoding']));
  if (namesTag(headers['if-none-match'], encoded)) void reply.header('etag', encoded);
}
