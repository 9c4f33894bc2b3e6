/** `problems`: invalid references and unset variables. They contain names of variables, but not other parts of the text. */
export type Expansion = Readonly<ReturnType<typeof expand>>;

const reference = /\$\$\{|\$\{([^}]*)(\}?)/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Replaces each `${NAME}` by the environment variable's value, unchanged; `$${` stands for `${`. */
export function expand(text: string, environment: Readonly<Record<string, string | undefined>>) {
  const variables: string[] = [];
  const problems: string[] = [];
  const expanded = text.replace(reference, (match, name: string | undefined, end: string | undefined) => {
    if (match === '$${') return '${';
    if (end !== '}' || name === undefined || !variableName.test(name)) {
      problems.push(
        `contains \${ without a variable name and a closing }; write \${NAME} for a variable, or $\${ for the characters \${`,
      );
      return '';
    }
    variables.push(name);
    const value = environment[name];
    if (value === undefined) problems.push(`uses the environment variable ${name}, which is not set; set it`);
    else if (!isText(value))
      problems.push(`uses the environment variable ${name}, which is not UTF-8 text; set it to UTF-8 text`);
    return value ?? '';
  });
  return { text: expanded, variables, problems };
}

/** Whether the value of an environment variable was UTF-8. Node.js replaces other bytes by U+FFFD. */
export function isText(value: string): boolean {
  return !value.includes('\ufffd');
}

/** The variable's name if the text is only `${NAME}`, and therefore contains no secret; otherwise undefined. */
export function referencedVariable(text: string): string | undefined {
  const name = text.slice(2, -1);
  return text === `\${${name}}` && variableName.test(name) ? name : undefined;
}
