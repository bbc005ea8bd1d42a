import type { ProgramClass } from '../attempt.ts';

/** Lines of a log that a terminal or a reader takes for something else. The harness judges the lines. */
export const consoleForging: ProgramClass = {
  name: 'forged lines of the log',
  attempts: {
    'colours': `console.log('\\u001b[31mred'); return null;`,
    'a new line': `console.log('one\\n{"level":50,"msg":"The server stops"}'); return null;`,
    'a carriage return': `console.error('kept\\rforged'); return null;`,
    'a line end of Unicode': `console.warn('one\\u2028two\\u2029three\\u0085four'); return null;`,
    'letters that read backwards': `console.log('\\u202egnp.exe\\u2066x\\u2069'); return null;`,
    'a bell, a backspace and a NUL': `console.log('a\\u0007\\u0008\\u0000b'); return null;`,
    'a title of the window': `console.log('\\u001b]0;owned\\u0007'); return null;`,
    'the eight-bit escape': `console.log('\\u009b31m'); return null;`,
    'an error with lines in its name': `const e = new Error('m'); e.name = 'A\\n\\u001b[2J'; console.error(e); return null;`,
    'an error with lines in its message': `console.error(new Error('a\\nb\\u001b[0m')); return null;`,
    'an object whose toJSON has lines': `console.log({ toJSON: () => 'a\\u001bb' }); return null;`,
    'a symbol with lines': `console.log(Symbol('a\\nb\\u001b[1m')); return null;`,
    'a thrown message with lines': `throw new Error('a\\n\\u001b[2Jb');`,
    'a rejection with lines': `Promise.reject(new Error('a\\n\\u001b[2Jb')); await new Promise((r) => setTimeout(r, 5)); return null;`,
    'a timer that throws lines': `setTimeout(() => { throw new Error('a\\n\\u001b[2Jb'); }, 1); await new Promise((r) => setTimeout(r, 20)); return null;`,
    'marks that cannot be seen': `console.log('a\\u200b\\u200d\\ufeff\\u00adb\\u{e0041}'); return null;`,
    'a line of a million characters': `console.log('x'.repeat(1e6)); return null;`,
    'format words': `console.log('%s%o%c%d', { toString() { return '\\u001b[1m'; } }, {}, 'css'); return null;`,
  },
}; // oxfmt-ignore
