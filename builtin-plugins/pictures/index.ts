import { definePlugin } from '../../plugin-api/index.ts';
import { makePicture } from './make.ts';

export default definePlugin({ methods: { 'pictures.make': makePicture } });
