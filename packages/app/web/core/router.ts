/**
 * The addresses of the app. A link changes the page without a document load; Back restores the
 * scroll position and the focused element.
 */
import { signal, type ReadonlySignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { untilAnswer } from './until-answer.ts';

/** The parts of an address that its pattern names, such as `id`. */
export type Parameters = Readonly<Record<string, string>>;

export interface PageProps {
  readonly parameters: Parameters;
  readonly query: URLSearchParams;
}

/** A module of a page: the page, and what it reads before it is shown. */
export interface PageModule {
  readonly default: ComponentType<PageProps>;
  readonly prepare?: (props: PageProps) => Promise<void>;
}

/** A page by the pattern of its address, such as `/items/:id`. */
export interface Route {
  readonly pattern: string;
  readonly load: () => Promise<PageModule>;
}

/** What is shown now. */
export interface Shown extends PageProps {
  readonly page: ComponentType<PageProps>;
  readonly path: string;
  /** Increases with each navigation. */
  readonly serial: number;
}

interface Place {
  readonly scroll: number;
  readonly focus: string | null;
}

/** A page that takes longer to prepare than this is shown with what is there. */
const preparationMs = 150;

const shownPage = signal<Shown | null>(null);
/** The page of the present address; `null` until the first one is loaded. */
export const shown: ReadonlySignal<Shown | null> = shownPage;
/** Whether a navigation takes place. */
export const isNavigating = signal(false);

let routes: readonly Route[] = [];
let missing: Route;
/** Draws the frame of all pages, once the first of them is there. */
let drawFrame: (() => void) | undefined;
let serial = 0;
let entryKey = 0;
const places = new Map<number, Place>();

/** Matches a path against a pattern; `null` = another page. */
export function matchPath(pattern: string, path: string): Parameters | null {
  const [wanted, given] = [pattern, path].map((text) => text.split('/').filter(Boolean));
  if (wanted === undefined || given === undefined || wanted.length !== given.length) return null;
  const parameters: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return null;
      continue;
    }
    try {
      parameters[part.slice(1)] = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return parameters;
}

function routeOf(path: string): { readonly route: Route; readonly parameters: Parameters } {
  for (const route of routes) {
    const parameters = matchPath(route.pattern, path);
    if (parameters !== null) return { route, parameters };
  }
  return { route: missing, parameters: {} };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Loads and shows the page of an address. `place` is where it was left, for Back. */
async function show(url: URL, place: Place | undefined): Promise<void> {
  const mine = ++serial;
  isNavigating.value = true;
  const { route, parameters } = routeOf(url.pathname);
  const query = url.searchParams;
  const module = await route.load().catch((error: unknown) => {
    // `main.tsx` tells of a first page that does not come.
    if (shownPage.peek() === null) throw error;
    return null;
  });
  if (mine !== serial) return;
  if (module === null) {
    await loadDocument(url, mine);
    return;
  }
  if (module.prepare !== undefined)
    await Promise.race([
      module.prepare({ parameters, query }).catch(() => {}),
      pause(preparationMs),
    ]);
  if (mine !== serial) return;
  const draw = async (): Promise<void> => {
    shownPage.value = { page: module.default, parameters, query, path: url.pathname, serial: mine };
    isNavigating.value = false;
    drawFrame?.();
    drawFrame = undefined;
    // Preact renders in a microtask; the next frame has the whole page.
    await pause(0);
    restore(place);
  };
  const movesFreely = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (movesFreely && document.startViewTransition !== undefined && shownPage.peek() !== null) {
    const transition = document.startViewTransition(draw);
    // The next page may come while this one moves in; then the movement ends, and nothing is wrong.
    transition.ready.catch(() => {});
    await transition.updateCallbackDone;
  } else await draw();
}

/**
 * A server of another version has no longer the files of this page. Its document names those that
 * it has. Without an answer of the server, the page that is shown stays.
 */
async function loadDocument(url: URL, mine: number): Promise<void> {
  await untilAnswer();
  if (mine === serial) location.assign(url);
}

/** A grid draws what is in its window after it was scrolled: the focused tile comes with it. A first page grows meanwhile. */
const framesUntilDrawn = 20;

/** Where a page begins: its title if that may have the focus, for then something else stands before it. */
export const startOfPage = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('main h1[tabindex]') ??
  document.querySelector<HTMLElement>('main');

function restore(place: Place | undefined, framesLeft = framesUntilDrawn): void {
  scrollTo({ top: place?.scroll ?? 0, behavior: 'instant' });
  const focused = place?.focus == null ? null : document.getElementById(place.focus);
  if (focused === null && place?.focus != null && framesLeft > 0) {
    const mine = serial;
    requestAnimationFrame(() => {
      if (mine === serial) restore(place, framesLeft - 1);
    });
    return;
  }
  const target = focused ?? startOfPage();
  target?.focus({ preventScroll: true });
  if (Math.abs(scrollY - (place?.scroll ?? 0)) > 2)
    scrollTo({ top: place?.scroll ?? 0, behavior: 'instant' });
}

function keepPlace(): void {
  const id = document.activeElement?.id;
  places.set(entryKey, { scroll: scrollY, focus: id === undefined || id === '' ? null : id });
}

/** Keeps where the page is, so that it is there again after the document is loaded again. */
export function keepOverReload(): void {
  keepPlace();
  history.replaceState({ key: entryKey, place: places.get(entryKey) }, '');
}

/** Goes to an address of the app. `replace` keeps the history as long as it is. */
export async function go(to: string, { replace = false } = {}): Promise<void> {
  const url = new URL(to, location.href);
  if (!replace) keepPlace();
  const state = { key: replace ? entryKey : Date.now() };
  history[replace ? 'replaceState' : 'pushState'](state, '', url);
  entryKey = state.key;
  await show(url, undefined);
}

/** Changes the query of the address without another page, as filters do. */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const url = new URL(location.href);
  for (const [key, value] of Object.entries(changes))
    if (value === null) url.searchParams.delete(key);
    else url.searchParams.set(key, value);
  history.replaceState({ key: entryKey }, '', url);
  const now = shownPage.peek();
  if (now !== null) shownPage.value = { ...now, query: url.searchParams };
}

/** The address of a click that the app handles itself; `null` = the browser does. */
function ownLink(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.origin !== location.origin) return null;
  if (link.target !== '' || link.hasAttribute('download')) return null;
  if (link.pathname === location.pathname && link.hash !== '') return null;
  return routeOf(link.pathname).route === missing ? null : link.href;
}

/** Begins to load the page of the present address, while it is not known yet who asks. */
export function warmPage(known: readonly Route[], notFound: Route): void {
  [routes, missing] = [known, notFound];
  const { pathname, searchParams: query } = new URL(location.href);
  const { route, parameters } = routeOf(pathname);
  void route
    .load()
    .then((page) => page.prepare?.({ parameters, query }))
    .catch(() => {});
}

/**
 * Starts the router after `warmPage`: shows the page of the present address and follows links and
 * Back. `draw` draws the frame of all pages; it is called with the first page.
 */
export async function startRouter(draw: () => void): Promise<void> {
  drawFrame = draw;
  history.scrollRestoration = 'manual';
  const state = history.state as { readonly key?: number; readonly place?: Place } | null;
  entryKey = state?.key ?? Date.now();
  history.replaceState({ key: entryKey }, '');
  addEventListener('click', (event) => {
    const to = ownLink(event);
    if (to === null) return;
    event.preventDefault();
    void go(to);
  });
  addEventListener('popstate', (event) => {
    keepPlace();
    entryKey = (event.state as { readonly key?: number } | null)?.key ?? 0;
    void show(new URL(location.href), places.get(entryKey));
  });
  await show(new URL(location.href), state?.place);
}
