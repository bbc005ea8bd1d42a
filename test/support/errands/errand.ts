/**
 * What people and programs do with a server, step after step, each step with what the one before gave.
 * An errand is sent again and again, also right after one that ended in the middle; so it makes things
 * under names of its own, and begins by putting away what there may be only one of.
 */

/** What is sent beside the route. */
export interface StepOptions {
  readonly body?: unknown;
  /** Whose request it is; the admin's unless told. `''` = nobody's. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Refusals that are as good as a success. */
  readonly may?: readonly number[];
  /** It carries what counts but once, so it is not sent again: after a failure it begins again from the start. */
  readonly isOnce?: boolean;
}

/** What an errand works with. */
export interface ErrandWorld {
  /** One request: its body, or the end of the errand when it was refused. */
  readonly ask: <Body = unknown>(
    method: string,
    route: string,
    options?: StepOptions,
  ) => Promise<Body>;
  /** Follows the events for a moment, from the one with that id on. */
  readonly listen: (route: string, headers: Readonly<Record<string, string>>) => Promise<void>;
  /** No other run of an errand has it. */
  readonly no: number;
  /** Everything that was asked for in the background is over. */
  readonly settle: () => Promise<void>;
}

/** Something that is done in steps. */
export interface Errand {
  readonly name: string;
  readonly run: (world: ErrandWorld) => Promise<void>;
}

/** A step was refused: what comes after it makes no sense. */
export class StepRefused extends Error {}

/** Something with an id. */
export interface Thing {
  readonly id: string;
}

/** The password of everybody. */
export const password = 'correct horse battery';
