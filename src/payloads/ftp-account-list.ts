import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The payload of ftp/getList: the additional FTP accounts, without the main one. */
export const ftpAccountList = payloadSchema(({ list, name }) =>
  list(z.object({ login: name }), (account) => account.login),
);
