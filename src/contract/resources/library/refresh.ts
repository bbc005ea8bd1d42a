import { Type } from '@sinclair/typebox';
import { Job } from './catalogue.ts';

export const RefreshReply = Type.Object({ job: Job });
