/** Adds the places in the plugin's own file to the reason why its module did not start. */
import { KernelError } from '../../errors.ts';

const mostPlaces = 3;

/** The error with the places of its stack at the end of the message, if it has a stack. */
export async function withPlaces(
  error: unknown,
  placesOf: (stack: string) => Promise<readonly string[]>,
): Promise<unknown> {
  const stack = error instanceof KernelError ? stackIn(error.cause) : '';
  if (stack === '' || !(error instanceof KernelError)) return error;
  // Without a source map the reason stays, without places.
  const places = await placesOf(stack).catch(() => []);
  if (places.length === 0) return error;
  const where = places.slice(0, mostPlaces).map((place) => ` at ${place}`);
  const options = { cause: error.cause };
  return new KernelError(error.code, `${error.message}${where.join('')}`, options);
}

/** The stack of an `Ending` of the sandbox. */
const stackIn = (cause: unknown): string =>
  typeof cause === 'object' &&
  cause !== null &&
  'stack' in cause &&
  !(cause instanceof Error) &&
  typeof cause.stack === 'string'
    ? cause.stack
    : '';
