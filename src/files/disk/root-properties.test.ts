import { expect, test } from 'vitest';
import { reportingOf } from './root-properties.ts';

/** As `statfs` of Linux numbers them. */
test.each([
  ['ext4', 0xef53, { isRemote: false, isHalf: false }],
  ['Btrfs', 0x9123683e, { isRemote: false, isHalf: false }],
  ['ZFS', 0x2fc12fc1, { isRemote: false, isHalf: false }],
  ['overlay', 0x794c7630, { isRemote: false, isHalf: false }],
  ['FUSE', 0x65735546, { isRemote: false, isHalf: true }],
  ['NFS', 0x6969, { isRemote: true, isHalf: false }],
  ['SMB 2', 0xfe534d42, { isRemote: true, isHalf: false }],
])('on %s the reported changes are known', (_name, type, hearing) => {
  expect(reportingOf(type)).toEqual(hearing);
});
