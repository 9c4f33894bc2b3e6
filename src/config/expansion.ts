export interface Expansion {
  readonly text: string;
  /** What is wrong with its references. Names variables, and never shows anything else of the text. */
  readonly problems: readonly string[];
}

const reference = /\$\$\{|\$\{([^}]*)(\}?)/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The text with each `${NAME}` replaced by the environment variable's value, as it is; `$${` stands for `${`. */
export function expand(text: string, environment: Readonly<Record<string, string | undefined>>): Expansion {
  const problems: string[] = [];
  const expanded = text.replace(reference, (match, name: string | undefined, end: string | undefined) => {
    if (match === '$${') return '${';
    if (end !== '}' || name === undefined || !variableName.test(name)) {
      problems.push(
        `has a \${ without a variable's name and }; write \${NAME} for a variable, or $\${ for the characters`,
      );
      return '';
    }
    const value = environment[name];
    if (value === undefined) problems.push(`uses the environment variable ${name}, which is not set; set it`);
    return value ?? '';
  });
  return { text: expanded, problems };
}

/** Whether a text is nothing but one reference, so that what is in the file gives nothing away. */
export function isReference(text: string): boolean {
  return text.startsWith('${') && text.endsWith('}') && variableName.test(text.slice(2, -1));
}
