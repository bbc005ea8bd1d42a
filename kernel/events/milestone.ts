/** Whether a count deserves a log line: 1, 10, 100, … A flood of failures then writes few lines. */
export function isMilestone(count: number): boolean {
  return count > 0 && Number.isInteger(Math.log10(count));
}
