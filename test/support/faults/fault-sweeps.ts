/**
 * Faults at every statement: each thing that people do with a server is done again and again
 * until none of its statements is left that has not failed, and servers are started as often.
 */
import { speaksSql, type HeardAnswer } from './clear-answer.ts';
import { StepRefused, type Errand, type StepOptions } from '../errands/errand.ts';
import { identityErrands } from '../errands/identity-errands.ts';
import { libraryErrands } from '../errands/library-errands.ts';
import { outsideErrands } from '../errands/outside-errands.ts';
import { peopleErrands } from '../errands/people-errands.ts';
import { pluginErrands } from '../errands/plugin-errands.ts';
import { upkeepErrands } from '../errands/upkeep-errands.ts';
import type { FaultScene } from './fault-scene.ts';
import { hear, lengthOf, type FaultTally } from './fault-tally.ts';
import { openNewServer, withFolder, type SentRequest } from './hurt-server.ts';
import { until } from '../servers/server.ts';

/** What a person or a program does, for a scene. */
export function errandsOf({ server, places, libraryId, clock }: FaultScene): readonly Errand[] {
  const { identityUrl, ada } = places;
  const address = { url: server.url(), serverId: server.serverId };
  return [
    ...peopleErrands(libraryId, server.url().replace('127.0.0.1', 'localhost')),
    ...libraryErrands(libraryId, places.shelf),
    ...upkeepErrands(libraryId),
    ...outsideErrands(libraryId, places),
    ...pluginErrands(places.site, libraryId),
    ...identityErrands({ address, identityUrl, clock, ada }),
  ];
}

/** Runs errands under faults, and starts servers under them. */
export interface Sweeper {
  /**
   * Each errand with a fault at every statement that has not met one. What is refused is asked for again
   * when the fault is over, and has to be done then. Repeated until no fault is left, or so often; in the
   * end without any.
   */
  readonly errands: (tally: FaultTally, errands: readonly Errand[], most: number) => Promise<void>;
  /**
   * Starts of a new server, which makes its database, and of the one that is there, again and again
   * until it comes up, until no fault is left or so often.
   */
  readonly starts: (tally: FaultTally, most: number) => Promise<void>;
}

/** Of so many steps one is taken together with requests of other people. */
const stepsPerRound = 6;
const mostAttempts = 500;

/** Creates one. `tell` hears what is done, as it takes a while. */
export function createSweeper(
  scene: FaultScene,
  tell: (line: string) => void = () => undefined,
): Sweeper {
  const { server, plan, clock } = scene;
  let [no, steps, lengthNo, isHurting] = [0, 0, 0, false];

  const arm = ({ kind }: FaultTally): void => {
    if (isHurting) plan.arm({ kind, length: lengthOf(lengthNo++), passes: Infinity });
  };
  /** The fault that struck is over, and the next one may come. */
  async function next(tally: FaultTally): Promise<void> {
    if (plan.struck() === null) return;
    await scene.recover(tally);
    arm(tally);
  }

  /** What a request is answered with in the end; it is asked for again when a fault was in its way. */
  async function send(
    tally: FaultTally,
    request: SentRequest & Pick<StepOptions, 'may' | 'isOnce'>,
    way: (request: SentRequest) => Promise<HeardAnswer>,
  ): Promise<unknown> {
    const { may: given = [], isOnce = false, ...asked } = request;
    const may = [...given];
    const told = async () => {
      const answer = await way(asked).catch((error: unknown) => ({
        status: 0,
        text: String(error),
      }));
      return { answer, said: hear(tally, { request, answer, may, at: plan.struck() }) };
    };
    const isCrowded = isHurting && steps++ % stepsPerRound === 0;
    const [first] = await Promise.all([told(), isCrowded && scene.round(tally)]);
    let last = first;
    if (isHurting && first.answer.status >= 500) {
      await scene.recover(tally);
      // It may have been done, and failed while the answer was put together.
      may.push(404, 409);
      if (!isOnce) last = await told();
      arm(tally);
    } else await next(tally);
    const { status, text } = last.answer;
    const isDone = last.said !== null && status < 500;
    const wasDone = last !== first && (status === 404 || status === 409);
    if (isDone && !wasDone) return toBody(text);
    const what = `${request.method} ${request.route}: ${status} ${text.slice(0, 200)}`;
    if (!wasDone && !isOnce) tally.unrecovered.push(what);
    throw new StepRefused(what);
  }

  async function settle(tally: FaultTally): Promise<void> {
    await until(
      'all jobs are over',
      async () => {
        await clock.advance(11_000);
        await next(tally);
        const { status, text } = await server.ask({ method: 'GET', route: '/api/jobs?limit=1' });
        if (status !== 200) return false;
        const { counts } = JSON.parse(text) as { counts: Record<'pending' | 'running', number> };
        return counts.pending + counts.running === 0;
      },
      120_000,
      50,
    );
    await next(tally);
  }

  /** Whether it came to its good end. */
  async function run(errand: Errand, tally: FaultTally): Promise<boolean> {
    no += 1;
    try {
      await errand.run({
        no,
        settle: () => settle(tally),
        ask: async <Body>(method: string, route: string, options: StepOptions = {}) =>
          (await send(tally, { method, route, ...options }, server.ask)) as Body,
        listen: async (route, headers) => {
          await send(tally, { method: 'GET', route, headers }, () => server.listen(route, headers));
        },
      });
      return true;
    } catch (error) {
      if (!(error instanceof StepRefused) && !/answered 50[37] /.test(String(error)))
        tally.unclear.push(`${errand.name}: ${String(error)} at ${plan.struck() ?? 'no fault'}`);
      return false;
    }
  }

  async function sweep(errand: Errand, tally: FaultTally, most: number): Promise<void> {
    const before = tally.faults;
    await scene.signIn();
    for (let at = 0, left = true; at < most && left; at++) {
      const since = tally.faults;
      isHurting = true;
      arm(tally);
      await run(errand, tally);
      await next(tally);
      left = tally.faults > since;
    }
    isHurting = false;
    plan.disarm();
    await settle(tally);
    if (!(await run(errand, tally)))
      tally.unrecovered.push(`${errand.name} does not come to its end when no fault is left`);
    const { kind, faults, statements } = tally;
    tell(`${kind}, ${errand.name}: ${faults - before} faults, ${statements} statements`);
  }

  /** Tries until it comes up; gives how many faults there were. */
  async function comeUp(tally: FaultTally, open: () => Promise<void>): Promise<number> {
    let faults = 0;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      plan.arm({ kind: tally.kind, length: lengthOf(attempt), passes: Infinity, repeats: true });
      const refusal = await open().then(() => null, toError);
      const at = plan.struck()?.slice(0, 120) ?? 'no fault';
      faults += plan.strikes();
      plan.disarm();
      if (refusal === null) return faults;
      tally.refusedStarts += 1;
      if (!('code' in refusal) || speaksSql(refusal.message))
        tally.unclear.push(`a start: ${refusal.stack ?? ''} at ${at}`);
    }
    tally.unrecovered.push('A server does not come up.');
    return faults;
  }

  async function sweepStarts(
    tally: FaultTally,
    most: number,
    once: () => Promise<number>,
  ): Promise<void> {
    for (let at = 0, left = true; at < most && left; at++) {
      const faults = await once();
      tally.faults += faults;
      left = faults > 0;
    }
    tally.statements = plan.met(tally.kind);
    tell(`${tally.kind}, starts: ${tally.faults} faults, ${tally.statements} statements`);
  }

  return {
    errands: async (tally, errands, most) => {
      for (const errand of errands) await sweep(errand, tally, most);
    },
    starts: async (tally, most) => {
      await sweepStarts(tally, most, () =>
        withFolder((folder) => comeUp(tally, () => openNewServer(scene, folder))),
      );
      await sweepStarts(tally, most, () => comeUp(tally, server.restart));
      await scene.settle();
    },
  };
}

const toError = (error: unknown): Error => error as Error;

function toBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
