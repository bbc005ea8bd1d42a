import type { ProgramClass } from '../attempt.ts';

const look = 'return typeof canary === "string" ? canary : process.env.VITRINE_CANARY';

/** Constructors of functions that have no name of their own. */
export const functionMakers: ProgramClass = {
  name: 'function makers',
  attempts: {
    'Function itself': `return Function('${look}')();`,
    'Function by its prototype': `return (() => {}).constructor('${look}')();`,
    'Function of a host function': `return host.kv.get.constructor('${look}')();`,
    'Function of a method of the result': `return (await host.kv.get({ key: 'a' })).toString.constructor('${look}')();`,
    'AsyncFunction': `return (async () => {}).constructor('${look}')();`,
    'AsyncFunction of a host promise': `return host.kv.get({ key: 'a' }).then.constructor('${look}')();`,
    'GeneratorFunction': `return (function* () {}).constructor('${look}')().next().value;`,
    'AsyncGeneratorFunction': `return (await (async function* () {}).constructor('${look}')().next()).value;`,
    'a bound Function': `return Function.bind(null, '${look}')()();`,
    'Function by Reflect.construct with a foreign newTarget': `return Reflect.construct(Function, ['${look}'], host.kv.get.constructor)();`,
    'a subclass of Function': `return new (class extends host.kv.get.constructor {})('${look}')();`,
    'a getter as function maker': `return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), '__proto__').get.constructor('${look}')();`,
    'a tagged template with Function': "return host.kv.get.constructor`return typeof canary === 'string' ? canary : process.env.VITRINE_CANARY`();",
    'eval of a foreign Function': `return host.kv.get.constructor('return (0, eval)("typeof canary === \\\\"string\\\\" ? canary : null")')();`,
  },
}; // oxfmt-ignore
