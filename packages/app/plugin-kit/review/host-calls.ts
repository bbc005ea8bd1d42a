/**
 * Finds the methods of `host` that a bundle calls: through the name `host`, through another last
 * parameter that is used like it, and through services taken out of one. Ambiguous calls are left out.
 */

/** A call of `host.<service>.<method>`. */
export interface HostCall {
  readonly service: string;
  readonly method: string;
}

type Names = ReadonlySet<string>;
type Reads = ReadonlyMap<string, Names>;

const name = '[A-Za-z_$][\\w$]*';
const bodyBegins = '\\)\\s*(?:=>|\\{)';
const viewer = 'viewer';
/** The whole text is searched once for each of them, so their number is limited. */
const mostTaken = 200;

/** Searches the text that `readCode` gives. */
export function hostCallsIn(text: string, services: Names): readonly HostCall[] {
  const hosts = hostNames(text, services);
  const taken = takenServices(text, hosts, services);
  const isHost = isSurelyHost(text);
  const byHost = found(text, `(?<![\\w$])(${name})\\.(${name})\\.(${name})\\(`)
    .filter(([own = '']) => hosts.has(own))
    .map(([, service = '', method = '']) => ({ service, method }))
    .filter(
      ({ service, method }) => services.has(service) || (isHost && isForeign(service, method)),
    );
  const byService = found(text, `(?<![.\\w$])(${name})\\.(${name})\\(`).flatMap(
    ([own = '', method = '']) => {
      const service = taken.get(own);
      return service === undefined ? [] : [{ service, method }];
    },
  );
  return [...byHost, ...byService];
}

/** `host` could also be a string or a list, whose methods belong to the language. */
const isForeign = (service: string, method: string): boolean =>
  service !== viewer && !(method in String.prototype) && !(method in Array.prototype);

const isSurelyHost = (text: string): boolean =>
  new RegExp(`,\\s*host${bodyBegins}`).test(text) &&
  !/\b(?:const|let|var|function|class)\s+host\b/.test(text);

/** Another last parameter counts as a host if the code reads only host services and the viewer from it. */
function hostNames(text: string, services: Names): Names {
  const reads = readsIn(text);
  const last = new Set(found(text, `,\\s*(${name})${bodyBegins}`).map(([own = '']) => own));
  const like = [...last].filter((own) => {
    const keys = [...(reads.get(own) ?? [])];
    return keys.length > 0 && keys.every((key) => services.has(key) || key === viewer);
  });
  return new Set(['host', ...like]);
}

function readsIn(text: string): Reads {
  const reads = new Map<string, Set<string>>();
  for (const [own = '', key = ''] of found(text, `(?<![.\\w$])(${name})\\.(${name})`))
    reads.set(own, (reads.get(own) ?? new Set()).add(key));
  return reads;
}

/** Names of the plugin's own for services: `{ kv }` as the last parameter or of a host, `kv = host.kv`. */
function takenServices(text: string, hosts: Names, services: Names): ReadonlyMap<string, string> {
  const isHost = ([, own = '']: readonly string[]): boolean => hosts.has(own);
  const lists = [
    ...found(text, `,\\s*\\{([^{}()]*)\\}${bodyBegins}`),
    ...found(text, `\\b(?:const|let|var)\\s+\\{([^{}()]*)\\}\\s*=\\s*(${name})\\s*[;,]`).filter(
      isHost,
    ),
  ].map(([list = '']) => pairsIn(list));
  const whole = lists.filter((list) =>
    list.every(([, service]) => services.has(service) || service === viewer),
  );
  const assigned = found(text, `[\\s,](${name})\\s*=\\s*(${name})\\.(${name})\\s*[;,]`)
    .filter(isHost)
    .map(([own = '', , service = '']) => [own, service] as const);
  const taken = [...whole.flat(), ...assigned].filter(([, service]) => services.has(service));
  const bare = text.replaceAll(/\{[^{}()]*\}/g, '{}');
  return new Map(taken.slice(0, mostTaken).filter(([own]) => isTheOnly(own, bare)));
}

/** `kv, fs: files` */
const pairsIn = (list: string): readonly (readonly [own: string, service: string])[] =>
  list.split(',').map((part) => {
    const [key = '', own = key] = part.split(':').map((word) => word.trim());
    return [own, key];
  });

/** Any other thing of that name may have methods of its own. */
function isTheOnly(own: string, text: string): boolean {
  const word = own.replaceAll('$', '\\$');
  const declared = `\\b(?:const|let|var|function|class)\\s+${word}\\b(?!\\s*=\\s*[\\w$]+\\.)`;
  return !new RegExp(`${declared}|[(,]\\s*${word}\\s*[,)=]`).test(text);
}

const found = (text: string, pattern: string): readonly (readonly string[])[] =>
  [...text.matchAll(new RegExp(pattern, 'g'))].map(([, ...groups]) => groups);
