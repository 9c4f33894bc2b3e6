import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The answer of ftp/getList: the additional accounts, without the main one. */
export const ftpAccountList = payloadSchema(({ list, name }) => list(z.object({ login: name })));
