/** Finds manifest entries that a server accepts but that do not have the effect an author expects. */
import type { Manifest } from '../../../../plugin-api/index.ts';
import { warning, type Finding } from './finding.ts';

/** Checks only the manifest. */
export const reviewManifest = (manifest: Manifest): readonly Finding[] => [
  ...incomplete(manifest).map((message) => warning('capability-incomplete', message)),
  ...Object.entries(manifest.dependencies ?? {}).map(([id, range]) =>
    warning('dependency-needed', `It starts only where the plugin ${id} ${range} runs.`),
  ),
];

function incomplete(manifest: Manifest): readonly string[] {
  const { capabilities, capabilityConfig = {}, permissions } = manifest;
  const { filesystem, probe } = capabilityConfig;
  const isProbe = capabilities.includes('probe');
  return [
    ...(isProbe && (probe?.extensions ?? []).length === 0
      ? [
          'The capability probe names no capabilityConfig.probe.extensions: it is asked for no file.',
        ]
      : []),
    ...(isProbe && permissions.files === undefined
      ? ['The capability probe needs permissions.files, "read", to read the files that it probes.']
      : []),
    ...(capabilities.includes('filesystem') && (filesystem?.schemes ?? []).length === 0
      ? [
          'The capability filesystem names no capabilityConfig.filesystem.schemes: it serves no library.',
        ]
      : []),
    ...(capabilities.includes('transcode') && permissions.files === undefined
      ? ['The capability transcode needs permissions.files, "read", to read what it plans.']
      : []),
  ];
}
