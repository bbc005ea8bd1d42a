/**
 * An ASS script within limits: of each section the fields that are drawn, each within its bounds, and
 * at each moment not more than a browser draws. SSA becomes ASS.
 */
import type { TextColours } from './karaoke.ts';
import { safeText, within, type ScriptNames } from './safe-tags.ts';

/** Names of a line, in lower case, with their values. */
type Values = ReadonlyMap<string, string>;

interface Event {
  readonly from: number;
  readonly to: number;
  readonly line: string;
  readonly cost: number;
}

const mostStyles = 1000;
const mostEvents = 30_000;
/** What is drawn at one moment; see `SafeText.cost`. */
const mostCost = 300;
const lastSecond = 360_000;

const usualEvent = 'layer,start,end,style,name,marginl,marginr,marginv,effect,text'.split(',');
const styleFields =
  'Name,Fontname,Fontsize,PrimaryColour,SecondaryColour,OutlineColour,BackColour,Bold,Italic,Underline,StrikeOut,ScaleX,ScaleY,Spacing,Angle,BorderStyle,Outline,Shadow,Alignment,MarginL,MarginR,MarginV,Encoding';
const eventFields = 'Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text';

/** Seconds of `0:01:02.50`. */
function secondsOf(text = ''): number | undefined {
  const found = /^(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[.:,](\d{1,3}))?$/.exec(text.trim());
  if (found === null) return undefined;
  const [, hours, minutes, seconds, fraction = ''] = found;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return Math.min(lastSecond, whole + Number(fraction.padEnd(3, '0')) / 1000);
}

/** `&HAABBGGRR`, from that or from a number as SSA has it. */
function colourOf(text = '', otherwise: string): string {
  const [, hex] = /^&?H([0-9a-f]{1,8})&?$/i.exec(text.trim()) ?? [];
  if (hex !== undefined) return `&H${hex.padStart(8, '0').toUpperCase()}`;
  if (!/^-?\d{1,10}$/.test(text.trim())) return otherwise;
  const number = Number(text) >>> 0;
  return `&H${number.toString(16).padStart(8, '0').toUpperCase()}`;
}

/** The place on a number pad, from that of SSA: 1 to 3 below, 5 to 7 above, 9 to 11 between. */
const alignmentOfSsa = (old: number): number =>
  old >= 9 ? Math.min(6, old - 5) : old >= 5 ? Math.min(9, old + 2) : Math.min(3, Math.max(1, old));

const styleKey = (name: string): string => name.trim().replace(/^\*+/, '').toLowerCase();

function valuesOf(rest: string, columns: readonly string[]): Values {
  const values = new Map<string, string>();
  let at = 0;
  for (const [index, column] of columns.entries()) {
    const comma = index === columns.length - 1 ? -1 : rest.indexOf(',', at);
    values.set(column, rest.slice(at, comma === -1 ? rest.length : comma).trim());
    if (comma === -1) break;
    at = comma + 1;
  }
  return values;
}

/** The colours of a style, without `&H`. */
function textColours(values: Values): TextColours {
  const colour = (key: string, otherwise: string): string =>
    colourOf(values.get(key), otherwise).slice(2);
  return {
    primary: colour('primarycolour', '&H00FFFFFF'),
    secondary: colour('secondarycolour', '&H000000FF'),
    outline: colour('outlinecolour', '&H00000000'),
  };
}

function styleLine(
  values: Values,
  name: string,
  isOld: boolean,
  fontOf: ScriptNames['fontOf'],
): string {
  const number = (key: string, least: number, most: number, otherwise: number): number =>
    within(values.get(key) ?? '', [least, most]) ?? otherwise;
  const isSet = (key: string): number => (number(key, -1, 1, 0) === 0 ? 0 : 1);
  const colour = (key: string, otherwise: string): string => colourOf(values.get(key), otherwise);
  const back = colour('backcolour', '&H00000000');
  const alignment = Math.round(number('alignment', 1, 11, 2));
  return [
    ...[name, fontOf(values.get('fontname') || 'Arial'), number('fontsize', 1, 1000, 20)],
    ...[colour('primarycolour', '&H00FFFFFF'), colour('secondarycolour', '&H000000FF')],
    ...[isOld ? back : colour('outlinecolour', '&H00000000'), back],
    ...[isSet('bold'), isSet('italic'), isSet('underline'), isSet('strikeout')],
    ...[number('scalex', 1, 1000, 100), number('scaley', 1, 1000, 100)],
    ...[number('spacing', -200, 200, 0), number('angle', -3600, 3600, 0)],
    ...[number('borderstyle', 1, 4, 1) === 3 ? 3 : 1],
    ...[number('outline', 0, 60, 2), number('shadow', 0, 200, 2)],
    ...[isOld ? alignmentOfSsa(alignment) : Math.min(9, alignment)],
    ...['marginl', 'marginr', 'marginv'].map((key) => number(key, 0, 5000, 10)),
    1,
  ].join(',');
}

/** `Banner;…` and `Scroll up;…`, with their numbers. */
function effectOf(text = ''): string {
  const [name = '', ...rest] = text.toLowerCase().split(';');
  if (!/^(banner|scroll (up|down))$/.test(name.trim())) return '';
  const values = rest.slice(0, 4).map((part) => within(part, [0, 20_000]) ?? 0);
  return [name.trim(), ...values].join(';');
}

function eventOf(values: Values, names: ScriptNames): Event | null {
  const [from, to] = [secondsOf(values.get('start')), secondsOf(values.get('end'))];
  if (from === undefined || to === undefined || from >= to) return null;
  const style = names.styleOf(values.get('style') ?? '') ?? 'Default';
  const lastMs = Math.round((to - from) * 1000);
  const text = safeText(values.get('text') ?? '', names, { style, lastMs });
  if (text === null) return null;
  const number = (key: string, most: number): number =>
    Math.round(within(values.get(key) ?? '', [0, most]) ?? 0);
  const line = [
    ...[number('layer', 50), `0:0:${from}`, `0:0:${to}`],
    ...[style, ''],
    ...['marginl', 'marginr', 'marginv'].map((key) => number(key, 5000)),
    ...[effectOf(values.get('effect')), text.text],
  ].join(',');
  return { from, to, line, cost: text.cost };
}

/** Leaves out what comes when there is too much to draw. */
function bearable(events: readonly Event[]): readonly Event[] {
  let shown: readonly Event[] = [];
  return events
    .toSorted((one, other) => one.from - other.from)
    .filter((event) => {
      shown = shown.filter(({ to }) => to > event.from);
      const cost = shown.reduce((sum, one) => sum + one.cost, event.cost);
      if (cost > mostCost) return false;
      shown = [...shown, event];
      return true;
    });
}

/** Writes a script again; `null` = it shows nothing. */
export function safeScript(source: string, fontOf: ScriptNames['fontOf']): string | null {
  const set = new Map<string, string>();
  const styles: string[] = [];
  const styleNames = new Map<string, string>();
  const events: Event[] = [];
  const colours = new Map<string, TextColours>();
  const coloursOf = (written: string): TextColours =>
    colours.get(written) ?? textColours(new Map());
  const styleOf = (name: string): string | undefined => styleNames.get(styleKey(name));
  let section = '';
  let columns: readonly string[] = [];
  for (const line of source.split(/\r\n?|\n/)) {
    const [, title] = /^\s*\[([^\]]{1,60})\]\s*$/.exec(line) ?? [];
    if (title !== undefined) {
      section = title.toLowerCase();
      columns = section === 'events' ? usualEvent : [];
      continue;
    }
    const [, key = '', rest = ''] = /^\s*([\w ]{1,30}?)\s*:\s?(.*)$/.exec(line) ?? [];
    const name = key.toLowerCase();
    if (section === 'script info') set.set(name, rest.trim());
    else if (name === 'format')
      columns = rest.split(',').map((column) => column.trim().toLowerCase());
    else if (name === 'style' && /^v4\+* styles$/.test(section) && styles.length < mostStyles) {
      const values = valuesOf(rest, columns);
      const own = styleKey(values.get('name') ?? '');
      const written = own === 'default' ? 'Default' : `s${styles.length}`;
      styleNames.set(own, written);
      colours.set(written, textColours(values));
      styles.push(styleLine(values, written, !section.includes('+'), fontOf));
    } else if (name === 'dialogue' && section === 'events' && events.length < mostEvents) {
      const event = eventOf(valuesOf(rest, columns), { fontOf, styleOf, coloursOf });
      if (event !== null) events.push(event);
    }
  }
  if (events.length === 0) return null;
  const lines = [
    '[Script Info]',
    ...infoLines(set),
    '[V4+ Styles]',
    `Format: ${styleFields}`,
    ...styles.map((style) => `Style: ${style}`),
    '[Events]',
    `Format: ${eventFields}`,
    ...bearable(events).map((event) => `Dialogue: ${event.line}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Without a size a script means 384 by 288; with one of both, a picture of 4 by 3. */
function infoLines(set: Values): readonly string[] {
  const number = (name: string): number | undefined =>
    within(set.get(name) ?? '', [16, 16_384]) ?? undefined;
  const [x, y] = [number('playresx'), number('playresy')];
  const width = x ?? (y === undefined ? 384 : Math.round((y * 4) / 3));
  const height = y ?? (x === undefined ? 288 : Math.round((x * 3) / 4));
  const [layoutX, layoutY] = [number('layoutresx'), number('layoutresy')];
  const wrap = /^[0-3]$/.exec(set.get('wrapstyle') ?? '')?.[0] ?? '0';
  const isScaled = /^yes/i.test(set.get('scaledborderandshadow') ?? '');
  return [
    'ScriptType: v4.00+',
    ...[`PlayResX: ${width}`, `PlayResY: ${height}`, `WrapStyle: ${wrap}`],
    ...(layoutX === undefined || layoutY === undefined
      ? []
      : [`LayoutResX: ${layoutX}`, `LayoutResY: ${layoutY}`]),
    `ScaledBorderAndShadow: ${isScaled ? 'yes' : 'no'}`,
  ];
}
