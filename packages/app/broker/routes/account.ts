/** The routes of the pages for accounts: registration, sign-in, passkeys and recovery. */
import type { FastifyRequest } from 'fastify';
import type { AccountKeys } from '../accounts/account-keys.ts';
import { accountOf, type Accounts } from '../accounts/accounts.ts';
import { addressOf, networkKeyOf } from '../service/client-address.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { dropCookie, giveCookie, tokenOf } from '../http/cookies.ts';
import type { BrokerApp } from '../http/http-types.ts';
import type { Rate } from '../service/request-rates.ts';
import * as schemas from '../http/schemas.ts';
import type { Sessions } from '../accounts/sessions.ts';
import { callerOf } from '../http/web-guard.ts';

export interface AccountRoutesParts {
  readonly accounts: Accounts;
  readonly keys: AccountKeys;
  readonly sessions: Sessions;
  readonly clock: Pick<Clock, 'now'>;
  /** Limits the challenges and accounts that one address requests. */
  readonly signIns: Rate;
  readonly registrations: Rate;
}

const anybody = { config: { caller: 'anybody' } } as const;
const signedIn = { config: { caller: 'signed-in' } } as const;
const fresh = { config: { caller: 'fresh' } } as const;
const recovering = { config: { caller: 'recovering' } } as const;

/** Adds the routes. */
export function accountRoutes(app: BrokerApp, parts: AccountRoutesParts): void {
  const { accounts, keys, sessions, clock, signIns, registrations } = parts;
  const counted =
    (...rates: readonly Rate[]) =>
    async ({ ip, socket }: FastifyRequest) => {
      for (const rate of rates) rate.take(networkKeyOf(addressOf(ip, socket.remoteAddress)));
    };

  app.post(
    '/web/register/options',
    { ...anybody, onRequest: counted(signIns), schema: { body: schemas.RegisterBegin } },
    ({ body }) => accounts.beginRegister(body.handle),
  );
  app.post(
    '/web/register/verify',
    { ...anybody, onRequest: counted(registrations), schema: { body: schemas.RegisterVerify } },
    async ({ body }, reply) => {
      const opened = await accounts.register(body);
      giveCookie(reply, opened.token);
      return reply.code(201).send(opened.reply);
    },
  );
  app.post(
    '/web/login/options',
    { ...anybody, onRequest: counted(signIns), schema: { body: schemas.Nothing } },
    () => accounts.beginLogin(),
  );
  app.post(
    '/web/login/verify',
    { ...anybody, schema: { body: schemas.LoginVerify } },
    async (request, reply) => {
      const opened = await accounts.login(request.body.credential, tokenOf(request));
      giveCookie(reply, opened.token);
      return opened.reply;
    },
  );

  app.get('/web/session', { config: { caller: 'recovering' } }, (request) => {
    const { user, session } = callerOf(request);
    const { assertedAt, isRecovery } = session;
    return { account: accountOf(user), assertedAt, isRecovery, now: clock.now() };
  });
  app.post(
    '/web/logout',
    { ...anybody, schema: { body: schemas.Nothing } },
    async (request, reply) => {
      const token = tokenOf(request);
      if (token !== null) await sessions.end(token);
      dropCookie(reply);
      return reply.code(204).send();
    },
  );

  app.post(
    '/web/recover',
    { ...anybody, onRequest: counted(signIns), schema: { body: schemas.Recover } },
    async ({ body, ip, socket }, reply) => {
      const address = addressOf(ip, socket.remoteAddress);
      const opened = await keys.recover({ ...body, address });
      giveCookie(reply, opened.token);
      return opened.reply;
    },
  );
  app.post(
    '/web/recover/verify',
    { ...recovering, schema: { body: schemas.RecoverVerify } },
    async (request, reply) => {
      const opened = await keys.finishRecovery(callerOf(request), request.body);
      giveCookie(reply, opened.token);
      return opened.reply;
    },
  );

  app.get('/web/vault', signedIn, async (request) => ({
    vault: await keys.vault(callerOf(request)),
  }));
  app.put(
    '/web/vault',
    { ...fresh, schema: { body: schemas.PutVault } },
    async (request, reply) => {
      await keys.putVault(callerOf(request), request.body.vault);
      return reply.code(204).send();
    },
  );
  app.get('/web/passkeys', signedIn, async (request) => ({
    passkeys: await keys.passkeys(callerOf(request)),
  }));
  app.post(
    '/web/passkeys/options',
    { ...fresh, schema: { body: schemas.Nothing } },
    async (request) => ({ options: await keys.beginAdding(callerOf(request)) }),
  );
  app.post(
    '/web/passkeys/verify',
    { ...fresh, schema: { body: schemas.AddPasskey } },
    async (request, reply) => reply.code(201).send(await keys.add(callerOf(request), request.body)),
  );
  app.post(
    '/web/passkeys/:id/remove',
    { ...fresh, schema: { params: schemas.PasskeyId, body: schemas.PutVault } },
    async (request, reply) => {
      await keys.remove(callerOf(request), request.params.id, request.body.vault);
      return reply.code(204).send();
    },
  );
  app.post(
    '/web/recovery',
    { ...fresh, schema: { body: schemas.NewRecovery } },
    async (request, reply) => {
      await keys.setRecovery(callerOf(request), request.body);
      return reply.code(204).send();
    },
  );
}
