import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

export const phpVersion = payloadSchema(({ name }) => z.object({ php_version: name }));
