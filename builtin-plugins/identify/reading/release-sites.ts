import { setMark } from './marks.ts';
import { gapBefore, type Name } from './tokens.ts';

const domains: ReadonlySet<string> = new Set(
  'com net org info biz tv me to cc ru de fr it es nl eu co in am ag mx lat re is io li nu ws se pw xyz site club pro cx ch pl lol win vip love space online link st gs'.split(
    ' ',
  ),
);

/** `www.example.org` anywhere, and brackets with nothing but the name of a site. */
export function markSites(name: Name): void {
  for (let index = 0; index < name.tokens.length; index += 1) {
    if (name.tokens[index]?.key !== 'www') continue;
    let last = index;
    while (last - index < 5 && /^[.\- ]$/.test(gapBefore(name, last + 1))) {
      last += 1;
      if (domains.has(name.tokens[last]?.key ?? '')) break;
      if (last > index + 1 && /^ - |[\])]/.test(gapBefore(name, last + 1))) break;
    }
    if (last === index) continue;
    for (let at = index; at <= last; at += 1) setMark(name, at, 'site');
    index = last;
  }
  markLeadingSite(name);
  for (const bracket of name.brackets) {
    const count = bracket.last - bracket.first;
    const inside = name.text.slice(bracket.start + 1, bracket.end - 1);
    if (count < 2 || count > 4 || inside.length > 60 || /[\s_]/.test(inside.trim())) continue;
    if (!domains.has(name.tokens[bracket.last - 1]?.key ?? '') || !inside.includes('.')) continue;
    for (let at = bracket.first; at < bracket.last; at += 1) setMark(name, at, 'site');
  }
}

/** `Example.com - Title`. */
function markLeadingSite(name: Name): void {
  const isSite = domains.has(name.tokens[1]?.key ?? '') && gapBefore(name, 1) === '.';
  if (!isSite || !/^ ?[-_] /.test(gapBefore(name, 2))) return;
  setMark(name, 0, 'site');
  setMark(name, 1, 'site');
}

const checksum = /^[0-9a-f]{8}$/;

/** Eight hexadecimal digits in separate brackets. */
export function markChecksums(name: Name): void {
  for (const bracket of name.brackets) {
    if (bracket.last - bracket.first !== 1) continue;
    const token = name.tokens[bracket.first];
    if (token === undefined || !checksum.test(token.key)) continue;
    if (token.value >= 0 && /^(?:19|20)\d\d(?:0\d|1[0-2])/.test(token.key)) continue;
    setMark(name, bracket.first, 'crc', token.text);
  }
}
