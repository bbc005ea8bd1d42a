import type { Passkeys } from '../../../people/accounts/index.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/accounts/passkeys.ts';
import { shortReply } from '../../short-list.ts';
import { routes } from '../../route.ts';
import { addressOf } from '../../client-address.ts';

const shared = { tag: 'auth', access: 'guest' } as const;

/** Passkeys: keys in a device that replace the password, or complement it. */
export const passkeyRoutes = routes<{
  readonly passkeys: Passkeys;
}>(shared, (route, { passkeys }) => {
  route('POST /api/auth/login/passkey/options', {
    access: 'nobody',
    operation: 'getPasskeySignInOptions',
    summary: 'Options for a browser to use a passkey',
    reply: schema.RequestOptionsReply,
    handler: ({ request }) => ({ options: passkeys.beginSignIn(addressOf(request)) }),
  });

  route('GET /api/auth/passkeys', {
    operation: 'listPasskeys',
    summary: 'List my passkeys',
    query: ShortListQuery,
    reply: schema.PasskeysReply,
    handler: async ({ query, viewer }) =>
      shortReply('passkeys', await passkeys.list(viewer), query),
  });

  route('POST /api/auth/passkeys/options', {
    operation: 'getPasskeyCreationOptions',
    summary: 'Options for a browser to create a passkey',
    body: schema.BeginAddingBody,
    reply: schema.CreationOptionsReply,
    handler: async ({ body, viewer }) => ({
      options: await passkeys.beginAdding(viewer, body.password ?? null),
    }),
  });

  route('POST /api/auth/passkeys', {
    operation: 'createPasskey',
    summary: 'Add the passkey that the browser created',
    body: schema.NewPasskeyBody,
    created: schema.PasskeyReply,
    handler: async ({ body, viewer }) => ({ passkey: await passkeys.add(viewer, body) }),
  });

  route('PATCH /api/auth/passkeys/:id', {
    operation: 'renamePasskey',
    summary: 'Rename one of my passkeys',
    body: schema.RenameBody,
    reply: schema.PasskeyReply,
    handler: async ({ params, body, viewer }) => ({
      passkey: await passkeys.rename(params.id, body.name, viewer),
    }),
  });

  route('DELETE /api/auth/passkeys/:id', {
    writes: 'endsCredentials',
    operation: 'deletePasskey',
    summary: 'Remove one of my passkeys',
    handler: ({ params, viewer }) => passkeys.remove(params.id, viewer),
  });
});
