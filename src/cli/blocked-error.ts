/** Something that the program needs is taken. The message is ready for stderr; the program exits with code 3. */
export class BlockedError extends Error {}
