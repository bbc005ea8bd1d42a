/** ISBN (ISO 2108): numbers of editions, whose last digit is a checksum. */

/** As 13 digits, also for one of 10; `undefined` for anything else. */
export function isbnOf(value: unknown): string | undefined {
  const digits = typeof value === 'string' ? value.replace(/[\s-]/g, '').toUpperCase() : '';
  if (/^97[89]\d{10}$/.test(digits)) return checkDigit(digits) === digits[12] ? digits : undefined;
  if (!/^\d{9}[\dX]$/.test(digits) || !isValidTen(digits)) return undefined;
  const start = `978${digits.slice(0, 9)}`;
  return `${start}${checkDigit(start)}`;
}

/** Weights 1 and 3 by turns, modulo 10. */
function checkDigit(digits: string): string {
  const sum = Array.from(digits.slice(0, 12)).reduce(
    (all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}

/** Weights 10 to 1, modulo 11; X is 10. */
function isValidTen(digits: string): boolean {
  const sum = Array.from(digits).reduce(
    (all, digit, at) => all + (digit === 'X' ? 10 : Number(digit)) * (10 - at),
    0,
  );
  return sum % 11 === 0;
}
