/**
 * Registers the service worker, on a document of its own: the policy of all other pages lets no
 * script become an address of a script (`trusted-types 'none'`). This one allows a single policy,
 * which gives this single address.
 */
const address = '/console/service-worker.js';

interface Policies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: () => string },
  ) => { readonly createScriptURL: (text: string) => string };
}

async function install(): Promise<void> {
  const policies = (globalThis as { readonly trustedTypes?: Policies }).trustedTypes;
  const trusted = policies
    ?.createPolicy('service-worker', { createScriptURL: () => address })
    .createScriptURL('');
  await navigator.serviceWorker.register(trusted ?? address, { scope: '/' });
  await navigator.serviceWorker.ready;
}

/** The page of a title, a season or an album that asked for it, else Me. Nothing else that an address names. */
function wayBack(): string {
  const to = new URLSearchParams(location.search).get('to') ?? '';
  const isPage = /^\/(items|albums|shows|seasons|entities)\/[\w-]+(\?season=[\w-]+)?$/.test(to);
  return isPage ? to : '/me';
}

/** Without a service worker (over plain http, in private windows) the app works as before. */
install()
  .catch(() => {})
  .finally(() => location.replace(wayBack()));
