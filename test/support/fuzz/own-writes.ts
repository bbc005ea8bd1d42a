/** What a person may change about themselves, asked in good faith, from the OpenAPI document. */
import type { Operation } from './requests.ts';
import type { Random } from './random.ts';
import { fitting } from './values.ts';

/** A person who asks, and the ids of what is there by the path of its list. */
export interface Walker {
  readonly url: string;
  /** A token for each request: some end the one that they are sent with. */
  readonly token: (operation: Operation) => Promise<string>;
  readonly ids: Readonly<Record<string, () => string | Promise<string>>>;
  /** What a field of a body is, by its name; `undefined` = it has none. */
  readonly fields: Readonly<Record<string, (operation: Operation) => unknown>>;
}

/** Chooses what is required and nothing else. */
const plain: Random = {
  next: () => 0,
  below: (count) => Math.min(1, count - 1),
  chance: () => false,
  pick: (values) => values[0] as never,
};

/** What people send: POST makes what PUT and PATCH change and DELETE removes, inner things first. */
export function inOrder(operations: readonly Operation[]): readonly Operation[] {
  const rank = ({ method, path }: Operation): number => {
    const depth = path.split('/').length;
    if (path === '/api/auth/logout') return 1000;
    if (method === 'POST') return depth;
    return method === 'DELETE' ? 200 - depth : 100 + depth;
  };
  return operations.toSorted((one, other) => rank(one) - rank(other));
}

/** Sends each of them once; the status by `METHOD /path`. */
export async function walk(
  operations: readonly Operation[],
  walker: Walker,
): Promise<ReadonlyMap<string, number>> {
  const made = new Map<string, string>();
  const statuses = new Map<string, number>();
  for (const operation of operations) {
    const { method, path } = operation;
    const reply = await fetch(walker.url + (await filled(path, made, walker)), {
      method,
      headers: {
        authorization: `Bearer ${await walker.token(operation)}`,
        ...(operation.body !== null && { 'content-type': 'application/json' }),
      },
      ...(operation.body !== null && { body: JSON.stringify(await bodyOf(operation, walker)) }),
    });
    const text = await reply.text();
    const id = /"id":"([^"]+)"/.exec(text)?.[1];
    if (method === 'POST' && reply.status === 201 && id !== undefined) made.set(path, id);
    statuses.set(`${method} ${path}`, reply.status);
  }
  return statuses;
}

/** A parameter is the id of what the list before it has, or has got just now. */
async function filled(
  path: string,
  made: ReadonlyMap<string, string>,
  { ids }: Walker,
): Promise<string> {
  const parts = path.split('/');
  const found = parts.map(async (part, at) => {
    if (!part.startsWith('{')) return part;
    const list = parts.slice(0, at).join('/');
    return made.get(list) ?? (await ids[list]?.()) ?? 'none';
  });
  return (await Promise.all(found)).map(encodeURIComponent).join('/');
}

async function bodyOf(operation: Operation, { fields }: Walker): Promise<unknown> {
  const { body } = operation;
  const value = fitting(plain, body ?? {}, []);
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.keys(body?.properties ?? {}).filter((name) => Object.hasOwn(fields, name));
  const filled = own.map(async (name) => [name, await fields[name]?.(operation)] as const);
  return { ...value, ...Object.fromEntries(await Promise.all(filled)) };
}
