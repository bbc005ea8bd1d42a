import { Type } from '@sinclair/typebox';
import { Job } from '../../resource-schemas.ts';

export const RefreshReply = Type.Object({ job: Job });
