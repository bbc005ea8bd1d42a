import { Refusal } from '../service/errors.ts';

/**
 * The reply of `navigator.credentials` in the form of `toJSON()`, with the fields that the broker
 * reads.
 */
export interface BrowserReply {
  readonly id: string;
  readonly challenge: string;
  /** Present only when an existing passkey is used: the user that it claims. */
  readonly userHandle: string | null;
}

const base64url = /^[\w-]{1,20000}$/;

/**
 * Reads the fields that identify the reply; signatures are verified elsewhere. PRF output opens the
 * vault: a request that contains it is refused before anything is stored.
 */
export function readBrowserReply(reply: unknown): BrowserReply {
  const { id, rawId, type, response, clientExtensionResults = {} } = fieldsOf(reply);
  const { prf = {} } = fieldsOf(clientExtensionResults);
  if (Object.keys(fieldsOf(prf)).some((key) => key !== 'enabled'))
    throw new Refusal('invalid_request', { message: 'The output of PRF must not leave the page.' });
  const { clientDataJSON, userHandle = null } = fieldsOf(response);
  if (!isText(id) || rawId !== id || type !== 'public-key' || !isText(clientDataJSON))
    throw unreadable();
  if (userHandle !== null && !isText(userHandle)) throw unreadable();
  const client = fieldsOf(parsed(clientDataJSON));
  if (!isText(client['challenge']) || client['crossOrigin'] === true) throw unreadable();
  return { id, userHandle, challenge: client['challenge'] };
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

const unreadable = (): Refusal => new Refusal('assertion_invalid');
