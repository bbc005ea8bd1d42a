import type { ProgramClass } from '../attempt.ts';

/** Doors that an engine keeps for its own people. */
export const natives: ProgramClass = {
  name: 'natives and inspectors',
  attempts: {
    'functions of the engine': `try { return (0, eval)('%GetHeapUsage()') !== undefined ? won : null; } catch { return null; }`,
    'a look into an object': `try { (0, eval)('%DebugPrint({})'); return won; } catch { return null; }`,
    'an object without prototype by the engine': `try { return (0, eval)('%CreatePrivateSymbol("x")') ? won : null; } catch { return null; }`,
    'the shell of the engine': `return [typeof d8, typeof gc, typeof print, typeof quit, typeof load, typeof read, typeof Realm].some((t) => t !== 'undefined') ? won : null;`,
    'a debugger': `debugger; return null;`,
    'flags by v8': `return [typeof v8, typeof internalBinding, typeof primordials].some((t) => t !== 'undefined') ? won : null;`,
    'profiles of console': `return ['profile', 'profileEnd', 'context', 'memory', 'takeHeapSnapshot', 'timeStamp'].some((k) => k in console) ? won : null;`,
    'the inspector by its name': `return typeof inspector !== 'undefined' ? won : null;`,
    'what Intl tells of the machine': `return /canary/.test(JSON.stringify(Intl.DateTimeFormat().resolvedOptions())) ? won : null;`,
    'Intl with a foreign prototype': `return loot(Intl, new Intl.NumberFormat('en'), Intl.DateTimeFormat.prototype.format, Intl.getCanonicalLocales('en'));`,
    'a regular expression that returns groups of another': `/(canary.*)/.exec('canary of mine'); return RegExp.$1 !== 'canary of mine' && RegExp.$1 !== '' ? won : null;`,
    'memory by performance': `return ['memory', 'eventLoopUtilization', 'timerify', 'nodeTiming', 'measureUserAgentSpecificMemory'].some((k) => k in performance) ? won : null;`,
    'crypto beyond digests': `return ['generateKey', 'importKey', 'deriveBits', 'sign'].some((k) => k in crypto.subtle) || 'webcrypto' in crypto ? won : null;`,
    'old functions of the engine': `return [typeof escape.caller, typeof Object.observe, typeof Array.observe].includes('function') ? won : null;`,
  },
}; // oxfmt-ignore
