/** Whether a count is worth a log line: 1, 10, 100, … So a flood of failures is not one of lines. */
export function isMilestone(count: number): boolean {
  return count > 0 && Number.isInteger(Math.log10(count));
}
