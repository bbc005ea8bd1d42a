/** A refusal with a message for the user: of the broker, or of this page. */
export class Refusal extends Error {
  readonly code: string;
  /** The address to continue at, if the broker gave one. */
  readonly redirect: string | null;

  constructor(code: string, message: string, redirect: string | null = null) {
    super(message);
    this.code = code;
    this.redirect = redirect;
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
  const { error, message, redirect } = (answer ?? {}) as Readonly<
    Record<string, string | undefined>
  >;
  const text = message ?? `The broker answered ${reply.status}${error ? `: ${error}` : ''}.`;
  throw new Refusal(error ?? 'unknown', text, redirect);
}

export const get = <Answer>(path: string): Promise<Answer> => call<Answer>('GET', path);
export const post = <Answer = unknown>(path: string, body: object = {}): Promise<Answer> =>
  call<Answer>('POST', path, body);
export const put = (path: string, body: object): Promise<unknown> => call('PUT', path, body);
export const patch = <Answer>(path: string, body: object): Promise<Answer> =>
  call<Answer>('PATCH', path, body);
export const remove = (path: string): Promise<unknown> => call('DELETE', path);

/** The reply, or the refusal where it has one of these codes. */
export const orRefusal = async <Answer>(
  answer: Promise<Answer>,
  ...codes: readonly string[]
): Promise<Answer | Refusal> =>
  answer.catch((error: unknown) => {
    if (error instanceof Refusal && codes.includes(error.code)) return error;
    throw error;
  });
