import type { BatchBody } from '../service/web-api.ts';
import type { Identity } from './identity-key.ts';
import type { OwnClient } from './own-clients.ts';
import { missingSlots } from './pass-slots.ts';
import { signPass } from './sign-pairing.ts';

/** The missing passes of the user's clients at this time; empty when none is missing. */
export async function topUp(
  identity: Identity,
  clients: readonly OwnClient[],
  now: number,
): Promise<BatchBody> {
  const passes = clients.flatMap(({ client, view }) =>
    missingSlots(view.iats, now).map((iat) => signPass(identity, client, iat)),
  );
  return { passes: await Promise.all(passes), lists: [] };
}
