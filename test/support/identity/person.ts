/**
 * A person at the broker, without a browser: it does what the pages do, with the code that the pages
 * sign with and passkeys in software, whose PRF is a secret that this file keeps.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { SignedObject } from '../../../packages/lib/identity-protocol/index.ts';
import {
  createRecoveryCode,
  createVault,
  openVault,
  passkeySecret,
  recoveryAuth,
  recoverySecret,
  relist,
  rotate,
  signKeyRevoked,
  signLink,
  signPairing,
  signRevocation,
  signUnlink,
  sortClients,
  topUp,
  type OpenedVault,
} from '../../../packages/app/broker/signing/index.ts';
import type {
  Account,
  ApproveBody,
  ApproveOptions,
  ClientView,
  FeedRecord,
  LinkApprove,
  LinkedServer,
  LinkView,
  LoginOptions,
  PairView,
  RegisterOptions,
  SignedIn,
  Vault,
} from '../../../packages/app/broker/service/web-api.ts';
import { makePasskey, type Behaviour, type SoftPasskey } from '../people/authenticator.ts';
import { ask, good, textOf, type Answer, type Asked } from './ask.ts';
import type { MovingClock } from './moving-clock.ts';

export interface PrfPasskey extends SoftPasskey {
  readonly prf: Uint8Array<ArrayBuffer>;
}

/** What a test changes of an approval. */
export interface Approving {
  /** Servers that stay ticked; all of them, unless told. */
  readonly ticked?: readonly string[];
  /** What the authenticator lies about. */
  readonly behaviour?: Behaviour;
  /** Changes the body before it is sent. */
  readonly change?: (body: ApproveBody) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A cookie as Playwright puts it into a browser. */
interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  readonly url: string;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict';
}

/** Somebody with an account at the broker. */
export interface Person {
  readonly handle: string;
  readonly passkey: PrfPasskey;
  readonly recoveryCode: string;
  /** Who they are there, with the key that they have now. */
  readonly account: () => Account;
  readonly opened: () => OpenedVault;
  /** The cookie of their session, for a browser that is to be theirs. */
  readonly cookie: () => BrowserCookie;
  /** A request of the page: with cookie and `Origin`, unless the headers say otherwise. */
  readonly web: (route: string, asked?: Asked) => Promise<Answer>;
  /** Signs in with a passkey, or shows it again. */
  readonly signIn: (passkey?: PrfPasskey, behaviour?: Behaviour) => Promise<Answer>;
  /** Types a code; gives the request's id. */
  readonly typeCode: (code: string) => Promise<string>;
  readonly look: (requestId: string) => Promise<PairView>;
  readonly approve: (requestId: string, approving?: Approving) => Promise<Answer>;
  /** Signs an approval; the result sends it. */
  readonly prepareApproval: (
    requestId: string,
    approving?: Approving,
  ) => Promise<() => Promise<Answer>>;
  readonly deny: (requestId: string) => Promise<Answer>;
  /** Links the server whose link this is. */
  readonly link: (requestId: string) => Promise<Answer>;
  readonly unlink: (serverId: string) => Promise<Answer>;
  readonly revoke: (clientId: string, serverId?: string) => Promise<Answer>;
  readonly revokeKey: () => Promise<Answer>;
  readonly rotate: () => Promise<Answer>;
  /** Signs the passes that are missing, as each unlock does. */
  readonly topUp: () => Promise<Answer>;
  readonly clients: () => Promise<readonly ClientView[]>;
  readonly servers: () => Promise<readonly LinkedServer[]>;
}

/** Where, and by which clock. */
export interface PersonOptions {
  readonly identityUrl: string;
  readonly clock: MovingClock;
}

const bodyOf = <Shape>(answer: Answer): Shape => good(answer) as unknown as Shape;

/** Registers somebody: a passkey, a vault that it and a recovery code open. */
export async function registerPerson(
  handle: string,
  { identityUrl, clock }: PersonOptions,
): Promise<Person> {
  let cookie = '';
  const seconds = (): number => Math.floor(clock.now() / 1000);

  const web: Person['web'] = async (route, { headers = {}, ...asked } = {}) => {
    const answer = await ask(`${identityUrl}/web/${route}`, {
      ...asked,
      headers: { origin: identityUrl, ...(cookie !== '' && { cookie }), ...headers },
    });
    for (const one of answer.headers.getSetCookie()) cookie = one.split(';')[0] ?? '';
    return answer;
  };
  const post = (route: string, body: unknown = {}): Promise<Answer> => web(route, { body });
  const get = async <Shape>(route: string): Promise<Shape> => bodyOf<Shape>(await web(route));

  const { userId, options } = bodyOf<RegisterOptions>(await post('register/options', { handle }));
  const passkey: PrfPasskey = {
    ...makePasskey(options, identityUrl),
    prf: Uint8Array.from(randomBytes(32)),
  };
  const recoveryCode = createRecoveryCode();
  let opened = await createVault(userId, [
    passkeySecret(passkey.id, passkey.prf),
    recoverySecret(recoveryCode),
  ]);
  const registered = await post('register/verify', {
    userId,
    handle,
    credential: passkey.registration,
    userPubKey: opened.identity.userPubKey,
    vault: opened.vault,
    recoveryAuth: await recoveryAuth(recoveryCode),
  });
  let { account } = bodyOf<SignedIn>(registered);

  async function signIn(shown = passkey, behaviour: Behaviour = {}): Promise<Answer> {
    const asked = bodyOf<LoginOptions>(await post('login/options'));
    const credential = shown.sign(asked.options, behaviour);
    const answer = await post('login/verify', { credential });
    if (answer.status !== 200) return answer;
    const signedIn = bodyOf<SignedIn>(answer);
    account = signedIn.account;
    await open(signedIn.vault, shown);
    return answer;
  }

  async function open(vault: Vault, { id, prf }: PrfPasskey): Promise<void> {
    const secret = passkeySecret(id, prf);
    const result = await openVault(vault, { account, secret, purpose: 'change' });
    if (typeof result === 'string') throw new Error(`The vault stays shut: ${result}.`);
    opened = result;
  }

  const servers = async () =>
    (await get<{ readonly servers: readonly LinkedServer[] }>('servers')).servers;
  const clients = async () =>
    (await get<{ readonly clients: readonly ClientView[] }>('clients')).clients;
  const records = async () =>
    (await get<{ readonly records: readonly FeedRecord[] }>('records')).records;
  const sorted = async () => sortClients(opened.identity, await clients(), await records());
  const tell = async (signed: SignedObject, lists: readonly SignedObject[] = []) =>
    post('records', { records: [signed], lists });

  const approve: Person['approve'] = async (requestId, approving) =>
    (await prepareApproval(requestId, approving))();

  async function prepareApproval(
    requestId: string,
    approving: Approving = {},
  ): Promise<() => Promise<Answer>> {
    const view = await get<PairView>(`pair/${requestId}`);
    const asked = bodyOf<ApproveOptions>(await post(`pair/${requestId}/options`));
    const { appId } = view.app;
    const { clientPubKey, deviceName, existingClientId } = view;
    const clientId = existingClientId ?? randomUUID();
    const ticked = new Set(approving.ticked ?? view.servers.map(({ serverId }) => serverId));
    const signed = await signPairing(
      opened.identity,
      {
        client: { appId, clientId, clientPubKey, deviceName },
        servers: view.servers,
        ticked,
      },
      seconds(),
    );
    const body = { credential: passkey.sign(asked.options, approving.behaviour), ...signed };
    const approval = {
      body: approving.change?.(body as ApproveBody) ?? body,
      headers: approving.headers ?? {},
    };
    return () => web(`pair/${requestId}/approve`, approval);
  }

  async function link(requestId: string): Promise<Answer> {
    const view = await get<LinkView>(`link/${requestId}`);
    const { serverId, baseUrl, name } = view;
    const iat = seconds();
    const grant = await signLink(opened.identity, view, iat);
    const before = (await servers()).filter((one) => one.serverId !== serverId);
    const added = { serverId, baseUrl, name, linkedAt: iat * 1000 };
    const { own } = await sorted();
    const change = { servers: [...before, added], added: serverId, now: iat };
    const lists = await relist(opened.identity, own, change);
    const body: LinkApprove = { grant, lists };
    return post(`link/${requestId}/approve`, body);
  }

  async function unlink(serverId: string): Promise<Answer> {
    const left = (await servers()).filter((one) => one.serverId !== serverId);
    const { own } = await sorted();
    const lists = await relist(opened.identity, own, { servers: left, now: seconds() });
    return tell(await signUnlink(opened.identity, serverId, seconds()), lists);
  }

  async function turnKey(): Promise<Answer> {
    const parts = {
      clients: await sorted(),
      servers: await servers(),
      records: await records(),
      now: seconds(),
    };
    const { body, opened: next } = await rotate(opened, parts);
    const answer = await post('rotate', body);
    if (answer.status < 300) {
      opened = next;
      account = { ...account, userPubKey: next.identity.userPubKey };
    }
    return answer;
  }

  return {
    handle,
    passkey,
    recoveryCode,
    account: () => account,
    opened: () => opened,
    cookie: () => {
      const [name = '', value = ''] = cookie.split('=');
      // The broker's is for https and, as browsers do, for localhost.
      const url = identityUrl.replace('http:', 'https:');
      return { name, value, url, httpOnly: true, secure: true, sameSite: 'Strict' };
    },
    web,
    signIn,
    typeCode: async (code) => textOf(await post('code', { code }), 'requestId'),
    look: (requestId) => get<PairView>(`pair/${requestId}`),
    approve,
    prepareApproval,
    deny: (requestId) => post(`pair/${requestId}/deny`),
    link,
    unlink,
    revoke: async (clientId, serverId) =>
      tell(
        await signRevocation(
          opened.identity,
          { clientId, ...(serverId !== undefined && { serverId }) },
          seconds(),
        ),
      ),
    revokeKey: async () => tell(await signKeyRevoked(opened.identity, seconds())),
    rotate: turnKey,
    topUp: async () => {
      const { own } = await sorted();
      return post('batch', await topUp(opened.identity, own, seconds()));
    },
    clients,
    servers,
  };
}
