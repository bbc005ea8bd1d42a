import type { Transaction } from '../../../kernel/store/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Viewer } from '../viewer/index.ts';
import { findApiKey } from './api-key-store.ts';
import { findSession } from './session-store.ts';

/**
 * Refuses where the credential of the request ended since it was checked: what it makes now would
 * outlive it. For writes that make another credential, in their transaction.
 */
export async function assertStillIn(
  trx: Transaction,
  { credentialKind, credentialId }: Pick<Viewer, 'credentialKind' | 'credentialId'>,
): Promise<void> {
  const isIn =
    (credentialKind !== 'session' || (await findSession(trx, credentialId)) !== undefined) &&
    (credentialKind !== 'api-key' || (await findApiKey(trx, credentialId)) !== undefined);
  if (!isIn) throw new AppError('sign_in_again', {});
}
