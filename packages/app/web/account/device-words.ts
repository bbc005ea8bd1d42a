/** The browser and the system of a session, in words. */

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrom(e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(Kodi|XBMC)\//, 'Kodi'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bTizen\b/, 'Samsung TV'],
  [/\bWeb0S\b|\bwebOS\b/, 'LG TV'],
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (text: string, names: readonly (readonly [RegExp, string])[]): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** What a user agent says of the browser and the system; `undefined` = it says nothing known. */
export const deviceWords = (
  userAgent: string,
): { readonly browser: string | undefined; readonly system: string | undefined } => ({
  browser: nameIn(userAgent, browsers),
  system: nameIn(userAgent, systems),
});
