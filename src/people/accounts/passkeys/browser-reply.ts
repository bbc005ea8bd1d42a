import { AppError } from '../../../platform/errors.ts';

/**
 * The reply of `navigator.credentials` in the form of `toJSON()`, with the fields that the server
 * reads.
 */
export interface BrowserReply {
  readonly id: string;
  readonly clientDataJSON: string;
  /** Present only when an existing passkey is used. */
  readonly userHandle: string | null;
  readonly challenge: string;
}

const base64url = /^[\w-]{1,20000}$/;

/** Reads the fields that identify the reply; signatures are verified elsewhere. */
export function readBrowserReply(reply: unknown): BrowserReply {
  const { id, rawId, type, response } = fieldsOf(reply);
  const { clientDataJSON, userHandle = null } = fieldsOf(response);
  if (!isText(id) || rawId !== id || type !== 'public-key' || !isText(clientDataJSON)) {
    throw unreadable();
  }
  if (userHandle !== null && !isText(userHandle)) throw unreadable();
  const client = fieldsOf(parsed(clientDataJSON));
  if (!isText(client['challenge'])) throw unreadable();
  if (client['crossOrigin'] === true) {
    throw new AppError('passkey_refused', {
      why: 'It was requested inside a frame of another site.',
    });
  }
  return { id, clientDataJSON, userHandle, challenge: client['challenge'] };
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && base64url.test(value);

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return { ...value };
  throw unreadable();
}

function parsed(clientDataJSON: string): unknown {
  try {
    return JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
  } catch {
    throw unreadable();
  }
}

const unreadable = (): AppError =>
  new AppError('passkey_refused', {
    why: 'It does not have the form that toJSON() of a PublicKeyCredential gives.',
  });
