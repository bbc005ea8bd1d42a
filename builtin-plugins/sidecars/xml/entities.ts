/** Names and characters in turn: those of XML, and common ones of HTML. */
const pairs = (
  'amp & lt < gt > quot " apos \' nbsp \u00a0 iexcl ¡ cent ¢ pound £ yen ¥ sect § copy © laquo « raquo » reg ® ' +
  'deg ° plusmn ± sup2 ² sup3 ³ acute ´ micro µ para ¶ middot · sup1 ¹ ordm º frac14 ¼ frac12 ½ frac34 ¾ iquest ¿ ' +
  'Agrave À Aacute Á Acirc Â Atilde Ã Auml Ä Aring Å AElig Æ Ccedil Ç Egrave È Eacute É Ecirc Ê Euml Ë ' +
  'Igrave Ì Iacute Í Icirc Î Iuml Ï Ntilde Ñ Ograve Ò Oacute Ó Ocirc Ô Otilde Õ Ouml Ö times × Oslash Ø ' +
  'Ugrave Ù Uacute Ú Ucirc Û Uuml Ü Yacute Ý szlig ß agrave à aacute á acirc â atilde ã auml ä aring å ' +
  'aelig æ ccedil ç egrave è eacute é ecirc ê euml ë igrave ì iacute í icirc î iuml ï ntilde ñ ograve ò ' +
  'oacute ó ocirc ô otilde õ ouml ö divide ÷ oslash ø ugrave ù uacute ú ucirc û uuml ü yacute ý yuml ÿ ' +
  'OElig Œ oelig œ Scaron Š scaron š ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ ' +
  'dagger † bull • hellip … euro € trade ™'
).split(' ');

const named: ReadonlyMap<string, string> = new Map(
  pairs.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, pairs[at + 1] ?? '']] : [],
  ),
);

const reference = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,9}));/g;

/**
 * Text with its references resolved once; the result is never resolved again. An entity that the
 * document defines itself stays as it is written.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(reference, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named.get(name) ?? whole;
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    return isCharacter(code) ? String.fromCodePoint(code) : '\ufffd';
  });
}

function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}
