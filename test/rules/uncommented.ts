/** The Alertmanager example as a user has it after removing "# " from the lines of all receivers. */
export function uncommented(example: string): string {
  const [before = '', receivers = ''] = example.split(/^(?=receivers:)/m);
  return before + receivers.replaceAll(/^ {4}# /gm, '    ');
}
