export type { CageMode } from './cage.ts';
export {
  findTranscoder,
  openTranscoder,
  type NoTranscoder,
  type Transcoder,
  type TranscoderSettings,
} from './transcoder.ts';
