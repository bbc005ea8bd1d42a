import { eachOf } from './each.ts';
import type { GuestHandler } from './handler.ts';
import { hasOwn, indexOf, isObject, ownKeys, readData, slice } from './primordials.ts';

/** One call of a handler. */
export interface Dispatch {
  readonly handler: GuestHandler;
  readonly input: unknown;
}

/** Finds the handler of a call and its input. `undefined`: the plugin has no handler for it. */
export type Definition = (method: string, input: unknown) => Dispatch | undefined;

/** Parses the default export of a plugin. */
export function readDefinition(plugin: unknown): Definition {
  const events = sectionOf(plugin, 'events');
  const hooks = sectionOf(plugin, 'hooks');
  const views = sectionOf(plugin, 'views');
  const actions = sectionOf(plugin, 'actions');
  const methods = sectionOf(plugin, 'methods');
  const exported = sectionOf(plugin, 'exports');

  return (method, input) => {
    switch (method) {
      case 'event.dispatch':
        return toDispatch(eventHandler(events, textOf(input, 'type')), input);
      case 'hook.dispatch':
        return toDispatch(handlerIn(hooks, textOf(input, 'name')), readData(input, 'input'));
      case 'hook.dispatchAll': {
        const handler = handlerIn(hooks, textOf(input, 'name'));
        return toDispatch(handler && eachOf(handler), readData(input, 'inputs'));
      }
      case 'view.dispatch':
        return toDispatch(handlerIn(views, textOf(input, 'slot')), readData(input, 'context'));
      case 'action.run':
        return toDispatch(handlerIn(actions, textOf(input, 'method')), readData(input, 'params'));
      case 'export.call':
        return toDispatch(handlerIn(exported, textOf(input, 'method')), readData(input, 'call'));
      default:
        return toDispatch(handlerIn(methods, method), input);
    }
  };
}

/** The exact name first, else the first pattern that fits. */
function eventHandler(events: object | undefined, type: string): GuestHandler | undefined {
  if (events === undefined || hasOwn(events, type)) return handlerIn(events, type);
  const keys = ownKeys(events);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    if (typeof key === 'string' && fits(key, type)) return handlerIn(events, key);
  }
  return undefined;
}

/** A `*` stands for exactly one segment. */
function fits(pattern: string, name: string): boolean {
  let rest = pattern;
  let named = name;
  for (;;) {
    const patternEnd = indexOf(rest, '.');
    const nameEnd = indexOf(named, '.');
    const want = patternEnd < 0 ? rest : slice(rest, 0, patternEnd);
    const have = nameEnd < 0 ? named : slice(named, 0, nameEnd);
    if (want !== '*' && want !== have) return false;
    if (patternEnd < 0 || nameEnd < 0) return patternEnd < 0 && nameEnd < 0;
    rest = slice(rest, patternEnd + 1);
    named = slice(named, nameEnd + 1);
  }
}

function sectionOf(plugin: unknown, name: string): object | undefined {
  const section = readData(plugin, name);
  return isObject(section) ? section : undefined;
}

function handlerIn(section: object | undefined, name: string): GuestHandler | undefined {
  if (section === undefined || !hasOwn(section, name)) return undefined;
  const handler = readData(section, name);
  return typeof handler === 'function' ? (handler as GuestHandler) : undefined;
}

function textOf(input: unknown, name: string): string {
  const text = readData(input, name);
  return typeof text === 'string' ? text : '';
}

function toDispatch(handler: GuestHandler | undefined, input: unknown): Dispatch | undefined {
  return handler === undefined ? undefined : { handler, input };
}
