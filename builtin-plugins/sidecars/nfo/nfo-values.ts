/** Values as people and programs write them into documents. Undefined when they are invalid. */

/** `1,234` and `1 234` are above a thousand, `7,8` is less than eight. */
export function toNumber(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 40) return undefined;
  const plain = text
    .trim()
    .replace(/(?<=\d)[ ,.'\u00a0](?=\d{3}(?:\D|$))/g, '')
    .replace(',', '.');
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(plain) ? Number(plain) : undefined;
}

/** A whole number, 0 or more: `3`, `03`, `3/12`. */
export function toCount(text: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,9})(?:\s*\/\s*\d{1,9})?\s*$/.exec(text ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A number with a fraction, whose comma never separates thousands: `7,8`, `7.812`. */
export function toDecimal(text: string | undefined): number | undefined {
  const plain = (text ?? '').trim().replace(',', '.');
  return /^\d{1,9}(?:\.\d{1,15})?$/.test(plain) ? Number(plain) : undefined;
}

/** The year of a date or of a bare year. */
export function toYear(text: string | undefined): number | undefined {
  const digits = /(?:^|\D)(1[89]\d\d|20\d\d|21\d\d)(?:\D|$)/.exec((text ?? '').slice(0, 100))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A whole date as yyyy-mm-dd: `1999-03-31`, `1999-03-31T00:00:00+00:00`, `31.03.1999`. */
export function toDate(text: string | undefined): string | undefined {
  const written = (text ?? '').trim().slice(0, 40);
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:\D|$)/.exec(written);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(written);
  const [year, month, day] = iso ? iso.slice(1) : dotted ? dotted.slice(1).reverse() : [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  return isDay && Number(year) >= 1000
    ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    : undefined;
}

/** Seconds of a running time: `142`, `142 min`, `2h 22m`, `2:22:00`. A bare number is minutes. */
export function toDuration(text: string | undefined): number | undefined {
  const written = (text ?? '').trim().toLowerCase().slice(0, 40);
  const clock = /^(\d{1,3}):(\d{2}):(\d{2})$/.exec(written);
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const spoken = /^(?:(\d{1,3})\s*h(?:\D{0,6}))?\s*(?:(\d{1,4})\s*(?:m\D{0,8})?)?$/.exec(written);
  if (!spoken || (spoken[1] === undefined && spoken[2] === undefined)) return undefined;
  const seconds = (Number(spoken[1] ?? 0) * 60 + Number(spoken[2] ?? 0)) * 60;
  return seconds > 0 ? seconds : undefined;
}

/**
 * The certifications of all countries: `R` of `Rated R for violence` and of `USA:R`, `US:R / UK:18`
 * as a whole. A text that is too long gives nothing, since the stricter half might be cut off.
 */
export function toCertification(texts: readonly string[]): string | undefined {
  const written = texts.join(' / ');
  if (written.length > 1000) return undefined;
  const entries = written
    .split(/\s+\/\s+|\s*\|\s*|\/(?=[\p{L} ]{2,20}:)/u)
    .map((entry) => entry.replace(/(^|:)\s*rated\s+/i, '$1').replace(/\s+for\s.*$/i, ''))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && entry.length <= 60);
  const american = entries.map((entry) => entry.replace(/^(?:us|usa|united states)\s*:\s*/i, ''));
  return new Set(american).size <= 1 ? american[0] : [...new Set(entries)].join(' / ');
}

/** Names in one text: `Drama / Crime`, `Drama|Crime`; commas separate only names that cannot contain one. */
export function splitNames(texts: readonly string[], separator = /\s*[/|;]\s*/): string[] {
  return texts
    .flatMap((text) => text.slice(0, 2000).replace(/\s+/g, ' ').split(separator, 100))
    .filter(Boolean);
}
