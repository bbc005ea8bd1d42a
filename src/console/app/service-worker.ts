/**
 * Shows a page of its own while the server does not answer. It keeps no data and no page of anybody,
 * and answers no request but those for documents.
 */
interface WaitingEvent extends Event {
  readonly waitUntil: (done: Promise<unknown>) => void;
}
interface DocumentRequest extends Event {
  readonly request: Request;
  readonly respondWith: (answer: Promise<Response>) => void;
}

const kept = 'offline-1';
const offlinePage = '/console/offline.html';
const files = [offlinePage, '/console/style.css', '/console/icon.svg'];

async function keep(): Promise<void> {
  await (await caches.open(kept)).addAll(files);
  for (const name of await caches.keys()) if (name !== kept) await caches.delete(name);
}

addEventListener('install', (event) => (event as WaitingEvent).waitUntil(keep()));
addEventListener('fetch', (event) => {
  const { request, respondWith } = event as DocumentRequest;
  const path = new URL(request.url).pathname;
  const answer = async (otherwise: string): Promise<Response> => {
    try {
      return await fetch(request);
    } catch (error) {
      const found = await caches.match(otherwise);
      if (found === undefined) throw error;
      return found;
    }
  };
  if (request.mode === 'navigate') respondWith.call(event, answer(offlinePage));
  else if (files.includes(path)) respondWith.call(event, answer(path));
});
