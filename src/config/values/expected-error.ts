/** Returns the fallback if `read` throws, for example because a file is missing or a value is invalid. */
export function readOr<T>(fallback: T, read: () => T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** Resolves with undefined if the operation fails with one of these error codes. */
export async function unlessCode<T>(codes: readonly string[], operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined;
    throw error;
  }
}
