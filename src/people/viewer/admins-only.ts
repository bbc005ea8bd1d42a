import { AppError } from '../../platform/errors.ts';
import { isFullAdmin, type Viewer } from './viewer.ts';

/** A credential that is limited to some libraries must not create one that is not. */
export function assertFullAdmin(viewer: Viewer, what: string): void {
  if (isFullAdmin(viewer)) return;
  throw new AppError('forbidden', {
    what: `${what} are for admins with a credential that is not limited to some libraries.`,
  });
}
