/**
 * Answers where the server does not: with the page that says so, and with the app as far as it works
 * from what is kept on this device. It answers for what is kept, too. It keeps no reply of the API.
 */
import { readKept, readOpened, readParts } from '../downloads/kept-store.ts';
import { createAnswers } from '../downloads/serve.ts';
import { frameWithoutServer, isPdfPage, pdfFrame } from './pdf-frame.ts';

/** The files of the app that work without the server, its document first; the build names them. */
declare const shellFiles: readonly [string, ...string[]];
/** The styles of the page that is shown without the server. */
declare const documentStyle: string;
/** The files of the reader of PDFs, its document first; the build names them. */
declare const pdfFiles: readonly [string, ...string[]];

interface WaitingEvent extends Event {
  readonly waitUntil: (done: Promise<unknown>) => void;
}
interface FetchEvent extends Event {
  readonly request: Request;
  readonly clientId: string;
  readonly respondWith: (answer: Promise<Response>) => void;
}
interface Scope {
  readonly skipWaiting: () => Promise<void>;
  readonly clients: {
    readonly claim: () => Promise<void>;
    readonly get: (id: string) => Promise<{ readonly frameType: string } | undefined>;
  };
}
const scope = globalThis as unknown as Scope;

const offlinePage = '/console/offline.html';
const pageFiles = [offlinePage, documentStyle, '/console/icon.svg'];
const [shell, ...shellParts] = shellFiles;
const [pdfPage, ...pdfParts] = pdfFiles;
/** Asks that the reader of PDFs is kept, too; it is answered when all of it is here. */
const keepPdfReader = '/downloads/pdf-reader';
/** Each version of the app has a cache of its own. */
const cacheName = `app-${shellParts.find((name) => name.includes('/main-')) ?? ''}`;
const isKeptPage = (path: string): boolean =>
  path === '/downloads' || /^\/(watch|read)\/[^/]+$/.test(path);
/** A proxy in front of a server that does not run. */
const isAway = ({ status }: Response): boolean => status === 502 || status === 504;

const answers = createAnswers({ opened: readOpened, kept: readKept, parts: readParts });

async function keepApp(): Promise<void> {
  // What an older version kept, this one keeps as well.
  const keepsPdf = (await caches.match(pdfPage)) !== undefined;
  const all = [...shellFiles, ...pageFiles, ...(keepsPdf ? pdfFiles : [])];
  await (await caches.open(cacheName)).addAll(all);
  await scope.skipWaiting();
}

async function removeOlder(): Promise<void> {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
  await scope.clients.claim();
}

async function openPage(request: Request, path: string): Promise<Response> {
  const otherwise = async (): Promise<Response | undefined> => {
    if (path === pdfFrame) return frameWithoutServer((name) => caches.match(name));
    if (isPdfPage(path)) return (await caches.match(pdfPage)) ?? caches.match(offlinePage);
    return caches.match(isKeptPage(path) ? shell : offlinePage);
  };
  try {
    const reply = await fetch(request);
    return isAway(reply) ? ((await otherwise()) ?? reply) : reply;
  } catch (error) {
    const found = await otherwise();
    if (found === undefined) throw error;
    return found;
  }
}

/** These have a hash of their content in their names. */
const openPart = async (request: Request): Promise<Response> =>
  (await caches.match(request)) ?? fetch(request);

async function openFile(request: Request, path: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(path);
    if (found === undefined) throw error;
    return found;
  }
}

/** Gives what is kept to a page, and to nothing that stands in a frame of one. */
async function openKept({ request, clientId }: FetchEvent, path: string): Promise<Response> {
  const client = await scope.clients.get(clientId);
  if (client?.frameType !== 'top-level' && client?.frameType !== 'auxiliary')
    return new Response(null, { status: 404 });
  return answers({ path, range: request.headers.get('range') });
}

async function addPdfReader(): Promise<Response> {
  const isKept = await (await caches.open(cacheName)).addAll([...pdfFiles]).then(
    () => true,
    () => false,
  );
  return new Response(null, { status: isKept ? 204 : 503 });
}

addEventListener('install', (event) => (event as WaitingEvent).waitUntil(keepApp()));
addEventListener('activate', (event) => (event as WaitingEvent).waitUntil(removeOlder()));
addEventListener('fetch', (event) => {
  const asked = event as FetchEvent;
  const { request } = asked;
  const { origin, pathname: path } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') asked.respondWith(openPage(request, path));
  else if (path === keepPdfReader) asked.respondWith(addPdfReader());
  else if (path.startsWith('/downloads/')) asked.respondWith(openKept(asked, path));
  else if ([...shellParts, ...pdfParts].includes(path) && !path.startsWith('/web/pdf/'))
    asked.respondWith(openPart(request));
  else if ([...pageFiles, ...pdfParts].includes(path)) asked.respondWith(openFile(request, path));
});
