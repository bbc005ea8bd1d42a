/** Control characters, line separators, and marks that change the direction of writing. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** What a plugin wrote, fit for a log or a terminal: one line, no escape sequences, cut to length. */
export function cleanText(text: string, length: number): string {
  return text.slice(0, length).replace(unprintable, ' ');
}
