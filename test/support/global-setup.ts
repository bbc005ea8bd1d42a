import { buildAll } from '../../src/cli/build.ts';

/** Tests run what `npm start` runs: the built plugin host, guest runtime and built-ins. */
export default async function setup(): Promise<void> {
  await buildAll();
}
