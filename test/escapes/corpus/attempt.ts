/**
 * What an escape attempt is. Attempts are programs and values of hostile plugins, each with a goal that
 * it proves by itself: it gives away a canary that it must not reach, or the word `WON`. The corpus
 * says nothing of how they are run; `corpus.test.ts` and its neighbours do.
 */

/** The body of `async function (input, host) { … }`, with `loot` and `won` in reach. */
export interface ProgramAttempt {
  readonly code: string;
  /** What runs when the plugin is loaded. */
  readonly prelude?: string;
  /** What another plugin beside it runs afterwards; its `WON` counts as well. */
  readonly witness?: string;
}

/** Programs against the language around them; a plain `node:vm` is put to the same test. */
export interface ProgramClass {
  readonly name: string;
  /** WebAssembly is granted, and with it a process of its own. */
  readonly wasm?: true;
  readonly attempts: Readonly<Record<string, string | ProgramAttempt>>;
}

/** Programs against the services of a whole server: bodies of `async (host, place) => { … }`. */
export interface ServiceClass {
  readonly name: string;
  readonly by: Burglar;
  /** What the plugin may do; shows that it is not refused for another reason. Must give `ok`. */
  readonly control: string;
  readonly attempts: Readonly<Record<string, string>>;
}

/**
 * Which plugin tries: `burglar` has every power but `disk`, each narrowly; `wanderer` may ask any host;
 * `shelf` serves files of a scheme of its own and has `disk`; `pauper` has nothing.
 */
export type Burglar = 'burglar' | 'wanderer' | 'shelf' | 'pauper';

/** What the programs are told of the server, as an attacker would find it out. */
export interface Place {
  readonly libraryId: string;
  /** URI of the root of the only library, and of a folder beside it with a canary in `canary.txt`. */
  readonly root: string;
  readonly outside: string;
  /** Plain paths of both. */
  readonly rootPath: string;
  readonly outsidePath: string;
  /** The server's own data folder, as a URI, and its address. */
  readonly data: string;
  readonly self: string;
  /** Ports of this machine: granted and allowed; allowed to others; not allowed to anybody. */
  readonly open: number;
  readonly ungranted: number;
  readonly hidden: number;
}

/** Values that a plugin, or a package, gives to a wall that judges them. */
export interface ValueClass {
  readonly name: string;
  readonly attempts: Readonly<Record<string, unknown>>;
  /** Whether the value got past the wall, or did harm there. */
  readonly wins: (value: never) => boolean | Promise<boolean>;
  /** A value that must pass, so that a check that refuses everything fails. */
  readonly honest: unknown;
}

/** What every program finds beside itself; the same inside an isolate and inside `node:vm`. */
export const burglarsTools = `
var won = 'WON';
/** Tries every function constructor that is reachable from some values for a look at another realm. */
var loot = async (...roots) => {
  const makers = /^(Async)?(Generator)?Function$/;
  const look = 'return typeof canary === "string" ? canary : process.env.VITRINE_CANARY';
  for (const root of roots) {
    const chain = [];
    try { chain.push(root); } catch {}
    for (let owner = root, depth = 0; depth < 6; depth++) {
      try { owner = Object.getPrototypeOf(owner); } catch { break; }
      if (owner === null || owner === undefined) break;
      chain.push(owner);
    }
    const found = new Set();
    for (const link of chain) {
      for (const climb of [(x) => x, (x) => x.constructor, (x) => x.constructor.constructor, (x) => Object.getPrototypeOf(x).constructor.constructor]) {
        try { found.add(climb(link)); } catch {}
      }
    }
    for (const maker of found) {
      try {
        if (typeof maker !== 'function' || !makers.test(maker.name)) continue;
        let seen = maker(look)();
        if (seen && typeof seen.next === 'function') seen = seen.next();
        seen = await seen;
        if (seen && typeof seen === 'object') seen = seen.value;
        if (typeof seen === 'string') return seen;
      } catch {}
    }
  }
  return null;
};
`;
