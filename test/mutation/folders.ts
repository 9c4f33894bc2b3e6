/** Folders of src that are mutated without their inner folders, which have rows of their own. `.` is src itself. */
export const outerFolders: readonly string[] = ['.', 'pages', 'web'];
