import { AppError } from '../../platform/errors.ts';

/** A message of a client over the WebSocket. */
export type ClientMessage =
  | { readonly type: 'auth'; readonly token: string; readonly profileId: string | null }
  | {
      readonly type: 'subscribe';
      readonly types: readonly string[] | null;
      readonly since: string | null;
    }
  | { readonly type: 'unsubscribe'; readonly types: readonly string[] | null }
  | { readonly type: 'ping' };

/** The text is not JSON, so the client uses another protocol. */
export class NotJson extends Error {}

const longestText = 200;

/** Reads one message. Throws `NotJson`, or an `AppError` that names the wrong key. */
export function parseClientMessage(text: string): ClientMessage {
  const message = jsonOf(text);
  if (!isRecord(message)) throw refusal('A message must be one JSON object with a type.');
  const { type, ...rest } = message;
  switch (type) {
    case 'auth':
      return known(rest, ['token', 'profileId'], {
        type,
        token: textOr(rest['token'], 'token') ?? missing('token'),
        profileId: textOr(rest['profileId'], 'profileId'),
      });
    case 'subscribe':
      return known(rest, ['types', 'since'], {
        type,
        types: texts(rest['types']),
        since: textOr(rest['since'], 'since'),
      });
    case 'unsubscribe':
      return known(rest, ['types'], { type, types: texts(rest['types']) });
    case 'ping':
      return known(rest, [], { type });
    default:
      throw refusal('type must be one of auth, subscribe, unsubscribe, ping.');
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson('A message must be JSON.');
  }
}

function known<Message>(rest: object, keys: readonly string[], message: Message): Message {
  const stray = Object.keys(rest).find((key) => !keys.includes(key));
  if (stray !== undefined) throw refusal(`${stray.slice(0, 100)} is not a known key.`);
  return message;
}

function texts(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw refusal('types must be a list of names of events.');
}

function textOr(value: unknown, key: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && value !== '' && value.length <= longestText) return value;
  throw refusal(`${key} must be a text of 1 to ${longestText} characters.`);
}

function missing(key: string): never {
  throw refusal(`${key} is missing.`);
}

const refusal = (what: string): AppError => new AppError('invalid_request', { what });

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
