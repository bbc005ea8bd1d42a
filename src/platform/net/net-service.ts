import { hostService, KernelError, type HostService } from '../../../kernel/index.ts';
import type { FetchedBytes, FetchInput, FetchResult } from '../../../plugin-api/index.ts';
import { hostMethods } from '../../../plugin-api/server/index.ts';
import type { Fetcher } from './fetcher.ts';
import { parseRequestHeaders, visibleHeaders } from './header-rules.ts';
import { hostOf } from './target.ts';

const { timeoutMs, body } = hostMethods.net.fetch.takes;
const maxReplyBytes = 4_194_304;
/** The limit of a response as JSON, where escaping may make a body longer. */
const maxJsonBytes = 7_340_032;

/**
 * `host.net` over a fetcher. `mayPause`: whether a plugin may reach a host while the server waits for
 * it, as one that delivers to receivers does.
 */
export function createNetService(
  fetcher: Fetcher,
  mayPause: (pluginId: string) => boolean,
): HostService<'net'> {
  return hostService('net', {
    fetch: {
      subject: ({ url }) => hostOf(new URL(url)),
      run: async (asked: FetchInput, { pluginId, granted, signal }) => {
        const { url, method = 'GET', maxAge } = asked;
        if (asked.pauses === 'own' && !mayPause(pluginId)) throw pausesOfOthers();
        const reply = await fetcher({
          url,
          method,
          headers: parseRequestHeaders(asked.headers ?? {}),
          body: bodyOf(asked.body, method),
          form: formOf(asked, method),
          timeoutMs: asked.timeoutMs ?? timeoutMs.maximum,
          maxAge,
          followsRedirects: asked.redirect !== 'manual',
          isHeadOnly: asked.bodyAs === 'none',
          lane: asked.lane ?? 0,
          pauses: asked.pauses,
          maxBytes: maxReplyBytes,
          pluginId,
          granted: granted.net ?? [],
          mayUseSecrets: granted.secrets === true,
          signal,
        });
        const { status, headers, cache, mask } = reply;
        const head = { status, headers: visibleHeaders(headers, method), cache };
        if (asked.bodyAs === 'bytes') return toBytes(head, mask?.bytes(reply.body) ?? reply.body);
        const text = bodyText(reply.body, headers['content-type']);
        return toJson({ ...head, body: mask?.text(text) ?? text });
      },
    },
  });
}

const pausesOfOthers = (): KernelError =>
  new KernelError(
    'invalid_argument',
    'host.net.fetch: pauses: own is only for a plugin that provides webhooks; right is server, or no pauses at all.',
  );

const formType = 'application/x-www-form-urlencoded';
const wholeSecret = /^\{secret:[^{}]+\}$/;

/** The fields with secrets that are added to a form. */
function formOf(
  { formSecrets, headers = {} }: FetchInput,
  method: FetchInput['method'],
): FetchInput['formSecrets'] {
  if (formSecrets === undefined) return undefined;
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  const isForm = type?.[1].split(';', 1)[0]?.trim().toLowerCase() === formType;
  if (!isForm || method === 'GET' || method === 'HEAD')
    throw new KernelError(
      'invalid_argument',
      `host.net.fetch: formSecrets: right is a request with a body and the header content-type: ${formType}.`,
    );
  const wrong = Object.values(formSecrets).some((value) => !wholeSecret.test(value));
  if (!wrong) return formSecrets;
  throw new KernelError(
    'invalid_argument',
    'host.net.fetch: formSecrets: a value is {secret:apiKey} or {secret:apiKey;profile=<profile>} as a whole.',
  );
}

function bodyOf(text: string | undefined, method: FetchInput['method']): string | null {
  if (text === undefined) return null;
  if (method === 'GET' || method === 'HEAD') {
    throw new KernelError('invalid_argument', `host.net.fetch: body: ${method} takes none.`);
  }
  if (Buffer.byteLength(text) > body.maxLength) {
    throw new KernelError('too_large', `host.net.fetch: body is above ${body.maxLength} bytes.`);
  }
  return text;
}

/** In the form that `toFetchedBytes` of plugin-api reads, which is ASCII. */
function toBytes(head: Omit<FetchedBytes, 'bodyBytes'>, body: Uint8Array): Uint8Array {
  const escaped = JSON.stringify(head).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const json = Buffer.from(escaped);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, body]);
}

function toJson(result: FetchResult): string {
  const json = JSON.stringify(result);
  if (Buffer.byteLength(json) <= maxJsonBytes) return json;
  throw new KernelError('too_large', `The answer is above ${maxJsonBytes} bytes as JSON.`);
}

/** A body as text, by the charset of its type; UTF-8 when it names none or an unknown one. */
function bodyText(body: Uint8Array, contentType: string | undefined): string {
  const charset = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
