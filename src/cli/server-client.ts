/** A running server, as commands call it: with a key that never stands on the command line. */
import path from 'node:path';
import { ConfigError } from '../config.ts';
import { readSecretFile } from '../secrets/index.ts';

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Calls a server. Whatever is no success is a {@link ServerRefusal}. */
export interface ServerClient {
  readonly get: (route: string) => Promise<Fields>;
  readonly send: (
    method: 'POST' | 'PUT' | 'DELETE',
    route: string,
    body?: Fields,
  ) => Promise<Fields>;
}

/** What the server refused, or why there was no answer, in words. */
export class ServerRefusal extends Error {}

/** Where the server is, and where the key is. */
export interface ServerFlags {
  readonly server?: string;
  readonly tokenFile?: string;
}

/** Where a server is when nobody says otherwise. */
export const usualServer = 'http://127.0.0.1:8360';

/** A package is fetched, put in place and started meanwhile. */
const timeoutMs = 240_000;

/** Creates it. Throws a {@link ConfigError} for an address or a key that cannot be one. */
export function createServerClient(
  { server = usualServer, tokenFile }: ServerFlags,
  parts: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly cwd: string;
    readonly complain: (text: string) => void;
  },
): ServerClient {
  const root = rootOf(server);
  const token =
    tokenFile === undefined
      ? keyIn('VITRINE_TOKEN', parts.env['VITRINE_TOKEN'])
      : keyIn(`--token-file ${tokenFile}`, readSecretFile(path.resolve(parts.cwd, tokenFile)));
  if (root.protocol === 'http:' && !isOwn(root))
    parts.complain(`vitrine: the key goes to ${root.host} without encryption; https keeps it.\n`);

  async function call(method: string, route: string, body?: Fields): Promise<Fields> {
    const reply = await answered(root, () =>
      fetch(root.href.replace(/\/$/, '') + route, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // The key goes to the server that was named, and to no other.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }),
    );
    const fields = reply.status === 204 ? {} : read(await answered(root, () => reply.text()));
    if (fields !== null && reply.ok) return fields;
    if (fields === null || typeof fields['error'] !== 'string')
      throw new ServerRefusal(`What answers at ${root.href} (${reply.status}) is no Vitrine.`);
    throw new ServerRefusal(refusalText(fields, reply.status));
  }

  return { get: (route) => call('GET', route), send: call };
}

function rootOf(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : null;
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '';
  if (isPlain && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new ConfigError(
    `--server: it must be the address of a server, such as ${usualServer}, without a name and a key in it.`,
  );
}

/** The key itself is in no message. */
function keyIn(place: string, text: string | null | undefined): string {
  const key = text?.trim() ?? '';
  if (key === '')
    throw new ConfigError(
      `${place}: there is no key. Put one of an admin into VITRINE_TOKEN, or into a file for --token-file.`,
    );
  if (/^[\x21-\x7e]{1,4000}$/.test(key)) return key;
  throw new ConfigError(`${place}: that is no key; one has neither spaces nor line breaks.`);
}

/** Whether an address is one of this machine. */
const isOwn = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

async function answered<Result>(root: URL, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new ServerRefusal(`No server answers at ${root.href}: ${reasonOf(error)}.`);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `it took more than ${timeoutMs / 1000} s`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ECONNREFUSED') return 'nothing listens there; is it running?';
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'the connection broke off';
  return typeof code === 'string' ? code : error.message;
}

function read(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? fieldsOf(value) : null;
  } catch {
    return null;
  }
}

function refusalText(fields: Fields, status: number): string {
  if (status === 401) return 'The server does not know the key, or it has expired.';
  const said = textIn(fields, 'message') || textIn(fields, 'error');
  const code = textIn(fields, 'code');
  return code === '' ? said : `${said} (${code})`;
}

/** The value as an object; one without fields when it is none. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};

/** The objects of a list in a reply. */
export function listIn(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key];
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** A text of a reply, fit for a terminal; empty when it is not there. */
export function textIn(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? plainText(value) : '';
}

/** Strangers wrote it: no sequences that steer a terminal, and none that turn the order of letters. */
export const plainText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** The same of a text of several lines, which stay. */
export const plainPage = (text: string): string =>
  text
    .split('\n')
    .map((one) => one.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trimEnd())
    .join('\n')
    .trim();
