import { fork } from 'node:child_process';
import path from 'node:path';
import { serverFlags } from '../../../src/cli/server-flags.mjs';

/** A fastify with nothing around it, in a process of its own. */
export interface BareServer {
  readonly url: string;
  readonly pid: number;
  /** Answers the path with this from now on. */
  readonly serve: (path: string, body: string) => Promise<void>;
  /** Reads `/rows` from this database from now on. */
  readonly readFrom: (database: string) => Promise<void>;
  readonly stop: () => void;
}

export async function startBare(): Promise<BareServer> {
  const child = fork(path.join(import.meta.dirname, 'bare-server.ts'), {
    execArgv: [...serverFlags],
  });
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('exit', () => reject(new Error('The bare server ended.')));
  });
  ended.catch(() => undefined); // As it does when nobody waits for it.
  const told = <Message>(): Promise<Message> =>
    Promise.race([
      new Promise<Message>((resolve) => {
        child.once('message', (found) => resolve(found as Message));
      }),
      ended,
    ]);
  const order = async (what: object): Promise<void> => {
    const done = told();
    child.send(what);
    await done;
  };
  const { url } = await told<{ url: string }>();
  return {
    url,
    pid: child.pid ?? 0,
    serve: (route, body) => order({ path: route, body }),
    readFrom: (database) => order({ database }),
    stop: () => child.disconnect(),
  };
}
