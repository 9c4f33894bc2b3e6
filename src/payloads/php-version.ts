import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

export const phpVersion = payloadSchema('phpVersion', ({ name }) => z.object({ php_version: name }));
