import { ambientPowers } from './ambient-powers.ts';
import type { ProgramClass } from '../attempt.ts';
import { callIdentity } from './call-identity.ts';
import { callSites } from './call-sites.ts';
import { clocks } from './clocks.ts';
import { consoleForging } from './console-forging.ts';
import { constructorChains } from './constructor-chains.ts';
import { dynamicCode } from './dynamic-code.ts';
import { frameForgery } from './frame-forgery.ts';
import { functionMakers } from './function-makers.ts';
import { hostErrors } from './host-errors.ts';
import { jsonTricks } from './json-tricks.ts';
import { lostGlobals } from './lost-globals.ts';
import { natives } from './natives.ts';
import { prototypePollution } from './prototype-pollution.ts';
import { proxies } from './proxies.ts';
import { residue } from './residue.ts';
import { results } from './results.ts';
import { runtimeTheft } from './runtime-theft.ts';
import { sharedBuiltIns } from './shared-built-ins.ts';
import { sizes } from './sizes.ts';
import { thenables } from './thenables.ts';
import { webAssembly } from './web-assembly.ts';
import { wellKnownSymbols } from './well-known-symbols.ts';

/** Every class of programs against the language. */
export const programClasses: readonly ProgramClass[] = [
  constructorChains,
  functionMakers,
  callSites,
  hostErrors,
  proxies,
  thenables,
  wellKnownSymbols,
  results,
  prototypePollution,
  runtimeTheft,
  jsonTricks,
  frameForgery,
  lostGlobals,
  dynamicCode,
  ambientPowers,
  natives,
  consoleForging,
  clocks,
  sharedBuiltIns,
  residue,
  sizes,
  callIdentity,
  webAssembly,
];
