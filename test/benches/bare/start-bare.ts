import { serverFlags } from '../../../packages/app/cli/server-flags.mjs';
import { forkProgram } from '../forked.ts';

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
  const { child, orEnd } = forkProgram('bare/bare-server.ts', { execArgv: [...serverFlags] });
  const told = <Message>(): Promise<Message> =>
    orEnd(
      new Promise<Message>((resolve) => {
        child.once('message', (found) => resolve(found as Message));
      }),
    );
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
