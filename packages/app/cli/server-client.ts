/** A client of a running server for commands. The key never comes from the command line. */
import path from 'node:path';
import { ConfigError } from '../../../src/platform/config.ts';
import { readSecretFile } from '../../../src/platform/secrets/index.ts';

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Calls a server. Every reply that is not a success throws a {@link ServerRefusal}. */
export type ServerClient = ReturnType<typeof createServerClient>;

/** The refusal of the server, or the reason why it did not answer. */
export class ServerRefusal extends Error {}

/** The address of the server, and the place of the key. */
export interface ServerFlags {
  readonly server?: string;
  readonly tokenFile?: string;
}

/** The default address. */
export const usualServer = 'http://127.0.0.1:8360';

/** Long, because the server may fetch, install and start a package during a request. */
const timeoutMs = 240_000;

/** Creates it. Throws a {@link ConfigError} for an invalid address or key. */
export function createServerClient(
  { server = usualServer, tokenFile }: ServerFlags,
  parts: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly cwd: string;
    readonly complain: (text: string) => void;
  },
) {
  const root = rootOf(server);
  const token =
    tokenFile === undefined
      ? keyIn('VITRINE_TOKEN', parts.env['VITRINE_TOKEN'])
      : keyIn(`--token-file ${tokenFile}`, readSecretFile(path.resolve(parts.cwd, tokenFile)));
  if (root.protocol === 'http:' && !isOwn(root))
    parts.complain(`vitrine: the key is sent to ${root.host} without encryption; use https.\n`);

  async function call(method: string, route: string, body?: Fields): Promise<Fields> {
    const reply = await answered(root, () =>
      fetch(root.href.replace(/\/$/, '') + route, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // The key is sent to the named server only: redirects are not followed.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }),
    );
    const fields = reply.status === 204 ? {} : read(await answered(root, () => reply.text()));
    if (fields !== null && reply.ok) return fields;
    if (fields === null || typeof fields['error'] !== 'string')
      throw new ServerRefusal(
        `The server at ${root.href} is not a Vitrine server (status ${reply.status}).`,
      );
    throw new ServerRefusal(refusalText(fields, reply.status));
  }

  return { get: (route: string): Promise<Fields> => call('GET', route), send: call };
}

function rootOf(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : null;
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '';
  if (isPlain && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new ConfigError(
    `--server: it must be the address of a server, such as ${usualServer}, without a user name and password in it.`,
  );
}

/** No message contains the key itself. */
function keyIn(place: string, text: string | null | undefined): string {
  const key = text?.trim() ?? '';
  if (key === '')
    throw new ConfigError(
      `${place}: there is no key. Put the API key of an admin into VITRINE_TOKEN, or into a file for --token-file.`,
    );
  if (/^[\x21-\x7e]{1,4000}$/.test(key)) return key;
  throw new ConfigError(`${place}: this is not a key; a key has no spaces and no line breaks.`);
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
  if (code === 'ECONNREFUSED') return 'nothing listens there; is the server running?';
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

/** The value as an object; an empty object when it is not one. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};

/** The objects of a list in a reply. */
export function listIn(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key];
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** A text of a reply, safe for a terminal; empty when it is missing. */
export function textIn(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? plainText(value) : '';
}

/**
 * Untrusted text without terminal escape sequences and without characters that change the text
 * direction.
 */
export const plainText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** The same for a text of several lines; line breaks stay. */
export const plainPage = (text: string): string =>
  text
    .split('\n')
    .map((one) => one.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trimEnd())
    .join('\n')
    .trim();
