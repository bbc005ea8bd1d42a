/** How this server presents itself to a broker, signed with its own key. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { isBaseUrl, isShownName, sealSigned, type SignedObject } from './primitives/index.ts';
import type { ServerIdentity } from './server-id.ts';

/** What people see of a server, and where apps find it. */
export interface ServerCard {
  readonly baseUrl: string;
  readonly name: string;
}

/** A request with the number that the answer must repeat. */
export interface SignedRequest extends ServerCard {
  readonly nonce: string;
  readonly signed: SignedObject;
}

/** Presents this server. */
export interface Presenter {
  /** As it is now; rejects with `identity_unavailable` when apps could not find it. */
  readonly card: () => ServerCard;
  /** `isUpdate`: it tells a new address or name, and asks for no link. */
  readonly request: (isUpdate: boolean) => Promise<SignedRequest>;
}

/** What it is made of. */
export interface PresenterParts {
  readonly server: ServerIdentity;
  readonly clock: Pick<Clock, 'now'>;
  /** Where clients reach the server, as far as it knows. */
  readonly serverUrl: () => string;
  readonly serverName: string;
  readonly random?: (count: number) => Buffer;
}

/** Creates it. */
export function createPresenter(parts: PresenterParts): Presenter {
  const { server, clock, serverUrl, random = randomBytes } = parts;
  const name = shownName(parts.serverName);

  function card(): ServerCard {
    const baseUrl = serverUrl();
    if (isBaseUrl(baseUrl)) return { baseUrl, name };
    throw new AppError('identity_unavailable', {
      what: 'Apps need an address of this server with https, or one of the own network: start it with --public-url.',
    });
  }

  return {
    card,
    request: async (isUpdate) => {
      const shown = card();
      const nonce = random(32).toString('hex');
      const fields = {
        ...{ ...shown, nonce, serverId: server.serverId, v: 1, kind: 'server-link-request' },
        iat: Math.floor(clock.now() / 1000),
        ...(isUpdate && { update: true }),
      };
      const signed = await sealSigned(fields, async (bytes) => server.sign(bytes));
      return { ...shown, nonce, signed };
    },
  };
}

/** As much of a name as fits, and none that a page would show otherwise than it is. */
function shownName(text: string): string {
  const cut = Array.from(text.normalize('NFC')).slice(0, 64).join('').trim();
  return isShownName(cut) ? cut : 'Vitrine';
}
