/**
 * Runs before the first paint, while the app is on its way. It sets the look that this browser had
 * last, so that nothing is drawn in other colours or from the other side first. It asks for what the
 * start needs, and names the files of the page, so that they come with the scripts and not after them.
 */
import {
  lastProfileKey,
  lookAttributes,
  lookKey,
  signedInKey,
  televisionKey,
} from './core/early-parts.ts';

/** The file of the words of each language but English; the build names them. */
declare const wordFiles: Readonly<Record<string, string>>;
/** The files of a page by the beginning of its address: `items/` is `/items/:id`. */
declare const pageFiles: Readonly<Record<string, readonly string[]>>;

/** What a page reads first, by the beginning of its address. */
const firstReads: Readonly<Record<string, (id: string) => string>> = {
  '': () => '/api/home',
  'items/': (id) => `/api/items/${id}`,
  'libraries/': (id) => `/api/libraries/${id}`,
};

const root = document.documentElement;
const [, place = '', id] = location.pathname.split('/');
const page = id === undefined ? place : `${place}/`;
// The styles choose by it what is drawn until the page is there.
root.dataset['at'] = place;

/** The look by the names of its attributes; empty where the text is damaged. */
function lookOf(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text ?? '{}') ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function preload(name: string): void {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = `/web/${name}`;
  document.head.append(link);
}

const look = lookOf(localStorage.getItem(lookKey));
for (const name of lookAttributes) {
  const value = look[name];
  if (typeof value === 'string') root.setAttribute(name, value);
}
// An address with `?tv` says it for this browser, one with `?tv=0` takes it back.
const television = new URLSearchParams(location.search).get('tv');
if (television === '0') localStorage.removeItem(televisionKey);
else if (television !== null) localStorage.setItem(televisionKey, '1');
if (localStorage.getItem(televisionKey) !== null) root.dataset['tv'] = '';
const lastLanguage = look['lang'];
const tag = typeof lastLanguage === 'string' ? lastLanguage : navigator.language;
const [language = ''] = tag.split('-');
const words = wordFiles[language];
for (const name of [...(words === undefined ? [] : [words]), ...(pageFiles[page] ?? [])])
  preload(name);

const profile = localStorage.getItem(lastProfileKey) ?? undefined;
/** The styles show a stranger nothing of the app: the sign-in page comes. */
const showNothing = (): void => {
  root.dataset['stranger'] = '';
};
if (profile === undefined && localStorage.getItem(signedInKey) === null) showNothing();
const read = firstReads[page]?.(id ?? '');
globalThis.asked = {
  profile,
  replies: new Map(
    [
      '/api/auth/me',
      '/api/profiles',
      '/api/profiles/me/preferences',
      ...(read === undefined ? [] : [read]),
    ].map((path) => {
      const reply = fetch(path, {
        headers: profile === undefined ? {} : { 'x-profile-id': profile },
      });
      // The app hears of a failure when it takes the reply.
      reply.then(
        ({ status }) => status === 401 && showNothing(),
        () => {},
      );
      return [path, reply];
    }),
  ),
};
