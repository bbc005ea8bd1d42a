import type { CheckedPlan } from './checked-plan.ts';

/** Bytes, or what a plan makes of the file. */
export type PlanPart = Buffer | CheckedPlan;

/** Bytes of a part. */
export const sizeOf = (part: PlanPart): number => (Buffer.isBuffer(part) ? part.length : part.size);

/** One plan for parts of the same file, one behind the other. Bytes and heads become inserts. */
export function joinPlans(parts: readonly PlanPart[]): CheckedPlan {
  const inserts: Buffer[] = [];
  const pieces: number[] = [];
  let inserted = 0;
  const insert = (bytes: Buffer): void => {
    if (bytes.length === 0) return;
    pieces.push(-1 - inserted, bytes.length);
    inserts.push(bytes);
    inserted += bytes.length;
  };
  for (const part of parts) {
    if (Buffer.isBuffer(part)) {
      insert(part);
      continue;
    }
    insert(part.head);
    const from = inserted;
    part.pieces.forEach((value, at) =>
      pieces.push(at % 2 === 0 && value < 0 ? value - from : value),
    );
    inserts.push(part.inserts);
    inserted += part.inserts.length;
  }
  return {
    head: Buffer.alloc(0),
    inserts: Buffer.concat(inserts),
    pieces: Float64Array.from(pieces),
    size: parts.reduce((sum, part) => sum + sizeOf(part), 0),
  };
}
