/** The completion for bash and zsh, from the flags of each command. Without a command, serve runs. */
export function completionOf(flags: Readonly<Record<string, readonly string[]>>): string {
  const cases = Object.entries(flags).map(([command, words]) => {
    return `    ${command === 'serve' ? 'serve | -*' : command}) words='${words.join(' ')}' ;;\n`;
  });
  return `# Completion of hosting-account-exporter for bash and zsh. Add to ~/.bashrc, or after compinit to ~/.zshrc:
#   source /path/to/deploy/completion.sh
# Generated from the flags: npx vitest run test/docs -u

_hosting_account_exporter() {
  local words='${Object.keys(flags).join(' ')}'
  case "\${COMP_WORDS[1]}" in
${cases.join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
if [ -n "$ZSH_VERSION" ]; then autoload -U +X bashcompinit && bashcompinit; fi
complete -o default -F _hosting_account_exporter hosting-account-exporter
`;
}

export function fishCompletionOf(flags: Readonly<Record<string, readonly string[]>>): string {
  const commands = Object.keys(flags);
  const others = commands.filter((command) => command !== 'serve').join(' ');
  const loops = Object.entries(flags).map(([command, words]) => {
    const condition = `${command === 'serve' ? 'not ' : ''}__fish_seen_subcommand_from ${command === 'serve' ? others : command}`;
    const names = words.map((word) => word.replace('--', ''));
    return `for flag in ${names.join(' ')}
    complete -c hosting-account-exporter -n '${condition}' -l $flag
end
`;
  });
  return `# Completion of hosting-account-exporter for fish. Copy to ~/.config/fish/completions/hosting-account-exporter.fish
# Generated from the flags: npx vitest run test/docs -u

complete -c hosting-account-exporter -n __fish_use_subcommand -a '${commands.join(' ')}'
${loops.join('')}`;
}
