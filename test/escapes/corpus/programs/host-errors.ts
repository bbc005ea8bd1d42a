import type { ProgramClass } from '../attempt.ts';

const overflow = (call: string): string =>
  `let thrown; const dive = () => { try { dive(); } catch { try { ${call} } catch (e) { thrown ??= e; } } }; try { dive(); } catch (e) { thrown ??= e; } return loot(thrown);`;

/** Errors made by the other side: their realm, their stack and their cause. */
export const hostErrors: ProgramClass = {
  name: 'errors of the host',
  attempts: {
    'the constructor of a refusal': `return host.kv.get({ key: 'fail' }).then(() => null, (e) => loot(e, e.constructor));`,
    'the stack of a refusal': `return host.kv.get({ key: 'fail' }).then(() => null, (e) => e.stack);`,
    'the cause of a refusal': `return host.kv.get({ key: 'fail' }).then(() => null, (e) => loot(e.cause) ?? String(e.cause?.stack ?? ''));`,
    'everything that a refusal holds': `return host.kv.get({ key: 'fail' }).then(() => null, (e) => Reflect.ownKeys(e).map((k) => String(e[k])).join());`,
    'a refusal of bytes': `return host.kv.get(new Uint8Array(1)).then(() => null, (e) => loot(e) .then((got) => got ?? e.stack));`,
    'a refusal of something circular': `const a = {}; a.a = a; try { await host.kv.set(a); } catch (e) { return (await loot(e)) ?? e.stack; }`,
    'a refusal of a BigInt': `try { await host.kv.set({ key: 'k', value: 1n }); } catch (e) { return (await loot(e)) ?? e.stack; }`,
    'a refusal of a symbol': `try { await host.kv.get(Symbol('x')); } catch (e) { return (await loot(e)) ?? e.stack; }`,
    'a refusal of nothing': `try { await host.kv.get(); } catch (e) { return (await loot(e)) ?? e.stack; }`,
    'a stack overflow inside a host function': overflow(`host.kv.get({ key: 'a' });`),
    'a stack overflow inside console': overflow(`console.log('x');`),
    'a stack overflow inside a timer': overflow(`setTimeout(() => {}, 1);`),
    'a stack overflow inside a class of the web': overflow(`new URL('http://a/b');`),
    'an error of a class of the web': `try { new URL('nonsense'); } catch (e) { return (await loot(e, e.constructor)) ?? e.stack; }`,
    'an error of atob': `try { atob('!'); } catch (e) { return (await loot(e, e.constructor, Object.getPrototypeOf(e))) ?? e.stack; }`,
    'an error of structuredClone': `try { structuredClone(() => {}); } catch (e) { return (await loot(e, e.constructor)) ?? e.stack; }`,
    'an error of crypto': `return crypto.subtle.digest('MD5', new Uint8Array()).then(() => null, async (e) => (await loot(e)) ?? e.stack);`,
    'an error of getRandomValues': `try { crypto.getRandomValues(new Float64Array(1)); } catch (e) { return (await loot(e)) ?? e.stack; }`,
  },
}; // oxfmt-ignore
