import type { BundleMediaFile } from '../../../plugin-api/index.ts';
import type { Scene, SceneMedia } from './scene.ts';

/** Seconds, if the probe knows them. */
export function durationOf({ fileInfo }: BundleMediaFile): number | undefined {
  const duration = fileInfo?.['duration'];
  return typeof duration === 'number' && duration > 0 ? duration : undefined;
}

/** Whether the file has chapters of its own, which are never replaced. */
export function hasChapters({ bundle, media }: Scene, { file }: SceneMedia): boolean {
  return (bundle.chapters ?? []).some(
    ({ mediaFileUri }) =>
      mediaFileUri === file.uri || (mediaFileUri === undefined && media[0]?.file === file),
  );
}
