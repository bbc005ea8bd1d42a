/** https://www.last.fm/api/show/track.scrobble and https://www.last.fm/api/authspec */
import type { Host } from '@vitrine/plugin-api';
import type { Send, Sent } from './send.ts';
import type { Listen } from './listen.ts';

export const sendToLastFm: Send = async (listens, profile, host) => {
  const { lastfmKey } = await host.config.get({});
  if (typeof lastfmKey !== 'string' || lastfmKey === '') return 'denied';
  const fields = fieldsOf(listens, lastfmKey);
  const api_sig = await signatureOf(fields, profile, host);
  const { status, body } = await host.net.fetch({
    url: 'https://ws.audioscrobbler.com/2.0/',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, api_sig, format: 'json' }).toString(),
    formSecrets: { sk: `{secret:lastfmSession;profile=${profile}}` },
  });
  return outcomeOf(status, body);
};

function fieldsOf(listens: readonly Listen[], api_key: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = { method: 'track.scrobble', api_key };
  for (const [at, listen] of listens.entries()) {
    fields[`artist[${at}]`] = listen.artist;
    fields[`track[${at}]`] = listen.track;
    fields[`timestamp[${at}]`] = String(listen.at);
    if (listen.album !== null) fields[`album[${at}]`] = listen.album;
    if (listen.seconds !== null) fields[`duration[${at}]`] = String(listen.seconds);
  }
  return fields;
}

/** The MD5 of all names and values in the order of the names, and then the shared secret. */
async function signatureOf(
  fields: Readonly<Record<string, string>>,
  profile: string,
  host: Host,
): Promise<string> {
  const names = [...Object.keys(fields), 'sk'].toSorted((one, other) => (one < other ? -1 : 1));
  const at = names.indexOf('sk');
  const textOf = (some: readonly string[]): string =>
    some.map((name) => `${name}${fields[name] ?? ''}`).join('');
  const { digest } = await host.secrets.digest({
    algorithm: 'md5',
    parts: [
      `${textOf(names.slice(0, at))}sk`,
      { name: 'lastfmSession', scope: { profile } },
      textOf(names.slice(at + 1)),
      { name: 'lastfmSecret' },
    ],
  });
  return digest;
}

/** Codes of errors: the service is away, or asks for a pause. */
const later: ReadonlySet<number> = new Set([2, 8, 11, 16, 29]);
/** The session, the key or the signature is not valid. */
const denied: ReadonlySet<number> = new Set([4, 9, 10, 13, 14, 26]);

function outcomeOf(status: number, body: string): Sent {
  const error = errorIn(body);
  if (error === null) return status === 200 ? 'done' : 'later';
  if (later.has(error)) return 'later';
  return denied.has(error) ? 'denied' : 'refused';
}

/** The code of an error; `null` when the answer has none. */
function errorIn(body: string): number | null {
  try {
    const { error } = JSON.parse(body) as { readonly error?: unknown };
    return typeof error === 'number' ? error : null;
  } catch {
    return null;
  }
}
