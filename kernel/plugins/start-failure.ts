/** Why a module did not start, with the places in the plugin's own file that it came from. */
import { KernelError } from '../errors.ts';

const mostPlaces = 3;

/** The error to go on with: what says where the module threw has the places at its end. */
export async function withPlaces(
  error: unknown,
  placesOf: (stack: string) => Promise<readonly string[]>,
): Promise<unknown> {
  const stack = error instanceof KernelError ? stackIn(error.cause) : '';
  if (stack === '' || !(error instanceof KernelError)) return error;
  // A map that cannot be made costs the places and not the reason.
  const places = await placesOf(stack).catch(() => []);
  if (places.length === 0) return error;
  const where = places.slice(0, mostPlaces).map((place) => ` at ${place}`);
  const options = { cause: error.cause };
  return new KernelError(error.code, `${error.message}${where.join('')}`, options);
}

/** An ending of the sandbox has the stack. */
const stackIn = (cause: unknown): string =>
  typeof cause === 'object' &&
  cause !== null &&
  'stack' in cause &&
  !(cause instanceof Error) &&
  typeof cause.stack === 'string'
    ? cause.stack
    : '';
