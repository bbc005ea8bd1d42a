/** The first lines of a text, with a limited length. Lines end where they end for a pattern. */
export function linesOf(text: string, most = 20_000): string[] {
  return text.split(/\r\n?|[\n\u2028\u2029]/, most).map((line) => line.slice(0, 2000).trim());
}
