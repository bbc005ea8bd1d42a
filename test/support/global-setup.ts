import { buildAll } from '../../src/cli/build.ts';
import { stopServer } from './postgres.ts';

/** Tests run what `npm start` runs: the built plugin host, guest runtime and built-ins. */
export default async function setup(): Promise<() => Promise<void>> {
  process.env['TEST_RUN_PID'] = String(process.pid);
  await buildAll();
  return stopServer;
}
