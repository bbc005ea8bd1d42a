/**
 * The names that Google Takeout gives the JSON beside a photo. Its archive cuts names, numbers the
 * JSON at another place than the photo, and writes one JSON for a photo and its edited copies.
 */
const longestBase = 46;
const suffix = '.supplemental-metadata';
/** What copies that were edited in Google Photos are called, by the language of the account. */
const edited =
  /-(?:edited|bearbeitet|bewerkt|edit(?:ado|ada)|modifi[ée]|modificato|modificata|redigeret|redigerad|redigert|muokattu|edytowane|upraveno|szerkesztett|düzenlendi|изменено|編集済み|已修改|已編輯)(?=\.[^.]*$|\(\d+\)\.[^.]*$)/u;

/**
 * Whether a JSON is that of a photo. Both names are in lower case and NFC, that of the JSON without
 * `.json`.
 */
export function isTakeoutOf(json: string, photo: string): boolean {
  const [, stem = photo, number = '', extension = ''] =
    /^(.*?)(\(\d+\))?(\.[^.]*)?$/su.exec(photo.replace(edited, '')) ?? [];
  if (number !== '' && !json.endsWith(number)) return false;
  const base = number === '' ? json : json.slice(0, -number.length);
  const whole = `${stem}${extension}`;
  // A longer JSON has a part of the suffix; a cut one has lost a part of the photo's own name.
  if (base.length >= whole.length) return `${whole}${suffix}`.startsWith(base);
  return base.length >= longestBase - 1 && whole.startsWith(base);
}
