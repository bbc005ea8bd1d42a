/** A catalogue on the loopback that answers as its documentation says, or has a mood. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  sendJson,
  startHttpSource,
  type HttpSource,
  type SeenRequest,
} from '../servers/http-source.ts';

/** How it answers questions; pictures always come. */
export type Mood = 'well' | 'busy' | 'broken' | 'cut' | 'page' | 'slow' | 'unreadable' | 'empty';

export interface MadeService extends HttpSource {
  readonly feel: (mood: Mood) => void;
  /** Requests that were not for pictures. */
  readonly questions: () => readonly SeenRequest[];
}

/** A question, with its body. */
export interface MadeQuestion {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** The address of the service. */
  readonly url: string;
}

/** The reply; a number is a status, `undefined` = 404. */
export type Answer = (question: MadeQuestion) => unknown;

export interface ServiceParts {
  readonly answer: Answer;
  /** Sent for each path below `pictures`. */
  readonly picture: Uint8Array;
  readonly pictures: string;
  readonly notFound?: unknown;
}

const headers = { 'cache-control': 'max-age=3600' };

export async function startMadeService(parts: ServiceParts): Promise<MadeService> {
  let mood: Mood = 'well';
  const { answer, picture, pictures, notFound = { error: 'not found' } } = parts;
  const source = await startHttpSource(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://made');
    if (pathname.startsWith(pictures)) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
      return;
    }
    const body = await bodyOf(request);
    if (mood !== 'well') {
      moods[mood](response);
      return;
    }
    const reply = answer({ path: pathname, query: searchParams, body, url: source.url });
    if (reply === undefined) sendJson(response, notFound, {}, 404);
    else if (typeof reply === 'number') sendJson(response, {}, {}, reply);
    else sendJson(response, reply, headers);
  });
  return {
    ...source,
    feel: (next) => void (mood = next),
    questions: () => source.requests.filter(({ path }) => !path.startsWith(pictures)),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

const moods: Readonly<Record<Exclude<Mood, 'well'>, (response: ServerResponse) => void>> = {
  busy: (response) => sendJson(response, { status: 429 }, { 'retry-after': '1' }, 429),
  broken: (response) => sendJson(response, { status: 503 }, {}, 503),
  cut: (response) => void response.writeHead(200).end('[{"score":0.9,"show":{"id":'),
  // The first line comes, and the rest never does.
  slow: (response) => void response.writeHead(200).write('['),
  page: (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>Sign in'),
  unreadable: (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      .end(Buffer.from('{"results":[]}', 'utf16le')),
  empty: (response) => sendJson(response, {}),
};

/** The words of a title, as a catalogue compares them: one in common is enough. */
export const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

/** Whether a title has a word of the search. */
export const hasWordOf = (title: string, search: string): boolean =>
  wordsOf(title).some((word) => wordsOf(search).includes(word));
