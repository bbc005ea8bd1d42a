/** A refusal in words for people: of the broker, or of this page itself. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 0) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Calls the broker, below `/web/`; rejects with a {@link Refusal}. */
async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const reply = await fetch(`/web/${path}`, {
    method,
    credentials: 'same-origin',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new Refusal('offline', 'The broker does not answer. Are you online?');
  });
  const answer: unknown = reply.status === 204 ? null : await reply.json().catch(() => null);
  if (reply.ok) return answer as Answer;
  const { error, message } = (answer ?? {}) as Readonly<Record<string, string | undefined>>;
  const text = message ?? `The broker answered ${reply.status}${error ? `: ${error}` : ''}.`;
  throw new Refusal(error ?? 'unknown', text, reply.status);
}

export const get = <Answer>(path: string): Promise<Answer> => call<Answer>('GET', path);
export const post = <Answer = unknown>(path: string, body: object = {}): Promise<Answer> =>
  call<Answer>('POST', path, body);
export const put = (path: string, body: object): Promise<unknown> => call('PUT', path, body);
export const patch = <Answer>(path: string, body: object): Promise<Answer> =>
  call<Answer>('PATCH', path, body);
export const remove = (path: string): Promise<unknown> => call('DELETE', path);

/** The answer, or `null` where the broker refuses with this code. */
export const unless = async <Answer>(
  code: string,
  answer: Promise<Answer>,
): Promise<Answer | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof Refusal && error.code === code) return null;
    throw error;
  });
