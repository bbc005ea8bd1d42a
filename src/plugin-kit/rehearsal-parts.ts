import type { DispatchCall, IncomingCall, Log, Outcome, Interceptor } from '../../kernel/index.ts';
import type { Clock } from '../clock.ts';
import type { Exchange } from '../net/index.ts';
import type { FakeLibrary } from './fake-library.ts';

/** What a rehearsal is made of. */
export interface RehearsalParts {
  readonly library: FakeLibrary;
  /** What is asked in place of the network; the network itself when absent. */
  readonly exchange?: Exchange;
  /** `HOST[:PORT]` that may be reached wherever it is, as with `--net-allow`. */
  readonly allowedHosts?: readonly string[];
  /** For the server, and for `Date` in the plugin. */
  readonly clock: Clock;
  /** `Date` in the plugin stands where the clock does; else it goes on as it does anywhere. */
  readonly isTimeTold: boolean;
  /** Stands before each host service. */
  readonly service: Interceptor['service'];
  readonly deadlineMs: (call: DispatchCall) => number;
  readonly observe: (call: DispatchCall, outcome: Outcome) => void;
  /** Hears of each call that the plugin does not get, since it was not granted what that is about. */
  readonly withheld: (call: IncomingCall) => void;
  readonly log: Log;
}
