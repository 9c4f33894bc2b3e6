/** What a configuration was read from, whether or not it was valid. */
export class ConfigInputs {
  /** Paths of the configuration, of the files of accounts, and of the files that they name. */
  readonly files = new Set<string>();
  /** Patterns of `accounts_from`, with the file that contains them: a new file that matches belongs to the configuration. */
  readonly patterns: { readonly pattern: string; readonly from: string }[] = [];
}
