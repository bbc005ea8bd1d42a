import type {
  DispatchCall,
  IncomingCall,
  Log,
  Outcome,
  Interceptor,
} from '../../../../kernel/index.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import type { Exchange } from '../../../../src/platform/net/index.ts';
import type { FakeLibrary } from '../fakes/fake-library.ts';

export interface TestHarnessParts {
  readonly library: FakeLibrary;
  /** The replacement for the network; the real network when absent. */
  readonly exchange?: Exchange;
  /** `HOST[:PORT]` that may be reached wherever it is, as with `--net-allow`. */
  readonly allowedHosts?: readonly string[];
  /** For the server, and for `Date` in the plugin. */
  readonly clock: Clock;
  /** `Date` in the plugin follows the clock of the test harness; else it is the real time. */
  readonly isTimeTold: boolean;
  /** Wraps each host service. */
  readonly service: Interceptor['service'];
  readonly deadlineMs: (call: DispatchCall) => number;
  readonly observe: (call: DispatchCall, outcome: Outcome) => void;
  /** Called for each call that is withheld, since it concerns what the plugin was not granted. */
  readonly withheld: (call: IncomingCall) => void;
  readonly log: Log;
}
