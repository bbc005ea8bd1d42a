import type { ProgramClass } from '../attempt.ts';

/** Clocks with which a side channel could be timed. */
export const clocks: ProgramClass = {
  name: 'clocks finer than a millisecond',
  attempts: {
    'performance.now': `for (let i = 0; i < 50; i++) if (performance.now() % 1 !== 0) return won; return null;`,
    'performance.timeOrigin': `return performance.timeOrigin % 1 !== 0 ? won : null;`,
    'Date': `return [Date.now(), +new Date(), new Date().getMilliseconds()].some((t) => t % 1 !== 0) ? won : null;`,
    'marks and measures': `return ['mark', 'measure', 'getEntries', 'timeOrigin2', 'toJSON'].some((k) => typeof performance[k] === 'function') ? won : null;`,
    'Intl with fractions': `return new Intl.DateTimeFormat('en', { fractionalSecondDigits: 3 }).formatToParts(Date.now() + 0.5).find((p) => p.type === 'fractionalSecond').value.length > 3 ? won : null;`,
    'the time stamp of an event': `return new Event('x').timeStamp % 1 !== 0 ? won : null;`,
    'timers of console': `return ['time', 'timeEnd', 'timeLog'].some((k) => k in console) ? won : null;`,
    'a counter in another thread': `return typeof SharedArrayBuffer !== 'undefined' && typeof Atomics !== 'undefined' ? won : null;`,
    'a timer of less than a millisecond': `const from = performance.now(); let n = 0; await new Promise((done) => { const tick = () => (++n < 40 ? setTimeout(tick, 0.01) : done()); tick(); }); return performance.now() - from === 0 ? won : null;`,
    'hrtime and its like': `return [typeof hrtime, typeof process, typeof requestAnimationFrame, typeof requestIdleCallback].some((t) => t !== 'undefined') ? won : null;`,
  },
}; // oxfmt-ignore
