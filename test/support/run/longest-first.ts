import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long for their size, by which a first run has to guess. */
const long = [
  '/test/faults/',
  '/test/end-to-end/',
  '/test/plugins/',
  'examples/notifier/notifier.test.ts',
  'examples/s3-filesystem/s3-filesystem.test.ts',
  'kernel/run/packages/plugin-archive.test.ts',
  'packages/app/cli/plugins/plugin-try-commands.nightly.test.ts',
  'packages/lib/identity-protocol/mutations.nightly.test.ts',
  'src/library/catalogue/entities/entities.property.nightly.test.ts',
  'builtin-plugins/identify/index-files.nightly.test.ts',
  'packages/app/cli/broker-commands.test.ts',
  'plugin-api/create/package.test.ts',
  'packages/app/client/package.test.ts',
  'test/house/walls.nightly.test.ts',
];

/** Begins with what takes longest, so that no file is left to run alone while processors idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const isLong = ({ moduleId }: TestSpecification) =>
      long.some((name) => moduleId.includes(name));
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
