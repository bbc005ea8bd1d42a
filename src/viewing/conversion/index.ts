export type { CageMode } from './cage.ts';
export { createOpenInput } from './converted-input.ts';
export {
  createConversions,
  type ConversionsParts,
  type RunningConversions,
  type SeenConversion,
} from './create-conversions.ts';
export type { FindFile } from './begun-work.ts';
export { deviceNotice } from './device-notice.ts';
export type { HardwareMode } from './hardware.ts';
export type { SpeedSettings } from './learnt-height.ts';
export { createStudies, unreadableMs, type Studies, type Study } from './studies.ts';
export { createPartStore, type PartStore } from './part-store.ts';
export {
  findTranscoder,
  openTranscoder,
  type NoTranscoder,
  type Transcoder,
  type TranscoderSettings,
} from './transcoder.ts';
export { conversionMigrations } from './conversion-migrations.ts';
export { AskedServers } from './asked-servers.ts';
export { createOtherHeads, type OtherHeads } from './other-heads.ts';
export { PlacedHeads } from './placed-heads.ts';
export { createSharedParts } from './shared-parts.ts';
