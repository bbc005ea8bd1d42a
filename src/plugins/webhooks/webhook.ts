/** The rules for webhooks: address, events and signing secret. */
import { parsePattern } from '../../../kernel/call/events/index.ts';
import type { Webhook } from '../../../plugin-api/index.ts';
import { AppError } from '../../platform/errors.ts';

/** As shown to admins. The whole secret is only in the reply that creates it. */
export interface ShownWebhook extends Omit<Webhook, 'secretName'> {
  readonly secret: string;
}

/** With what stands between it and its receiver. */
export interface CheckedWebhook extends ShownWebhook {
  /** Why deliveries cannot go out, and what would be right; `null` = nothing is known. */
  readonly reason: string | null;
}

const secretStart = 'whsec_';
/** Shown in place of a secret. */
const maskedSecret = `${secretStart}***`;
const secretBytes = { least: 24, most: 64, own: 32 } as const;
const longestUrl = 2048;
const mostPatterns = 100;

/** Without its secret. */
export const masked = ({ secretName: _, ...webhook }: Webhook): ShownWebhook => ({
  ...webhook,
  secret: maskedSecret,
});

/** A new secret from random bytes. */
export const newSecret = (random: (count: number) => Uint8Array): string =>
  secretStart + Buffer.from(random(secretBytes.own)).toString('base64');

/** The key of a secret, as base64; throws when the secret is malformed. */
export function keyOf(secret: string): string {
  const text = secret.startsWith(secretStart) ? secret.slice(secretStart.length) : null;
  const bytes = text === null ? null : Buffer.from(text, 'base64');
  const isWhole = bytes !== null && bytes.toString('base64') === text;
  if (isWhole && bytes.length >= secretBytes.least && bytes.length <= secretBytes.most)
    return bytes.toString('base64');
  return refuse(
    `body.secret: it must be ${secretStart} and the base64 of ${secretBytes.least} to ${secretBytes.most} random bytes; leave it out to let the server create one.`,
  );
}

/** The address in its stored form; throws when it is not valid. */
export function parseUrl(text: string): string {
  if (text.length > longestUrl) refuse(`body.url: it is longer than ${longestUrl} characters.`);
  if (!URL.canParse(text))
    refuse('body.url: it must be an address such as https://example.org/hook.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    refuse(`body.url: it begins with ${url.protocol.slice(0, 40)}, but must begin with https:.`);
  if (url.username !== '' || url.password !== '')
    refuse(
      'body.url: it contains a user name or password; put credentials for the receiver into the path or query.',
    );
  url.hash = '';
  return url.href;
}

/**
 * What a webhook gets whose creator names no events: everything except the steps of the pipeline, which
 * are many for each file, and what tells of users and sign-ins, which a creator must name.
 */
/** The patterns in their stored form: `*`, or names and patterns separated by commas. */
export function parseEvents(text: string): string {
  const patterns = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (patterns.length === 0)
    refuse('body.events: it names no event; right is * for all, or library.item.*,job.failed.');
  if (patterns.length > mostPatterns)
    refuse(`body.events: it has more than ${mostPatterns} patterns.`);
  for (const pattern of patterns) {
    if (pattern === '*') continue;
    const parsed = parsePattern(pattern);
    if (!parsed.ok) refuse(`body.events: ${parsed.reason}`);
  }
  return patterns.includes('*') ? '*' : [...new Set(patterns)].join(',');
}

function refuse(what: string): never {
  throw new AppError('invalid_request', { what });
}
