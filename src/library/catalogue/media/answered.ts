/** Runs methods of the host over domains, whose failures plugins receive with the codes of the kernel. */
import { KernelError, type HostCaller } from '../../../../kernel/index.ts';
import { AppError } from '../../../platform/errors.ts';

/** What runs a method, with the failures of domains in the codes of the kernel. */
export const answered =
  <Input, Answer>(run: (input: Input, caller: HostCaller) => Promise<Answer>) =>
  (input: Input, caller: HostCaller): Promise<Answer> =>
    run(input, caller).catch(toKernelError);

function toKernelError(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const { message } = error;
  const options = { cause: error };
  switch (error.code) {
    case 'not_found':
      throw new KernelError('not_found', message.replace(/ does not exist\.$/, ''), options);
    case 'invalid_request':
      throw new KernelError('invalid_argument', message.replaceAll('query.', ''), options);
    case 'conflict':
      throw new KernelError('conflict', message, options);
    case 'forbidden':
      throw new KernelError('permission_denied', 'what only an admin may do', options);
    case 'unavailable':
      throw new KernelError('service_unavailable', 'Search', options);
    default:
      throw error;
  }
}
