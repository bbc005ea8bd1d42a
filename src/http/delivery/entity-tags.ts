/**
 * Strong entity tags (RFC 9110, section 8.8.3) that differ by coding: the tag of the bytes, with the
 * name of the coding at its end. A reply that no domain has tagged gets the hash of its own bytes, so
 * a tag that one viewer has never matches the reply of another, unless both are equal.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding } from './encodings.ts';

/** The tag of a reply without a tag of its own. */
export const tagOfBytes = (bytes: Uint8Array): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;

/** The tag of the same reply in a coding. */
export const tagInEncoding = (tag: string, encoding: Encoding): string =>
  encoding === null ? tag : `${tag.slice(0, -1)}-${encoding}"`;

/** Whether `If-None-Match` names the tag; a weak tag matches too (section 13.1.2). */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

/**
 * `If-None-Match` for a domain, which knows nothing of codings: the tags of the coding that this
 * client gets, without its name, and those without a coding. Tags of another coding match nothing.
 */
export function plainTags({ headers }: FastifyRequest): string | undefined {
  const given = headers['if-none-match'];
  const encoding = chooseEncoding(headers['accept-encoding']);
  if (given === undefined || encoding === null) return given;
  return given.replaceAll(`-${encoding}"`, '"');
}
