/** The data of this server for a broker, signed with the server's own key. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import {
  isBaseUrl,
  isShownName,
  sealSigned,
  type SignedObject,
} from '../../../packages/lib/identity-protocol/index.ts';
import type { ServerIdentity } from './server-id.ts';

/** The name of a server, and its address for apps. */
export interface ServerCard {
  readonly baseUrl: string;
  readonly name: string;
}

/** A request with the nonce that the reply must repeat. */
export interface SignedRequest extends ServerCard {
  readonly nonce: string;
  readonly signed: SignedObject;
}

/** Describes this server to brokers. */
export type Presenter = ReturnType<typeof createPresenter>;

export interface PresenterParts {
  readonly server: ServerIdentity;
  readonly clock: Pick<Clock, 'now'>;
  /** The address at which clients reach the server, as far as it is known. */
  readonly serverUrl: () => string;
  readonly serverName: string;
  readonly random?: (count: number) => Buffer;
}

export function createPresenter(parts: PresenterParts) {
  const { server, clock, serverUrl, random = randomBytes } = parts;
  const name = shownName(parts.serverName);

  /**
   * The current data; rejects with `identity_unavailable` when apps could not reach the address.
   */
  function card(): ServerCard {
    const baseUrl = serverUrl();
    if (isBaseUrl(baseUrl)) return { baseUrl, name };
    throw new AppError('identity_unavailable', {
      what: 'Apps need an https address of this server, or one on the own network: start it with --public-url.',
    });
  }

  return {
    card,
    /** `isUpdate`: the request updates the address or name, and does not request a link. */
    request: async (isUpdate: boolean): Promise<SignedRequest> => {
      const shown = card();
      const nonce = random(32).toString('hex');
      const fields = {
        ...shown,
        nonce,
        serverId: server.serverId,
        v: 1,
        kind: 'server-link-request',
        iat: Math.floor(clock.now() / 1000),
        ...(isUpdate && { update: true }),
      };
      const signed = await sealSigned(fields, async (bytes) => server.sign(bytes));
      return { ...shown, nonce, signed };
    },
  };
}

/** The name, shortened to fit, without characters that would change its display. */
function shownName(text: string): string {
  const cut = Array.from(text.normalize('NFC')).slice(0, 64).join('').trim();
  return isShownName(cut) ? cut : 'Vitrine';
}
