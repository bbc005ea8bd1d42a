/**
 * What tags say of the loudness. ReplayGain 2.0 (https://wiki.hydrogenaud.io/?title=ReplayGain_2.0)
 * brings sound to -18 LUFS and gives peaks as parts of full scale. Opus has gains of its own
 * (RFC 7845, section 5.2.1): 256ths of a decibel, to -23 LUFS. Both become gains to -18 LUFS.
 */
import type { TagsDraft } from '../media.ts';

type Setter = (tags: TagsDraft, value: string) => void;

/** Decibels; a tag that says more is wrong. */
const mostGain = 51;
/** LUFS from the level of Opus to that of ReplayGain. */
const aboveOpus = 23 - 18;

const hundredths = (decibels: number): number => Math.round(decibels * 100) / 100;

function gainIn(decibels: number): number | undefined {
  return Math.abs(decibels) <= mostGain ? hundredths(decibels) : undefined;
}

/** `-7.03 dB`. */
const gain =
  (key: 'trackGainDb' | 'albumGainDb'): Setter =>
  (tags, value) => {
    const [, number] = /^([+-]?\d{1,3}(?:\.\d{1,9})?)\s*(?:dB)?$/i.exec(value) ?? [];
    const found = number === undefined ? undefined : gainIn(Number(number));
    if (found !== undefined) tags.replayGain = { [key]: found, ...tags.replayGain };
  };

/** `0.988` of full scale; 0, of silence, has no decibels. */
const peak =
  (key: 'trackPeakDb' | 'albumPeakDb'): Setter =>
  (tags, value) => {
    const isNumber = /^\d{1,3}(?:\.\d{1,20})?$/.test(value);
    const decibels = isNumber ? hundredths(20 * Math.log10(Number(value))) : Number.NaN;
    if (decibels >= -100 && decibels <= 40)
      tags.replayGain = { [key]: decibels, ...tags.replayGain };
  };

/** `-1234`. Goes before ReplayGain, which Opus should not have. */
const opusGain =
  (key: 'trackGainDb' | 'albumGainDb'): Setter =>
  (tags, value) => {
    const number = /^[+-]?\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
    const found = Math.abs(number) <= 32_768 ? gainIn(number / 256 + aboveOpus) : undefined;
    if (found !== undefined) tags.replayGain = { ...tags.replayGain, [key]: found };
  };

/** By the name of the tag, in small letters and digits. */
export const loudnessSetters: Readonly<Record<string, Setter>> = {
  replaygaintrackgain: gain('trackGainDb'),
  replaygaintrackpeak: peak('trackPeakDb'),
  replaygainalbumgain: gain('albumGainDb'),
  replaygainalbumpeak: peak('albumPeakDb'),
  r128trackgain: opusGain('trackGainDb'),
  r128albumgain: opusGain('albumGainDb'),
};
