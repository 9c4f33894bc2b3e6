/** Another process uses the folder. The message is ready for stderr; the program exits with code 3. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}
