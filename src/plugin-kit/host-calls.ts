/**
 * Which methods of `host` a bundle calls: by the name `host`, by another last parameter of a function
 * that is used like one, and by services that were taken out of one. What could be something else is left out.
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
/** For each of them the whole text is looked through; no plugin takes so many. */
const mostTaken = 200;

/** Looks at the text that `readCode` gives. */
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

/** `host` could be the name of a machine, or a list, whose methods are the language's. */
const isForeign = (service: string, method: string): boolean =>
  service !== viewer && !(method in String.prototype) && !(method in Array.prototype);

const isSurelyHost = (text: string): boolean =>
  new RegExp(`,\\s*host${bodyBegins}`).test(text) &&
  !/\b(?:const|let|var|function|class)\s+host\b/.test(text);

/** Of another last parameter all that is read is what a host has. */
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
