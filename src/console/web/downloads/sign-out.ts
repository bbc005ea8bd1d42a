import { clearDevice } from './device.ts';
import { tellPlaces } from './places.ts';

/** Tells what was played here, ends the session, and removes what is kept. */
export async function signOutWith(end: () => Promise<unknown>): Promise<void> {
  await tellPlaces().catch(() => {});
  await end();
  await clearDevice();
}
