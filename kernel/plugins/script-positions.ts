/**
 * Leads from a position in the script that an isolate runs to the file that was packed. The packer makes
 * that script without a map; the same module packed once more in the same form, with one, has every
 * position in the same place.
 */
import { SourceMap } from 'node:module';

/** A position in a file; lines and columns begin at 1. */
export interface ScriptPosition {
  /** As the module's own map names it; `null` = the module itself. */
  readonly source: string | null;
  readonly line: number;
  readonly column: number;
}

/** Finds what was at a place of the script; `null` = nothing of the module. */
export type FindPosition = (line: number, column: number) => ScriptPosition | null;

/** Reads the map of a packed script; `null` where there is none. */
export function readPositions(mapJson: string | undefined): FindPosition {
  if (mapJson === undefined) return () => null;
  const map = new SourceMap(JSON.parse(mapJson) as ConstructorParameters<typeof SourceMap>[0]);
  return (line, column) => {
    const origin = map.findEntry(line - 1, column - 1);
    // The map gives the nearest place before, which may be far from it.
    if (!('originalSource' in origin) || origin.generatedLine !== line - 1) return null;
    const { originalSource, originalLine, originalColumn } = origin;
    if (originalSource === 'entry.js') return null;
    return {
      source: originalSource === 'plugin:plugin' ? null : withoutScheme(originalSource),
      line: originalLine + 1,
      column: originalColumn + 1,
    };
  };
}

/** Names out of the module's map stand behind the word for where esbuild had the module from. */
const withoutScheme = (source: string): string => source.replace(/^[a-z-]+:(?!\/)/, '');

/** One line of a stack of V8, taken apart. */
export interface StackFrame {
  /** Empty where the function has no name. */
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** The script as stacks name it. */
const ofScript = /\(?\bplugin\.js:(\d{1,7}):(\d{1,7})\)?$/;
const mostFrames = 8;

/** The frames of a stack that lie in the plugin's script; a stack is the plugin's words. */
export function framesOf(stack: string): readonly StackFrame[] {
  return stack
    .split('\n', 50)
    .flatMap((text) => {
      const [, line, column] = ofScript.exec(text) ?? [];
      const [, name = ''] = /^ *at (?:async )?(?:Object\.)?([\w$.<># ]{1,100}) \(/.exec(text) ?? [];
      if (line === undefined) return [];
      // The module itself is a function without a name; V8 calls it by what runs it.
      const own = name === 'eval' ? '' : name;
      return [{ name: own, line: Number(line), column: Number(column) }];
    })
    .slice(0, mostFrames);
}
