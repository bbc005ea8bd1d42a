import type { ProgramClass } from '../attempt.ts';

const lootOfSites = `
  const sites = Array.isArray(stolen) ? stolen : [];
  const roots = [];
  for (const site of sites) for (const ask of ['getThis', 'getFunction', 'getTypeName', 'getEvalOrigin']) { try { roots.push(site[ask]()); } catch {} }
  return loot(...sites, ...roots);`;

/** Stacks as structures: the code that formats them receives the frames of all callers. */
export const callSites: ProgramClass = {
  name: 'call sites',
  attempts: {
    'prepareStackTrace and a plain error': `let stolen; try { Error.prepareStackTrace = (e, s) => { stolen = s; return ''; }; } catch {} new Error().stack; ${lootOfSites}`,
    'prepareStackTrace and an error of the host': `let stolen; try { Error.prepareStackTrace = (e, s) => { stolen = s; return ''; }; } catch {} await host.kv.get({ key: 'fail' }).catch((e) => e.stack); ${lootOfSites}`,
    'prepareStackTrace of a foreign Error': `let stolen; const e = await host.kv.get({ key: 'fail' }).then(() => new Error(), (e) => e); try { e.constructor.prepareStackTrace = (_, s) => { stolen = s; return ''; }; } catch {} new e.constructor().stack; await host.kv.get({ key: 'fail' }).catch((e) => e.stack); ${lootOfSites}`,
    'prepareStackTrace by defineProperty': `let stolen; try { Object.defineProperty(Error, 'prepareStackTrace', { value: (e, s) => { stolen = s; } }); } catch {} new Error().stack; ${lootOfSites}`,
    'prepareStackTrace on a subclass': `let stolen; class E extends Error { static prepareStackTrace(e, s) { stolen = s; } } new E().stack; ${lootOfSites}`,
    'prepareStackTrace on every kind of error': `let stolen; for (const K of [TypeError, RangeError, SyntaxError, AggregateError, EvalError]) { K.prepareStackTrace = (e, s) => { stolen = s; }; new K().stack; } ${lootOfSites}`,
    'captureStackTrace on an own object': `let stolen; const o = {}; try { Error.prepareStackTrace = (e, s) => s; } catch {} Error.captureStackTrace(o); stolen = o.stack; ${lootOfSites}`,
    'captureStackTrace on a proxy': `let stolen; const o = new Proxy({}, { defineProperty(t, k, d) { stolen = d.value ?? d.get?.(); return Reflect.defineProperty(t, k, d); } }); Error.captureStackTrace(o); ${lootOfSites}`,
    'prepareStackTrace on Object.prototype': `let stolen; Object.prototype.prepareStackTrace = (e, s) => { stolen = s; }; new Error().stack; delete Object.prototype.prepareStackTrace; ${lootOfSites}`,
    'a stack that is asked in a getter of the result': `let stolen; try { Error.prepareStackTrace = (e, s) => { stolen = s; return ''; }; } catch {} JSON.stringify({ get a() { return new Error().stack; } }); ${lootOfSites}`,
    'a stack from inside a callback of the host': `let stolen; try { Error.prepareStackTrace = (e, s) => { stolen = s; return ''; }; } catch {} await host.kv.get({ get key() { new Error().stack; return 'a'; } }); ${lootOfSites}`,
    'a stack without limit': `let stolen; try { Error.stackTraceLimit = Infinity; Error.prepareStackTrace = (e, s) => { stolen = s; return ''; }; } catch {} await new Promise((r) => setTimeout(() => { new Error().stack; r(); }, 1)); ${lootOfSites}`,
    'the caller of a sloppy function': `const spy = Function('return spy.caller'); globalThis.spy = spy; let found; try { found = spy(); } catch {} return loot(found?.arguments?.[1], found?.caller);`,
    'the arguments of the host functions': `const seen = []; for (const f of [host.kv.get, setTimeout, console.log]) { try { seen.push(f.arguments, f.caller); } catch {} } return loot(...seen);`,
  },
}; // oxfmt-ignore
