/** A request to a server or a broker, from the outside, and the answer, with any status. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** What is sent beside the address. */
export interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends it. A body makes it a POST, unless it says otherwise. */
export async function ask(url: string, asked: Asked = {}): Promise<Answer> {
  const { body, token, headers = {} } = asked;
  const reply = await fetch(url, {
    method: asked.method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.includes('json') ?? false;
  const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : {};
  return { status: reply.status, body: parsed as Answer['body'], headers: reply.headers };
}

/** Status and code in short, for tests that ask for exactly these: `401 identity_revoked`. */
export const verdictOf = ({ status, body }: Pick<Answer, 'status' | 'body'>): string => {
  const code = body['code'] ?? body['error'];
  return typeof code === 'string' ? `${status} ${code}` : String(status);
};

/** The body of an answer that must be good; throws with what it was. */
export function good({ status, body }: Answer): Answer['body'] {
  if (status >= 200 && status < 300) return body;
  throw new Error(`It answered ${status} ${JSON.stringify(body)}.`);
}

/** The text under this key of an answer that must be good. */
export const textOf = (answer: Answer, key: string): string => {
  const value = good(answer)[key];
  if (typeof value === 'string') return value;
  throw new Error(`There is no text "${key}" in ${JSON.stringify(answer.body)}.`);
};
