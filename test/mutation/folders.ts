/**
 * Folders of src that are mutated without their inner folders, because the inner folders have separate rows. `.` is src
 * itself.
 */
export const outerFolders: readonly string[] = ['.', 'pages', 'web'];
