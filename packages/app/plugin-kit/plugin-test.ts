/**
 * `vitrine/plugin-test`: tests of a plugin in the real sandbox, for vitest or any other runner.
 * Call {@link openPlugin}; it gives a {@link PluginUnderTest}.
 */
export { openPlugin } from './test-harness/open-plugin.ts';
export { PluginFault } from './packing/plugin-fault.ts';
export type { MadeViewer } from './fakes/made-viewer.ts';
export type {
  CallOptions,
  Deadlines,
  Dispatched,
  EnqueuedJob,
  FakeNet,
  HostFaultCode,
  HostFaults,
  NetAnswer,
  NetReply,
  NetRequest,
  OpenPluginOptions,
  OtherPlugins,
  PluginUnderTest,
  TestClock,
} from './test-harness/plugin-under-test.ts';
export type { FakeList, FakeMarks, FakeViewing } from './fakes/fake-viewing.ts';
export type { FakeItem, FakeLibrary, FakeLibraryPlan, NewFakeItem } from './fakes/fake-library.ts';
