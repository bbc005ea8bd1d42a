/**
 * Parts of the app that are loaded when they are needed. A server of another version, or one whose app was
 * built again, has no longer the files that this page names. Then the page is loaded again where it is.
 */
import { send } from './api.ts';
import { keepOverReload } from './router.ts';

const renewedKey = 'renewed';

/** The script of the app, whose name has a hash of its content. */
const versionOf = (): string =>
  document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';

/** Loads the page again, once for each version of the app, if the server answers. */
async function renew(): Promise<void> {
  const version = versionOf();
  if (sessionStorage.getItem(renewedKey) === version) return;
  const isThere = await send('/api/health').then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  sessionStorage.setItem(renewedKey, version);
  keepOverReload();
  location.reload();
  // Nothing is said of what failed: the page goes away.
  await new Promise(() => {});
}

/** Loads a part; rejects as `load` does, unless the page is loaded again. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    await renew();
    throw error;
  }
}
